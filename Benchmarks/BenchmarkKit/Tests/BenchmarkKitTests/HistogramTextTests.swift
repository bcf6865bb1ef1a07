import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct HistogramTextTests {
    private static let histogram: Histogram = {
        var histogram = Histogram()
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<30_000 {
            let shift = UInt64.random(in: 0..<24, using: &generator)
            histogram.record(max(1, UInt64.random(in: 0...90_000_000, using: &generator) >> shift))
        }
        histogram.record(2_000_000_000_000)
        return histogram
    }()

    @Test func levelsRiseToOneHundredPerCent() throws {
        let rows = HistogramText.rows(of: Self.histogram, ticks: 5)
        #expect(rows.first?.share == 0)
        #expect(rows.last?.share == 1)
        #expect(rows.last?.count == Self.histogram.count)
        for (first, second) in zip(rows, rows.dropFirst()) {
            #expect(first.share < second.share && first.value <= second.value && first.count <= second.count)
        }
    }

    @Test func theTextHasTheColumnsOfPlotters() {
        var histogram = Histogram()
        histogram.record(1)
        histogram.record(3000)
        #expect(
            HistogramText.text(of: histogram) == """
                       Value     Percentile TotalCount 1/(1-Percentile)

                       1.000 0.000000000000          1           1.00
                       1.000 0.100000000000          1           1.11
                       1.000 0.200000000000          1           1.25
                       1.000 0.300000000000          1           1.43
                       1.000 0.400000000000          1           1.67
                       1.000 0.500000000000          1           2.00
                    3001.000 0.550000000000          2           2.22
                    3001.000 1.000000000000          2
                #[Mean    =     1501.000, StdDeviation   =     1500.000]
                #[Max     =     3000.000, Total count    =            2]
                #[Buckets =           32, SubBuckets     =         2048]

                """)
    }

    @Test func anEmptyHistogramHasNoLines() {
        #expect(HistogramText.rows(of: Histogram(), ticks: 5).isEmpty)
        #expect(HistogramText.text(of: Histogram()).contains("Total count    =            0]"))
    }

    /// The reference implementation has the same buckets, percentiles and lines for the same values.
    @Test func thePackageHdrhistogramAgrees() throws {
        guard let python = Tools.pythonWithHistogram else {
            return Tools.notice(
                "no Python has the package hdrhistogram: histograms aren't compared with it")
        }
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let values = folder.appendingPathComponent("values")
        let filled = Self.histogram.filled
        let lines = filled.map { "\(Histogram.middle(ofBucket: $0.bucket)) \($0.count)" }
        try Data(lines.joined(separator: "\n").utf8).write(to: values)
        let script = """
            import sys
            from hdrh.histogram import HdrHistogram
            h = HdrHistogram(1, 3600000000000, 3)
            for line in open(sys.argv[1]):
                value, count = line.split()
                h.record_value(int(value), int(count))
            for percent in [0, 10, 50, 90, 99, 99.9, 99.99, 100]:
                print("percentile", percent, h.get_value_at_percentile(percent))
            h.output_percentile_distribution(open(sys.argv[2], "wb"), 1.0)
            """
        let distribution = folder.appendingPathComponent("theirs.hgrm")
        let answer = try Tools.run(python, ["-c", script, values.path, distribution.path])
        #expect(answer.status == 0, "\(answer.errors)")
        var compared = 0
        for line in answer.output.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let percent = Double(words[1]), let theirs = UInt64(words[2]) else { continue }
            let ours = try #require(Self.histogram.percentile(percent))
            #expect(Histogram.bucket(of: ours) == Histogram.bucket(of: theirs), "\(percent): \(ours), \(theirs)")
            compared += 1
        }
        #expect(compared == 8)
        // Its levels differ from those of the Java and C implementations, which round. The figures of a level must agree.
        let theirs = rows(try String(contentsOf: distribution, encoding: .utf8))
        #expect(theirs.count > 50)
        for row in theirs {
            let share = try #require(Double(row[1]))
            var seen: UInt64 = 0
            let ours = filled.first { bucket in
                seen += bucket.count
                return Double(seen) >= share * Double(Self.histogram.count)
            }
            let value = try #require(ours.map { Histogram.bounds(ofBucket: $0.bucket).upperBound })
            #expect([Double(value), Double(seen)] == [Double(row[0]), Double(row[2])], "at \(share)")
        }
    }

    /// The lines with figures, without the totals at the end.
    private func rows(_ text: String) -> [[String]] {
        text.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst().map { line in
            line.split(separator: " ").map(String.init)
        }
    }
}
