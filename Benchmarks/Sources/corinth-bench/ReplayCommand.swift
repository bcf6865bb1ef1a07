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
            The format is the known one that most lines have, or a format string of Apache (LogFormat) or nginx (log_format)
            with a client, a time and a status. Further fields may follow. The exit status is 1 if more than half of the
            lines are malformed.

            With --nats, one process publishes the lines to a NATS server with JetStream, worker processes aggregate them, and
            nothing is timed on other sides. The exit status is 1 if the merged result isn't that of a plain loop. Of the other
            options, those of the log, --speed, --yes, --json and --color go with it.
            """,
        options: ReplayOptions.log + ReplayOptions.analysis + ReplayOptions.pace + ReplayOptions.distributed + [.color]
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
        try checkCombinations(speed)
        let file = try arguments["--log"].map { try InputFile($0) }
        var settings = Settings(spin: .calibrated())
        settings.logPath = file?.path
        settings.speed = speed
        settings.logFormat = arguments["--format"]
        settings.timedLines = try ReplayOptions.timed(arguments)
        if let lines { settings.generatedLines = lines }
        let (traffic, format) = try analysed(settings)
        // The builds read the lines as this does, and needn't ask them again.
        if file != nil { settings.logFormat = format.name }
        // Before anything is printed, it is known whether the log can be played.
        let seconds = try speed.map { try playingTime(settings, at: $0) }
        let text = AnalysisText(traffic, format)
        let terminal = Terminal(arguments)
        // What is in the log comes first, so that a wrong format is seen before it is timed.
        if file != nil { print(terminal.wrapped(text.formatText) + "\n") }
        print(TrafficText.text(of: text.summary))
        if let malformed = TrafficText.malformed(traffic) { print("\n" + terminal.wrapped(malformed, indent: 4)) }
        if arguments.has("--analyse") { return try finishAnalysis(traffic, text, terminal) }
        var measurement = try withExtendedLifetime(file) { try measured(traffic, seconds, settings) }
        measurement.report.results = text.json()
        if let scenario = measurement.report.scenarios.first {
            print("\nBoth builds and a plain loop have the same result.")
            print("\n" + terminal.wrapped(performance(scenario, speed, terminal)))
        }
        let status = try measurement.finish(arguments)
        return max(status, complainOfMalformed(traffic))
    }

    /// How long playing the log takes on each side, in seconds.
    private func playingTime(_ settings: Settings, at speed: Double) throws -> Double {
        let seconds = LogSchedule(try Replay.log(settings), speed: speed).seconds
        try ReplayOptions.check(seconds, at: speed, days: 30, " on each of three sides", arguments)
        return seconds
    }

    private func complainOfMalformed(_ traffic: LogAnalysis) -> Int32 {
        guard 2 * traffic.malformed > traffic.lines else { return 0 }
        BenchmarkTool.complain("more than half of the lines are malformed; --format describes the lines")
        return 1
    }

    private func checkCombinations(_ speed: Double?) throws {
        if speed != nil, arguments.has("--samples") {
            throw UsageError("--samples and --speed N exclude each other: each build plays the log once")
        }
        let isAnalysis = arguments.has("--analyse")
        for name in ["--html", "--hgrm"] where arguments.has(name) && !isAnalysis {
            throw UsageError("\(name) needs --analyse")
        }
        let timing = OptionDescription.measuring.map(\.name).filter { $0 != "--json" && $0 != "--alternative" }
        for name in ["--timed", "--speed", "--yes"] + timing where arguments.has(name) && isAnalysis {
            throw UsageError("\(name) is for timing; with --analyse nothing is timed, so leave it out")
        }
        for name in ["--html", "--hgrm"] { if let path = arguments[name] { try TextFile.check(path) } }
    }

    /// The traffic of the whole log, and the format of its lines.
    private func analysed(_ settings: Settings) throws -> (LogAnalysis, LogFormat) {
        do {
            guard let path = settings.logPath else {
                return (LogAnalysis(of: try Replay.log(settings).bytes, .combined), .combined)
            }
            return try LogPipeline.analyse(path: path, format: settings.logFormat)
        } catch let error as LogError {
            throw UsageError(Printable.text(error.description))
        }
    }

    /// Shows and writes what the log says of latencies.
    private func finishAnalysis(_ traffic: LogAnalysis, _ text: AnalysisText, _ terminal: Terminal) throws -> Int32 {
        if let latencies = text.latencies(terminal) {
            print("\n" + latencies)
        } else {
            BenchmarkTool.complain(
                "no latency is in the lines, or in the format; --format names its field, such as $request_time")
        }
        if let path = arguments["--html"] { try TextFile.write(text.html(), to: path) }
        if let path = arguments["--hgrm"] {
            try TextFile.write(HistogramText.text(of: traffic.latencies ?? Histogram()), to: path)
        }
        var measurement = Measurement.ofNothing(tool)
        measurement.report.results = text.json()
        return max(try measurement.finish(arguments), complainOfMalformed(traffic))
    }

    /// - Parameter seconds: How long playing the log takes on each side; nil for as fast as possible.
    private func measured(_ traffic: LogAnalysis, _ seconds: Double?, _ settings: Settings) throws -> Measurement {
        guard traffic.requests > 0, 2 * traffic.malformed <= traffic.lines else { return .ofNothing(tool) }
        let count = min(traffic.lines, settings.timedLines)
        if count < traffic.lines {
            let (some, all) = (Figures.grouped(count), Figures.grouped(traffic.lines))
            BenchmarkTool.complain("the first \(some) of \(all) lines are timed; --timed all times all")
        }
        if let seconds {
            let duration = Figures.duration(nanoseconds: seconds * 1e9)
            BenchmarkTool.complain("playing the log takes \(duration) on each of three sides")
            return try .timed(
                [Replay.paced], arguments, tool, settings: settings, samples: 1, singly: true,
                extraTimeoutSeconds: 2 * seconds)
        }
        guard count >= Self.fewestLines else {
            let fewest = Figures.grouped(Self.fewestLines)
            BenchmarkTool.complain("a log of \(count) lines is too short to be timed; \(fewest) are enough")
            return .ofNothing(tool)
        }
        return try .timed([AllScenarios.replay], arguments, tool, settings: settings)
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
