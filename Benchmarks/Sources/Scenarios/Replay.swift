public import AccessLog
public import BenchmarkKit
import Corinth

/// `replay`: a line of an access log on its way through a graph as one would write it.
///
///     lines ─ parse ┬ malformed ──────────────────────────────┐
///                   └ requests ┬ minute ──────────────────────┤
///                              ├ status ≥ 500 ────────────────┼ merge ─ hop ─ sink
///                              ├ newest time (scan) ─ late ───┤
///                              └ client and bytes ────────────┘
///
/// The latency of a line is from when it was sent, or should have been, until the sink had all that it leads to.
public enum Replay {
    /// As fast as it goes.
    static let flatOut = ScenarioEntry(
        "replay",
        unit: "ns/line",
        sampleMilliseconds: 20,
        isThreaded: true,
        direct: { ReplayDirect(try ReplaySource($0)) },
        corinth: { ReplayCorinth(try ReplaySource($0)) })

    /// At a multiple of the log's own speed, each line at its time whether or not the ones before it are done.
    ///
    /// Not in the catalogue: it takes as long as the log says.
    public static let paced = ScenarioEntry(
        "replay/paced",
        unit: "ns/line, p99",
        measure: .latency(percentile: 99),
        isThreaded: true,
        direct: { ReplayDirect(try ReplaySource($0)) },
        corinth: { ReplayCorinth(try ReplaySource($0)) })

    /// The log that `settings` name.
    public static func log(_ settings: Settings) throws -> AccessLog {
        if let path = settings.logPath { return try AccessLog(path: path) }
        return LogGenerator.log(lines: settings.generatedLines)
    }
}

/// What is replayed, and what must come out.
struct ReplaySource {
    let log: AccessLog
    let schedule: LogSchedule?
    let expected: Traffic

    init(_ settings: Settings) throws {
        try self.init(Replay.log(settings), speed: settings.speed)
    }

    init(_ log: AccessLog, speed: Double? = nil) {
        self.log = log
        schedule = speed.map { LogSchedule(log, speed: $0) }
        expected = Traffic(of: log)
    }

    /// Calls `body` with each line when it is due, and with the time from which its latency counts.
    @inline(__always)
    func play(_ body: (_ line: Int, _ sentAt: UInt64) -> Void) {
        guard let schedule else {
            for line in log.lines.indices { body(line, Clock.now()) }
            return
        }
        let start = Clock.now()
        for line in log.lines.indices {
            let due = start + schedule.dueNanoseconds[line]
            Clock.wait(until: due)
            // The time that was intended: a line that goes out late because the ones before it held things up
            // has that in its latency.
            body(line, due)
        }
    }

    /// How many times the log is played in a run of `events` lines.
    func rounds(events: Int) -> Int {
        events / max(1, log.lines.count)
    }

    func verify(_ traffic: Traffic) throws {
        if let difference = expected.differences(from: traffic).first {
            throw CheckFailure(difference)
        }
    }
}

/// The same records and aggregates in a plain loop, without a hop.
private final class ReplayDirect: Scenario {
    private let source: ReplaySource
    private var traffic = Traffic()
    private var latencies = Histogram()

    init(_ source: ReplaySource) {
        self.source = source
    }

    var granularity: Int { max(1, source.log.lines.count) }

    func run(events: Int) {
        for _ in 0..<source.rounds(events: events) {
            var traffic = Traffic()
            var newest = Int.min
            source.play { line, sentAt in
                if let record = source.log.record(ofLine: line) {
                    traffic.add(record, isLate: record.time < newest)
                    newest = max(newest, record.time)
                } else {
                    traffic.malformed += 1
                }
                latencies.record(Clock.now() - sentAt)
            }
            self.traffic = traffic
        }
    }

    func verify() throws {
        try source.verify(traffic)
    }

    func takeLatencies() -> Histogram? {
        defer { latencies.reset() }
        return latencies
    }
}
