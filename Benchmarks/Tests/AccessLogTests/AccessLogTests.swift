import BenchmarkKit
import Foundation
import Testing

@testable import AccessLog

@Suite struct AccessLogTests {
    private func lines(_ text: String) -> [String] {
        let log = AccessLog(bytes: Array(text.utf8))
        return log.lines.map { String(decoding: log.bytes[$0], as: UTF8.self) }
    }

    @Test func linesEndInLineFeedsOrWithTheLog() {
        #expect(lines("") == [])
        #expect(lines("a") == ["a"])
        #expect(lines("a\n") == ["a"])
        #expect(lines("a\nb") == ["a", "b"])
        #expect(lines("a\r\nb\r\n") == ["a", "b"])
        #expect(lines("\n\na\n") == ["", "", "a"])
    }

    /// The parts of a log, in any order and through JSON, have the traffic of the whole.
    @Test func trafficIsMerged() throws {
        let log = LogGenerator.log(lines: 2000)
        var parts = Array(repeating: Traffic(), count: 7)
        var newest = Int.min
        for line in log.lines.indices {
            guard let record = log.record(ofLine: line) else {
                parts[line % 7].malformed += 1
                continue
            }
            parts[line % 7].add(record, isLate: record.time < newest)
            newest = max(newest, record.time)
        }
        var merged = Traffic()
        for part in parts.reversed() {
            merged.merge(try JSONDecoder().decode(Traffic.self, from: JSONEncoder().encode(part)))
        }
        #expect(merged == Traffic(of: log))
        #expect(Traffic(of: log).differences(from: merged) == [])
    }

    @Test func aSumThatIsTooLargeIsMerged() {
        var (first, second) = (Traffic(), Traffic())
        first.add(bytes: .max, of: "a")
        second.add(bytes: 1, of: "a")
        #expect(!first.hasOverflowed && !second.hasOverflowed)
        second.merge(first)
        #expect(second.hasOverflowed && second.bytesPerClient == ["a": .max])
        var third = Traffic()
        third.merge(second)
        #expect(third == second)
        #expect(third.differences(from: first) == ["a sum too large: expected true, got false"])
    }

    @Test func whatCannotBeReadIsNamed() {
        let missing = LogError(description: "no log at '/no/such/log'")
        #expect(throws: missing) { try AccessLog(path: "/no/such/log") }
        let folder = LogError(description: "can't read the log '/': it isn't a plain file")
        #expect(throws: folder) { try AccessLog(path: "/") }
    }

    @Test func aLogIsReadFromItsFile() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "corinth-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: file) }
        let made = LogGenerator.log(lines: 50)
        try Data(made.bytes).write(to: file)
        #expect(try AccessLog(path: file.path).bytes == made.bytes)
        let some = try AccessLog(path: file.path, limit: 7)
        #expect(some.lines == Array(made.lines.prefix(7)) && made.bytes.starts(with: some.bytes))
        // A second carriage return belongs to the line.
        try Data("a\r\r\nb\r\n".utf8).write(to: file)
        let log = try AccessLog(path: file.path)
        #expect(log.lines.map { String(decoding: log.bytes[$0], as: UTF8.self) } == ["a\r", "b"])
    }
}

@Suite struct LogGeneratorTests {
    private static let log = LogGenerator.log(lines: 20_000)
    private static let traffic = Traffic(of: log)

    @Test func theSameSeedMakesTheSameLog() {
        #expect(LogGenerator.log(lines: 2000, seed: 4).bytes == LogGenerator.log(lines: 2000, seed: 4).bytes)
        #expect(LogGenerator.log(lines: 2000, seed: 4).bytes != LogGenerator.log(lines: 2000, seed: 5).bytes)
    }

    /// The hash of the log that benchmarks use. With another log, figures can't be compared.
    @Test func theLogOfTheSuiteStaysTheSame() {
        let seed: UInt64 = 14_695_981_039_346_656_037
        let hash = Self.log.bytes.reduce(seed) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        #expect(hash == 14_914_153_314_980_250_211)
    }

    @Test(arguments: [0, 1, 7, 1000])
    func itHasAsManyLinesAsAsked(lines: Int) {
        #expect(LogGenerator.log(lines: lines).lines.count == lines)
    }

    @Test func itHasWhatRealLogsHave() {
        let text = String(decoding: Self.log.bytes, as: UTF8.self)
        #expect(Self.traffic.lines == 20_000)
        #expect((10...400).contains(Self.traffic.malformed))
        #expect((200...4000).contains(Self.traffic.late))
        #expect((50...1000).contains(Self.traffic.serverErrors))
        #expect(Self.traffic.requestsPerMinute.count > 100)
        #expect(Self.traffic.bytesPerClient.count > 500)
        #expect(text.contains(#"\"beta\""#))
        #expect(text.contains("[FBAN/"))
        #expect(text.contains("2001:db8::"))
        #expect(text.contains(".example.net"))
        #expect(text.contains("\" 304 - \"") || text.contains(" - \"http"))
    }

    @Test func itComesInBursts() throws {
        // The busiest minute has many times the requests of the middle one.
        let perMinute = Self.traffic.requestsPerMinute.values.sorted()
        let busiest = try #require(Self.traffic.summary.busiestMinute)
        #expect(busiest.requests > 3 * perMinute[perMinute.count / 2])
    }
}

@Suite struct TrafficTests {
    private func log(_ lines: [(time: String, client: String, status: Int, bytes: String)]) -> AccessLog {
        let text = lines.map { line in
            "\(line.client) - - [17/May/2015:\(line.time) +0000] \"GET /\" \(line.status) \(line.bytes) \"-\" \"-\"\n"
        }
        return AccessLog(bytes: Array((text + ["odd\n"]).joined().utf8))
    }

    @Test func aSmallLog() throws {
        let traffic = Traffic(
            of: log([
                ("10:00:59", "a", 200, "5"), ("10:00:01", "b", 500, "7"), ("10:01:00", "a", 404, "-"),
                ("10:00:58", "a", 503, "1"), ("10:01:00", "c", 200, "6"),
            ]))
        let minute = 1_431_856_800 / 60
        #expect(traffic.requests == 5)
        #expect(traffic.malformed == 1)
        #expect(traffic.lines == 6)
        #expect(traffic.serverErrors == 2)
        #expect(traffic.summary.serverErrorRate == 0.4)
        #expect(traffic.late == 2)
        #expect(traffic.requestsPerMinute == [minute: 3, minute + 1: 2])
        #expect(traffic.bytesPerClient == ["a": 6, "b": 7, "c": 6])
        #expect(traffic.summary.busiestMinute == TrafficSummary.Minute(minute: minute, requests: 3))
        #expect(traffic.summary.topClients.map(\.name) == ["b", "a", "c"])
    }

    @Test func anEmptyLogSaysSo() {
        let traffic = Traffic(of: AccessLog(bytes: []))
        #expect(traffic == Traffic())
        #expect(traffic.summary.serverErrorRate == 0)
        #expect(traffic.summary.busiestMinute == nil)
        #expect(traffic.summary.topClients.isEmpty)
    }

    @Test func differencesAreNamed() {
        var one = Traffic()
        one.add(AccessRecord(client: "a", time: 120_000_000, status: 200, bytes: 5), isLate: false)
        var other = one
        #expect(one.differences(from: other).isEmpty)
        other.late = 1
        other.add(bytes: 3, of: "b")
        #expect(
            one.differences(from: other) == [
                "late lines: expected 0, got 1", "bytes of client b: expected 0, got 3",
            ])
    }

    @Test func linesAreDueAtTheirTimeOverTheSpeed() {
        let log = log([("10:00:00", "a", 200, "1"), ("10:00:10", "a", 200, "1"), ("10:00:05", "a", 200, "1")])
        let schedule = LogSchedule(log, speed: 10)
        // The third is late, and the fourth is malformed. Both follow the second.
        #expect(schedule.dueNanoseconds == [0, 1_000_000_000, 1_000_000_000, 1_000_000_000])
        #expect(schedule.seconds == 1)
        #expect(LogSchedule(AccessLog(bytes: []), speed: 1).seconds == 0)
    }
}
