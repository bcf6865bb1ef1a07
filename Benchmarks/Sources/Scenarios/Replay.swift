public import AccessLog
public import BenchmarkKit
import Corinth

/// `replay`: sends the lines of an access log through a realistic graph.
///
///     lines ─ parse ┬ malformed ──────────────────────────────┐
///                   └ requests ┬ minute ──────────────────────┤
///                              ├ status ≥ 500 ────────────────┼ merge ─ hop ─ sink
///                              ├ newest time (scan) ─ late ───┤
///                              └ client and bytes ────────────┘
///
/// The latency of a line starts when the line is sent, or due, and ends when the sink has received all of its results.
public enum Replay {
    /// As fast as possible.
    static let flatOut = ScenarioEntry(
        "replay",
        unit: "ns/line",
        sampleMilliseconds: 20,
        isThreaded: true,
        direct: { ReplayDirect(try ReplaySource($0)) },
        library: { ReplayCorinth(try ReplaySource($0)) })

    /// At a multiple of the log's own speed. Each line is sent when it is due, whether or not the earlier ones are processed.
    ///
    /// Not in the catalogue, because its duration depends on the log.
    public static let paced = ScenarioEntry(
        "replay/paced",
        unit: "ns/line, p99",
        measure: .latency(percentile: 99),
        isThreaded: true,
        direct: { ReplayDirect(try ReplaySource($0)) },
        library: { ReplayCorinth(try ReplaySource($0)) })

    /// The log of `settings`.
    public static func log(_ settings: Settings) throws -> AccessLog {
        if let path = settings.logPath {
            return try AccessLog(path: path, format: settings.logFormat, limit: settings.timedLines)
        }
        return LogGenerator.log(lines: settings.generatedLines)
    }
}

/// The settings of the command `replay`.
extension Settings {
    /// The log to read; nil for a generated one.
    public var logPath: String? {
        get { values["logPath"] }
        set { values["logPath"] = newValue }
    }

    /// The name of the format of the log, or a format string; nil for what its lines have.
    public var logFormat: String? {
        get { values["logFormat"] }
        set { values["logFormat"] = newValue }
    }

    /// How many lines of a log are played.
    public var timedLines: Int {
        get { values["timedLines"].flatMap { Int($0) } ?? .max }
        set { values["timedLines"] = "\(newValue)" }
    }

    /// How many lines a generated log has.
    public var generatedLines: Int {
        get { values["generatedLines"].flatMap { Int($0) } ?? ReplayOptions.defaultLines }
        set { values["generatedLines"] = "\(newValue)" }
    }

    /// How many times the log's own speed to play at; nil for as fast as possible.
    public var speed: Double? {
        get { values["speed"].flatMap { Double($0) } }
        set { values["speed"] = newValue.map { "\($0)" } }
    }
}

/// The log, its schedule and the expected result.
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

    /// Calls `body` with each line when it is due, and with the time at which its latency starts.
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
            // The due time: if earlier lines delay this one, its latency contains the delay.
            body(line, due)
        }
    }

    /// The number of times that a run of `events` lines plays the log.
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
