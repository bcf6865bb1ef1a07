import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct HistogramLogTests {
    private static func histogram(seed: UInt64, count: Int) -> Histogram {
        var histogram = Histogram()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<count {
            let shift = UInt64.random(in: 0..<40, using: &generator)
            histogram.record(UInt64.random(in: 0...3_000_000_000_000, using: &generator) >> shift)
        }
        return histogram
    }

    /// Few and many values, large counts, the smallest and the largest bucket.
    private static let histograms: [(name: String, histogram: Histogram)] = {
        var large = Histogram()
        large.record(0, times: 1 << 61)
        large.record(1, times: 64)
        large.record(2, times: 63)
        large.record(Histogram.highest, times: 3)
        var one = Histogram()
        one.record(12_345)
        return [
            ("one value", one), ("few", histogram(seed: 1, count: 100)), ("many", histogram(seed: 2, count: 200_000)),
            ("large,counts", large),
        ]
    }()

    private static func log() -> HistogramLog {
        var log = HistogramLog()
        for (index, entry) in histograms.enumerated() {
            let start = Date(timeIntervalSince1970: 1_790_000_000 + 2 * Double(index))
            log.add(entry.histogram, entry.name, .direct, from: start, to: start + 1.5)
        }
        log.add(Histogram(), "nothing", .direct, from: Date(), to: Date())
        log.add(nil, "nothing", .direct, from: Date(), to: Date())
        return log
    }

    @Test func theLogHasItsHeadersAndALineForEachInterval() throws {
        let lines = Self.log().text(program: "bench").split(separator: "\n").map(String.init)
        #expect(
            lines.prefix(5) == [
                "#[Logged by bench, BenchmarkKit \(BenchmarkKitVersion.current)]",
                "#[Histogram log format version 1.3]",
                "#[StartTime: 1790000000.000 (seconds since epoch), 2026-09-21T14:13:20Z]",
                "#[BaseTime: 1790000000.000 (seconds since epoch)]",
                #""StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram""#,
            ])
        #expect(lines.count == 5 + Self.histograms.count)
        #expect(lines[5].hasPrefix("Tag=one_value:direct,0.000,1.500,0.012,HISTF"))
        #expect(lines[8].hasPrefix("Tag=large_counts:direct,6.000,1.500,3600000.000,HISTF"))
    }

    /// More than 64 KiB of counts need more than one block of zlib.
    @Test func aLargeHistogramIsEncoded() throws {
        var histogram = Histogram()
        for bucket in stride(from: 0, to: Histogram.bucketCount, by: 1) {
            histogram.record(Histogram.middle(ofBucket: bucket), times: 1 << 20)
        }
        let bytes = try #require(Data(base64Encoded: histogram.encoded))
        #expect(bytes.count > 2 * 65_535 + 40)
        // Without the package, this test ends here.
        guard let decoded = try decoded([histogram.encoded]) else { return }
        #expect(decoded.first?.count == histogram.count)
    }

    /// The reference implementation reads the same counts from the log.
    @Test func thePackageHdrhistogramReadsTheLog() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("run.hlog")
        try Data(Self.log().text(program: "bench").utf8).write(to: file)
        let script = """
            import sys
            from hdrh.histogram import HdrHistogram
            from hdrh.log import HistogramLogReader
            reader = HistogramLogReader(sys.argv[1], HdrHistogram(1, 3600000000000, 3))
            while True:
                h = reader.get_next_interval_histogram()
                if h is None: break
                counts = {h.get_value_from_index(i): c for i, c in enumerate(h.counts) if c}
                print(h.get_tag(), h.get_start_time_stamp(), h.get_end_time_stamp(),
                      ",".join(f"{value}={count}" for value, count in counts.items()))
            """
        guard let python = Tools.pythonWithHistogram else {
            return Tools.notice("no Python has the package hdrhistogram: the log isn't read by it")
        }
        let answer = try Tools.run(python, ["-c", script, file.path])
        #expect(answer.status == 0, "\(answer.errors)")
        let lines = answer.output.split(separator: "\n")
        #expect(lines.count == Self.histograms.count)
        for (index, (line, entry)) in zip(lines, Self.histograms).enumerated() {
            let words = line.split(separator: " ")
            let start = 1_790_000_000_000 + 2000 * Double(index)
            #expect(words[0] == entry.name.replacing(/[ ,]/, with: "_") + ":direct")
            #expect(Double(words[1]) == start && Double(words[2]) == start + 1500)
            let expected = entry.histogram.filled.map {
                "\(Histogram.bounds(ofBucket: $0.bucket).lowerBound)=\($0.count)"
            }
            #expect(words[3] == expected.joined(separator: ","), "\(entry.name)")
        }
    }

    /// What the reference implementation decodes; nil without it.
    private func decoded(_ texts: [String]) throws -> [(count: UInt64, maximum: UInt64)]? {
        guard let python = Tools.pythonWithHistogram else {
            Tools.notice("no Python has the package hdrhistogram: encodings aren't decoded by it")
            return nil
        }
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("texts")
        try Data(texts.joined(separator: "\n").utf8).write(to: file)
        let script = """
            import sys
            from hdrh.histogram import HdrHistogram
            for line in open(sys.argv[1]):
                h = HdrHistogram.decode(line.strip())
                print(h.get_total_count(), h.get_max_value())
            """
        let answer = try Tools.run(python, ["-c", script, file.path])
        #expect(answer.status == 0, "\(answer.errors)")
        return answer.output.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return (UInt64(words[0]) ?? 0, UInt64(words[1]) ?? 0)
        }
    }
}
