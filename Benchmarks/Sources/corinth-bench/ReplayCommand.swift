import AccessLog
import BenchmarkKit
import Scenarios

/// `replay`: analyses a log, and measures both builds on it.
struct ReplayCommand {
    static let asExtension = BenchmarkTool.Extension(description) { tool, arguments in
        try ReplayCommand(tool: tool, arguments: arguments).run()
    }

    static let description = CommandDescription(
        "replay",
        "send an access log through a graph and show its traffic, throughput and latency",
        details: """
            The format is combined or common, whichever the lines have, or a format string of Apache (LogFormat) or nginx
            (log_format) with a client, a time and a status. Further fields may follow. The exit status is 1 if more than
            half of the lines are malformed.

            With --nats, one process publishes the lines to a NATS server with JetStream, worker processes aggregate them, and
            nothing is timed on other sides. The exit status is 1 if the merged result isn't that of a plain loop. Of the other
            options, those of the log, --speed, --yes, --json and --color go with it.
            """,
        options: ReplayOptions.log + ReplayOptions.pace + ReplayOptions.distributed + [.color]
            + OptionDescription.measuring)

    let tool: BenchmarkTool
    let arguments: ParsedArguments

    /// A log with fewer lines isn't timed: the figures would be those of starting and stopping.
    static let fewestLines = 1000

    func run() throws -> Int32 {
        if arguments.has("--nats") { throw UsageError("--nats needs Benchmarks/run, which builds the program for it") }
        for option in ReplayOptions.distributed where arguments.has(option.name) {
            throw UsageError("\(option.name) needs --nats")
        }
        let speed = try ReplayOptions.speed(arguments)
        let lines = try ReplayOptions.generatedLines(arguments)
        if speed != nil, arguments.has("--samples") {
            throw UsageError("--samples and --speed N exclude each other: each build plays the log once")
        }
        let file = try arguments["--log"].map { try InputFile($0) }
        var settings = Settings(spin: .calibrated())
        settings.logPath = file?.path
        settings.speed = speed
        if let lines { settings.generatedLines = lines }
        settings.logFormat = try format(settings)
        let log = try Replay.log(settings)
        if let speed {
            let seconds = LogSchedule(log, speed: speed).seconds
            try ReplayOptions.check(seconds, at: speed, days: 30, " on each of three sides", arguments)
        }
        let traffic = Traffic(of: log)
        let terminal = Terminal(arguments)
        // What is in the log comes first, so that a wrong format is seen before it is timed.
        print(TrafficText.text(of: traffic))
        if let malformed = try TrafficText.malformed(log) { print("\n" + terminal.wrapped(malformed, indent: 4)) }
        var measurement = try withExtendedLifetime(file) { try measured(log, traffic, speed, settings) }
        measurement.report.results = TrafficText.json(of: traffic)
        if let scenario = measurement.report.scenarios.first {
            print("\nBoth builds and a plain loop have the same result.")
            print("\n" + terminal.wrapped(performance(scenario, speed, terminal)))
        }
        let status = try measurement.finish(arguments)
        guard 2 * traffic.malformed > traffic.lines else { return status }
        BenchmarkTool.complain("more than half of the lines are malformed; --format describes the lines")
        return max(1, status)
    }

    /// The format string; nil for the combined format.
    private func format(_ settings: Settings) throws -> String? {
        guard let path = settings.logPath else { return nil }
        do {
            return try AccessLog.format(arguments["--format"], ofLogAt: path)
        } catch let error as LogError {
            throw UsageError(Printable.text(error.description))
        }
    }

    private func measured(
        _ log: AccessLog,
        _ traffic: Traffic,
        _ speed: Double?,
        _ settings: Settings
    ) throws -> Measurement {
        guard traffic.requests > 0, 2 * traffic.malformed <= traffic.lines else { return .ofNothing(tool) }
        guard let speed else {
            guard traffic.lines >= Self.fewestLines else {
                let fewest = Figures.grouped(Self.fewestLines)
                BenchmarkTool.complain("a log of \(traffic.lines) lines is too short to be timed; \(fewest) are enough")
                return .ofNothing(tool)
            }
            return try .timed([AllScenarios.replay], arguments, tool, settings: settings)
        }
        let seconds = LogSchedule(log, speed: speed).seconds
        let duration = Figures.duration(nanoseconds: seconds * 1e9)
        BenchmarkTool.complain("playing the log takes \(duration) on each of three sides")
        return try .timed(
            [Replay.paced], arguments, tool, settings: settings, samples: 1, singly: true,
            extraTimeoutSeconds: 2 * seconds)
    }

    private func performance(_ scenario: ScenarioReport, _ speed: Double?, _ terminal: Terminal) -> String {
        let percentiles = ["50", "90", "99", "99.9", "99.99", "100"]
        var table = Table(
            ["build", "lines/s", "alloc/line", "p50", "p90", "p99", "p99.9", "p99.99", "max"])
        for build in AllScenarios.builds.all {
            guard let figures = scenario.builds[build.rawValue] else { continue }
            let isRate = speed == nil
            let rate = isRate ? Figures.grouped(Int(1e9 / figures.median)) : "–"
            let counted = isRate ? Figures.perEvent(figures.allocationsPerEvent) : "–"
            let latencies = percentiles.map { percent in
                figures.percentiles?[percent].map { Figures.duration(nanoseconds: Double($0)) } ?? "–"
            }
            table.add([build.rawValue, rate, counted] + latencies)
        }
        var text = table.fitted(to: terminal.width, expendable: ["p90", "p99.99"]).table.text()
        if let speed {
            let pace = "\(Figures.number(speed)) times the log's speed"
            text += "\n\nLatency starts when a line is due at \(pace)."
        } else {
            text += "\n\nLatency starts when a line is sent. At full speed, a line waits for the lines before it."
            text += "\nnaive/lockfree: \(Figures.ratio(scenario.ratios["naive/lockfree"])), time per line"
        }
        return text
    }
}
