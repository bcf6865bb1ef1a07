import BenchmarkKit
import Foundation
import Testing

@testable import AccessLog

@Suite struct LogAnalysisTests {
    private static let format = "$remote_addr $msec $status $body_bytes_sent $request_time \"$request\""

    private func analysis(_ lines: [String]) throws -> LogAnalysis {
        LogAnalysis(of: Array(lines.joined(separator: "\n").utf8), try LogFormat(Self.format, start: []))
    }

    private func line(
        _ client: String = "a", _ time: Double = 60, status: Int = 200, latency: Double = 0.01,
        _ request: String = "GET /"
    ) -> String {
        "\(client) \(time) \(status) 5 \(latency) \"\(request)\""
    }

    /// Cut anywhere, the parts have the analysis of the whole, and that has the figures of a plain loop.
    @Test(arguments: [UInt64(1), 2])
    func partsHaveTheAnalysisOfTheWhole(seed: UInt64) throws {
        let log = LogGenerator.log(lines: 3000, seed: seed)
        let whole = LogAnalysis(of: log.bytes, .combined)
        #expect(whole.summary == Traffic(of: log).summary)
        #expect(whole.summary.late > 0 && whole.summary.malformed > 0)
        for step in [1, 7, 500] {
            var parts = LogAnalysis()
            for start in stride(from: 0, to: log.lines.count, by: step) {
                let lines = log.lines[start..<min(start + step, log.lines.count)]
                let bytes = log.bytes[lines.first!.lowerBound..<min(lines.last!.upperBound + 1, log.bytes.count)]
                parts.append(LogAnalysis(of: Array(bytes), .combined))
            }
            #expect(parts.summary == whole.summary)
            #expect(TrafficText.malformed(parts) == TrafficText.malformed(whole))
            // Only whether they are the same: they are long.
            let isSame = AnalysisText(parts, .combined).json() == AnalysisText(whole, .combined).json()
            #expect(isSame)
        }
    }

    @Test func latenciesAreCountedByTimeAndRoute() throws {
        let log = try analysis([
            line("a", 60, latency: 0.010, "GET /items/7?x HTTP/1.1"),
            line("b", 61, latency: 0.030, "GET /items/8 HTTP/1.1"),
            line("a", 130, status: 503, latency: 2, "POST /pay HTTP/1.1"),
            line("a", 131, status: 404, latency: 0.001, "-"),
        ])
        #expect(log.latencies?.count == 4 && log.latencies?.maximum == 2_000_000_000)
        #expect(log.spans.spans.mapValues(\.requests) == [1: 2, 2: 2])
        let routes = Dictionary(
            uniqueKeysWithValues: log.routes.map { (String(decoding: $0.key, as: UTF8.self), $0.value) })
        #expect(routes.mapValues(\.requests) == ["GET /items/*": 2, "POST /pay": 1, "-": 1])
        #expect(routes["POST /pay"]?.serverErrors == 1)
        #expect(routes["GET /items/*"]?.latencies.maximum == 30_000_000)
        #expect(log.slowest.map(\.line) == [3, 2, 1, 4])
        #expect(log.slowest[0].request == "POST /pay")
    }

    @Test func theSlowestComeFirstAndTheEarlierOfEqualOnes() throws {
        var log = LogAnalysis()
        for part in 0..<5 { log.append(try analysis((0..<20).map { line("a", 60, latency: Double($0 + part) / 100) })) }
        let all = (0..<100).map { line in (latency: line % 20 + line / 20, line: line + 1) }
        let expected = all.sorted { $0.latency == $1.latency ? $0.line < $1.line : $0.latency > $1.latency }.prefix(10)
        #expect(log.slowest.map(\.line) == expected.map(\.line))
        #expect(log.slowest.map(\.latency) == expected.map { $0.latency * 10_000_000 })
    }

    /// Whatever a log has, the memory is bounded, and what is left out is said.
    @Test func limitsAreSaid() throws {
        var log = LogAnalysis()
        for part in 0..<25 {
            let lines = (0..<1000).map { index in
                let number = part * 1000 + index
                return line("a", Double(number * 60), latency: 4000, "GET /\(number)x HTTP/1.1")
            }
            log.append(try analysis(lines))
        }
        #expect(log.routes.count == LogAnalysis.Limits.routes)
        #expect(log.spans.count <= LogAnalysis.Limits.spans && log.spans.width == 5)
        #expect(log.spans.spans.values.map(\.requests).reduce(0, +) == 25_000)
        let remarks = log.summary.remarks
        #expect(remarks.contains("there are more than 10,000 minutes: spans of 5 minutes are counted as one"))
        #expect(remarks.contains("there are more than 2,000 routes: 23,000 requests to others are counted together"))
        #expect(remarks.contains("25,000 latencies of more than an hour count as an hour in percentiles"))
    }

    /// So is the memory of long lines: routes are counted by their names up to a length, and no client has a longer one.
    @Test func longNamesAreSaid() throws {
        let long = String(repeating: "x", count: LogAnalysis.Limits.routeLength)
        let paths = ["/a", "/\(long)", "/\(long)", "/b/\(long)?q", "/a?q=\(long)"]
        var log = try analysis(paths.map { line("a", 60, latency: 1, "GET \($0) HTTP/1.1") })
        log.append(try analysis([line("a", 60, latency: 1, "GET /c\(long) HTTP/1.1")]))
        #expect(log.routes.mapValues(\.requests) == [Array("GET /a".utf8): 2])
        #expect(log.otherRoutes.requests == 4 && log.requests == 6)
        #expect(log.summary.remarks == ["4 requests to routes of more than 1,000 bytes are counted together"])
        let host = Array(String(repeating: "h", count: 254).utf8)
        #expect(AccessRecord.isClient(host[1...]) && !AccessRecord.isClient(host[...]))
    }

    /// The bytes of a client are at most as wrong as it is said.
    @Test func clientsThatAreLeftOut() {
        var generator = SeededGenerator(seed: 3)
        var (clients, exact) = (ClientBytes(limit: 50), [String: Int]())
        for _ in 0..<5 {
            var part = ClientBytes(limit: 50)
            for _ in 0..<400 {
                let client = "c\(Int.random(in: 0..<300, using: &generator))"
                let bytes = Int.random(in: 0..<100, using: &generator) * (client == "c7" ? 1000 : 1)
                part.add(bytes, of: client)
                exact[client, default: 0] += bytes
            }
            clients.merge(part)
        }
        #expect(clients.lost > 0 && clients.top.count == 10 && clients.top[0].name == "c7")
        for client in clients.top {
            let all = exact[client.name] ?? 0
            #expect(client.bytes <= all && client.bytes + clients.lost >= all)
        }
        var few = ClientBytes(limit: 50)
        for number in 0..<100 { few.add(number, of: "\(number)") }
        #expect(few.lost == 0)
    }

    @Test func textJSONAndPageShowTheSame() throws {
        let format = try LogFormat(Self.format, start: [])
        let log = try analysis([line("a", 60, latency: 0.5, "GET /<b>\u{1B} HTTP/1.1"), line("b", 7200, latency: 0.02)])
        let text = AnalysisText(log, format)
        let shown = try #require(text.latencies(Terminal(width: 80)))
        #expect(shown.contains("500 ms") && shown.contains("≥ 500 ms") && shown.contains("GET /<b>\\u{1b}"))
        #expect(!shown.contains("\u{1B}") && shown.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let page = text.html()
        #expect(page.contains("<svg") && page.contains("500 ms") && page.contains("GET /&lt;b&gt;"))
        #expect(!page.contains("GET /<b>") && !page.contains("http://") && !page.contains("https://"))
        guard case .object(let results) = text.json(), case .array(let slowest) = results["slowest"],
            case .object(let first) = slowest.first
        else { throw CheckFailure("no slowest requests") }
        #expect(first["latency"] == .integer(500_000_000) && first["line"] == .integer(1))
        #expect(AnalysisText(LogAnalysis(), .combined).latencies(Terminal()) == nil)
        #expect(!AnalysisText(LogAnalysis(), .combined).html().contains("<svg"))
    }

    /// Milliseconds are often rounded to 0. Nothing is shown between that and the first band.
    @Test func bandsReachFromTheLeastToTheMost() {
        func bands(_ latencies: [Int]) -> LatencyBands {
            var group = LogAnalysis.Group()
            for latency in latencies { group.latencies.record(latency) }
            return LatencyBands([group])
        }
        #expect(bands([]).rows == ["0"] && bands([0]).counts == [[1]])
        #expect(bands([2_000_000, 9_000_000]).rows == ["≥ 2 ms", "≥ 5 ms"])
        let rounded = bands([0, 0, 1_000_000, 7_000_000])
        #expect(rounded.rows == ["< 1 ms", "≥ 1 ms", "≥ 2 ms", "≥ 5 ms"] && rounded.counts == [[2, 1, 0, 1]])
    }

    @Test func aStreamHasWholeLines() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "corinth-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: file) }
        for text in ["", "a", "a\n", "a\nbb\nccc", "\n\n", String(repeating: "long", count: 50) + "\nb\n"] {
            try Data(text.utf8).write(to: file)
            for size in [1, 2, 3, 1000] {
                let stream = try LogStream(path: file.path, size: size)
                var found: [[UInt8]] = []
                while let chunk = try stream.next() { found.append(chunk) }
                #expect(found.flatMap { $0 } == Array(text.utf8))
                #expect(found.dropLast().allSatisfy { $0.last == 10 })
            }
        }
        try Data([0xEF, 0xBB, 0xBF, 97, 10]).write(to: file)
        #expect(try LogStream(path: file.path, size: 1).next() == [97, 10])
    }
}

@Suite struct RouteTests {
    @Test(arguments: [
        ("GET /a/b?c=d HTTP/1.1", "GET /a/b"), ("GET /users/42/posts/7 HTTP/1.1", "GET /users/*/posts/*"),
        ("GET /f/0b7a2c1e-9d3f-4d2a-8f6e-1c2d3e4f5a6b HTTP/2", "GET /f/*"),
        ("GET /cafe/facade/v1/a1 HTTP/1.1", "GET /cafe/facade/v1/a1"),
        ("GET https://example.org:443/x/1?y HTTP/1.1", "GET /x/*"), ("GET https://example.org HTTP/1.1", "GET "),
        ("-", "-"),
        ("GET /a//b/ HTTP/1.1", "GET /a//b/"), ("GET /x#1 HTTP/1.1", "GET /x"),
        ("GET /deadbeef99/x HTTP/1.1", "GET /*/x"),
        ("", ""), ("CONNECT example.org:443 HTTP/1.1", "CONNECT example.org:443"), ("GET", "GET"),
    ])
    func routes(request: String, route: String) throws {
        let text = "h - - [17/May/2015:10:05:03 +0000] \"\(request)\" 200 1"
        let bytes = Array(text.utf8)
        let record = try #require(LogFormat.common.record(bytes, bytes.indices))
        var found: [UInt8] = [1, 2, 3]
        Route.write(record, in: bytes, to: &found)
        #expect(String(decoding: found, as: UTF8.self) == route)
    }
}

@Suite struct LatencyCountsTests {
    /// Percentiles are at most 0.8 % off, in any order, and merged.
    @Test(arguments: [UInt64(1), 2, 3])
    func percentilesAreNear(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let values = (0..<2000).map { _ in
            Int(exp(Double.random(in: 0..<30, using: &generator)))
        }
        var (one, other) = (LatencyCounts(), LatencyCounts())
        for (index, value) in values.enumerated() {
            if index % 3 == 0 { one.record(value) } else { other.record(value) }
        }
        one.merge(other)
        let sorted = values.sorted()
        #expect(one.count == 2000 && one.maximum == sorted.last && one.percentile(100) == sorted.last)
        #expect(one.sum == values.reduce(0, +))
        for percent in [0.0, 1, 50, 90, 99, 99.9] {
            let exact = Double(sorted[max(0, Int((percent / 100 * 2000).rounded(.up)) - 1)])
            let found = Double(try #require(one.percentile(percent)))
            #expect(abs(found - exact) <= 0.008 * exact + 0.5, "p\(percent): \(found), not \(exact)")
        }
    }

    @Test func bandsCountAll() {
        var counts = LatencyCounts()
        for value in [0, 5, 99, 100, 101, 5000, .max] { counts.record(value) }
        #expect(counts.bands([100, 1000]) == [3, 2, 2])
        #expect(LatencyCounts().bands([1]) == [0, 0] && LatencyCounts().percentile(50) == nil)
        #expect(counts.maximum == .max && counts.sum == .max)
    }
}
