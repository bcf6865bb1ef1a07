import Foundation

@testable import BenchmarkKit

/// Synthetic reports.
enum SampleReports {
    /// The behaviour of a synthetic machine.
    struct Behaviour: Sendable, CustomStringConvertible {
        var description: String
        /// The standard deviation of a sample.
        var noise: Double
        /// The standard deviation between processes of one executable.
        var processNoise: Double
        /// The probability that a sample is interrupted and takes twice as long.
        var interruptions: Double
        /// The probability, from one scenario to the next, that the machine changes between full and half speed.
        var swings: Double
        /// How unequally a slow machine slows down the sides of a scenario.
        var unevenness: Double
        /// Whether the machine begins slow; nil for a random choice.
        var isSlowAtFirst: Bool?

        static let quiet = Behaviour(
            description: "quiet", noise: 0.03, processNoise: 0.01, interruptions: 0.02, swings: 0, unevenness: 0,
            isSlowAtFirst: false)
        static let usual = Behaviour(
            description: "usual", noise: 0.05, processNoise: 0.02, interruptions: 0.05, swings: 0.005,
            unevenness: 0.02)
        static let swinging = Behaviour(
            description: "swinging", noise: 0.08, processNoise: 0.04, interruptions: 0.05, swings: 0.02,
            unevenness: 0.08)
    }

    /// A timed run. `slowed` has factors by scenario, for the builds of the library.
    static func run(
        seed: UInt64,
        scenarios: Int,
        samples: Int = 40,
        slowed: [String: Double] = [:],
        _ behaviour: Behaviour = .usual
    ) -> Report {
        var generator = SeededGenerator(seed: seed)
        func normal(_ generator: inout SeededGenerator) -> Double {
            // The Box–Muller transform.
            let radius = (-2 * log(Double.random(in: 0.000_001...1, using: &generator))).squareRoot()
            return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
        }
        // The slowdown of a scenario is the same in all runs.
        var ofScenarios = SeededGenerator(seed: 99)
        let unevenness = (0..<scenarios).map { _ in
            BuildNames().all.map { _ in exp(behaviour.unevenness * normal(&ofScenarios)) }
        }
        var isSlow = behaviour.isSlowAtFirst ?? Bool.random(using: &generator)
        var calibration: [Double] = []
        func calibrate() { calibration.append((isSlow ? 200 : 100) * exp(0.01 * normal(&generator))) }
        var values: [[Build: [[Double]]]] = Array(repeating: [:], count: scenarios)
        calibrate()
        for count in Suite.samplesByPass(samples) {
            for index in 0..<scenarios {
                if Double.random(in: 0..<1, using: &generator) < behaviour.swings { isSlow.toggle() }
                let processes = BuildNames().all.map { _ in exp(behaviour.processNoise * normal(&generator)) }
                var pass: [Build: [Double]] = [:]
                for _ in 0..<count {
                    let machine = (isSlow ? 2 : 1) * exp(behaviour.noise * normal(&generator))
                    for (number, build) in BuildNames().all.enumerated() {
                        var value = Double(index + 1) * (build == .direct ? 1 : 3) * machine * processes[number]
                        value *= exp(behaviour.noise * normal(&generator))
                        if isSlow { value *= unevenness[index][number] }
                        if build != .direct { value *= slowed["scenario/\(index)"] ?? 1 }
                        if Double.random(in: 0..<1, using: &generator) < behaviour.interruptions { value *= 2 }
                        pass[build, default: []].append(value)
                    }
                }
                for (build, samples) in pass { values[index][build, default: []].append(samples) }
            }
            calibrate()
        }
        let reports = values.enumerated().map { index, values in
            let builds = values.map { ($0.key.rawValue, BuildReport(passes: $0.value)) }
            let ratio = Statistics.ratio(ofPasses: values[.library] ?? [], to: values[.direct] ?? [])
            return ScenarioReport(
                name: "scenario/\(index)", unit: "ns/event", builds: Dictionary(uniqueKeysWithValues: builds),
                ratios: ratio.map { ["library/direct": $0] } ?? [:])
        }
        var report = Report(host: host, scenarios: reports, failures: [])
        report.mode = .time
        report.calibration = Calibration(nanoseconds: calibration)
        return report
    }

    static let host: BenchmarkKit.Host = {
        var host = BenchmarkKit.Host(cpu: "a CPU", cores: 2, swift: "6.3.1", commit: "abc")
        host.architecture = "x86_64"
        return host
    }()

    /// A counted run: instructions and allocations of the main build by scenario.
    static func counts(_ counts: [(name: String, instructions: Double, allocations: Double)]) -> Report {
        let scenarios = counts.map { count in
            var build = BuildReport(values: [count.instructions])
            build.instructionsPerEvent = count.instructions
            build.allocationsPerEvent = count.allocations
            build.bytesPerEvent = 16 * count.allocations
            build.systemCallsPerEvent = 0
            return ScenarioReport(
                name: count.name, unit: "instructions/event", builds: ["library": build, "direct": build], ratios: [:])
        }
        var report = Report(host: host, scenarios: scenarios, failures: [])
        report.mode = .counts
        return report
    }

    /// A report with every possible figure, and names that need escaping.
    static let full: Report = {
        var histogram = Histogram()
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<5000 { histogram.record(UInt64.random(in: 100...1_000_000, using: &generator)) }
        func latency(_ times: Double) -> BuildReport {
            var build = BuildReport(passes: [[3 * times, 4 * times, 5 * times], [4 * times, 30 * times]])
            build.percentiles = CollectedSamples.percentiles(of: histogram)
            build.clockMedian = 5 * times
            build.passPercentiles = [["50": 90, "100": 2000], ["50": 110, "100": 1900]]
            build.uncorrectedPercentiles = ["50": 100, "100": 2000]
            build.passLatencies = [histogram.halfOctaves, histogram.halfOctaves]
            build.curve = CollectedSamples.curve(of: histogram)
            build.counts = ["most foreign events in one send": 12]
            build.contextSwitchesPerEvent = 0.25
            build.eventsPerSecond = 250_000
            build.throughputPerSecond = 250_000_000
            build.pageFaultsPerEvent = 0
            build.allocationsPerEvent = 1.5
            build.bytesPerEvent = 48
            build.systemCallsPerEvent = 0.5
            build.retainsPerEvent = 2
            build.releasesPerEvent = 3.5
            build.instructionsPerEvent = 123.25
            build.lockedInstructionsPerEvent = 2
            build.cyclesPerEvent = 99
            build.cacheMissesPerEvent = 0.001
            return build
        }
        func scenario(_ name: String, _ times: Double) -> ScenarioReport {
            var scenario = ScenarioReport(
                name: name, unit: "ns/send, p99.9",
                builds: ["direct": latency(times), "library": latency(2 * times), "alternative": latency(7 * times)],
                ratios: [
                    "alternative/library": RatioEstimate(median: 3.5, low: 3.4, high: 3.6),
                    "library/direct": RatioEstimate(median: 2, low: 0.9, high: 3),
                ])
            scenario.throughput = .elements(1000, "lines")
            return scenario
        }
        var report = Report(
            host: host,
            scenarios: [
                scenario("contend/2", 1), scenario("contend/4", 2), scenario("contend/8", 5), scenario("a<b>&\"c'", 1),
            ],
            failures: [
                Failure(scenario: "x</script><script>alert(1)</script>", build: "alternative", message: "<b>no</b>")
            ])
        report.mode = .time
        report.command = "Benchmarks/run --filter 'contend' </script>"
        report.incomplete = "3 of 10 passes"
        report.seconds = 12.5
        report.calibration = Calibration(nanoseconds: [100, 150, 110])
        return report
    }()
}

extension Build {
    /// The two builds with their default names.
    static let library = BuildNames().main
    static let alternative = BuildNames().alternative
}
