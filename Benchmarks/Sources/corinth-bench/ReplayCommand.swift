import AccessLog
import BenchmarkKit
import Scenarios

/// `replay`: what a log says, and how fast both builds find out.
struct ReplayCommand {
    let options: ReplayOptions

    func run() throws -> Int32 {
        var settings = Settings(spin: .calibrated(), logPath: options.log, speed: options.speed)
        if let lines = options.lines { settings.generatedLines = lines }
        let log = try Replay.log(settings)
        let runner: Runner
        let entry: ScenarioEntry
        if let speed = options.speed {
            let seconds = LogSchedule(log, speed: speed).seconds
            let longest = 30.0 * 86_400
            guard seconds <= longest else {
                throw UsageError("--speed \(speed) would take more than 30 days; try a higher one")
            }
            complain("playing takes \(Figures.duration(nanoseconds: seconds * 1e9)) on each of three sides")
            entry = Replay.paced
            runner = try Runner(options.run, settings, samples: 1, patienceSeconds: 2 * seconds)
        } else {
            entry = AllScenarios.replay
            runner = try Runner(options.run, settings)
        }
        let scenarios = runner.suite.run([entry], singly: options.speed != nil)
        print(TrafficText.text(of: Traffic(of: log)))
        if let scenario = scenarios.first {
            print("\nBoth builds and a plain loop found the same.")
            if !log.lines.isEmpty { print("\n" + performance(scenario)) }
        }
        return try runner.finish(scenarios)
    }

    private func performance(_ scenario: ScenarioReport) -> String {
        let percentiles = ["50", "90", "99", "99.9", "99.99", "100"]
        var table = Table(
            ["build", "lines/s", "alloc/line", "p50", "p90", "p99", "p99.9", "p99.99", "max"])
        for build in Build.allCases {
            guard let figures = scenario.builds[build.rawValue] else { continue }
            let isRate = options.speed == nil
            let rate = isRate ? Figures.grouped(Int(1e9 / figures.median)) : "–"
            let counted = isRate ? Figures.perEvent(figures.allocationsPerEvent) : "–"
            let latencies = percentiles.map { percent in
                figures.percentiles?[percent].map { Figures.duration(nanoseconds: Double($0)) } ?? "–"
            }
            table.add([build.rawValue, rate, counted] + latencies)
        }
        var text = table.text()
        if let speed = options.speed {
            let pace = "\(Figures.number(speed)) times the log's speed"
            text += "\n\nLatency counts from when a line was due at \(pace)."
        } else {
            text += "\n\nLatency counts from when a line was sent; flat out, it waits for those before it."
            text += "\nnaive/lockfree: \(Figures.ratio(scenario.ratios["naive/lockfree"])), time per line"
        }
        return text
    }
}
