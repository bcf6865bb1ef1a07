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
        "send an Apache access log through a graph and show its traffic, throughput and latency",
        options: [
            OptionDescription(
                "--log", "FILE", "the log, in the combined format (default: a generated log)", completion: .file),
            OptionDescription("--speed", "N|max", "N times the log's own speed, or as fast as possible (default)"),
            OptionDescription("--lines", "N", "the number of lines of a generated log (default 20000)"),
        ] + OptionDescription.measuring)

    let tool: BenchmarkTool
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let speed = try speed()
        let lines = try arguments.count("--lines", "a number of lines")
        if arguments.has("--log"), lines != nil {
            throw UsageError("--lines is for a generated log and excludes --log")
        }
        if speed != nil, arguments.has("--samples") {
            throw UsageError("--samples and --speed N exclude each other: each build plays the log once")
        }
        var settings = Settings(spin: .calibrated())
        settings.logPath = arguments["--log"]
        settings.speed = speed
        if let lines { settings.generatedLines = lines }
        let log = try Replay.log(settings)
        let measurement: Measurement
        if let speed {
            let seconds = LogSchedule(log, speed: speed).seconds
            let longest = 30.0 * 86_400
            guard seconds <= longest else {
                throw UsageError("--speed \(speed) would take more than 30 days; use a higher speed")
            }
            BenchmarkTool.complain(
                "playing the log takes \(Figures.duration(nanoseconds: seconds * 1e9)) on each of three sides")
            measurement = try .timed(
                [Replay.paced], arguments, tool, settings: settings, samples: 1, singly: true,
                extraTimeoutSeconds: 2 * seconds)
        } else {
            measurement = try .timed([AllScenarios.replay], arguments, tool, settings: settings)
        }
        print(TrafficText.text(of: Traffic(of: log)))
        if let scenario = measurement.report.scenarios.first {
            print("\nBoth builds and a plain loop have the same result.")
            if !log.lines.isEmpty { print("\n" + performance(scenario, speed)) }
        }
        return try measurement.finish(arguments)
    }

    /// The multiple of the log's own speed; nil for as fast as possible.
    private func speed() throws -> Double? {
        guard let text = arguments["--speed"], text != "max" else { return nil }
        guard let speed = Double(text), speed > 0, speed.isFinite else {
            throw UsageError("--speed is a number above 0 or 'max', not '\(text)'")
        }
        return speed
    }

    private func performance(_ scenario: ScenarioReport, _ speed: Double?) -> String {
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
        var text = table.text()
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
