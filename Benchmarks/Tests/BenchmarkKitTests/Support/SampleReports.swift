import Foundation

@testable import BenchmarkKit

/// Reports as runs write them, made up.
enum SampleReports {
    /// How a made-up machine behaves.
    struct Behaviour: Sendable, CustomStringConvertible {
        var description: String
        /// How much a sample is off, a standard deviation.
        var noise: Double
        /// How much a process is off from another one of the same executable.
        var processNoise: Double
        /// How often a sample is interrupted and takes twice as long.
        var interruptions: Double
        /// How often, from one scenario to the next, the machine goes from quick to half as quick, or back.
        var swings: Double
        /// How differently, when it is slow, the sides of a scenario are slowed down.
        var unevenness: Double
        /// nil for one or the other.
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

    /// A timed run of so many scenarios. Of those in `slowed`, the builds of the library take so many times as long.
    static func run(
        seed: UInt64,
        scenarios: Int,
        samples: Int = 40,
        slowed: [String: Double] = [:],
        _ behaviour: Behaviour = .usual
    ) -> Report {
        var generator = SeededGenerator(seed: seed)
        func normal(_ generator: inout SeededGenerator) -> Double {
            // Box and Muller's way.
            let radius = (-2 * log(Double.random(in: 0.000_001...1, using: &generator))).squareRoot()
            return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
        }
        // How a scenario is slowed down is its own, and the same in all runs.
        var ofScenarios = SeededGenerator(seed: 99)
        let unevenness = (0..<scenarios).map { _ in
            Build.allCases.map { _ in exp(behaviour.unevenness * normal(&ofScenarios)) }
        }
        var isSlow = behaviour.isSlowAtFirst ?? Bool.random(using: &generator)
        var calibration: [Double] = []
        func calibrate() { calibration.append((isSlow ? 200 : 100) * exp(0.01 * normal(&generator))) }
        var values: [[Build: [[Double]]]] = Array(repeating: [:], count: scenarios)
        calibrate()
        for count in Suite.samplesByPass(samples) {
            for index in 0..<scenarios {
                if Double.random(in: 0..<1, using: &generator) < behaviour.swings { isSlow.toggle() }
                let processes = Build.allCases.map { _ in exp(behaviour.processNoise * normal(&generator)) }
                var pass: [Build: [Double]] = [:]
                for _ in 0..<count {
                    let machine = (isSlow ? 2 : 1) * exp(behaviour.noise * normal(&generator))
                    for (number, build) in Build.allCases.enumerated() {
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
            let ratio = Statistics.ratio(ofPasses: values[.lockfree] ?? [], to: values[.direct] ?? [], resamples: 20)
            return ScenarioReport(
                name: "scenario/\(index)", unit: "ns/event", builds: Dictionary(uniqueKeysWithValues: builds),
                ratios: ratio.map { ["lockfree/direct": $0] } ?? [:])
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

    /// A counted run: instructions and allocations of the lock-free build by scenario.
    static func counts(_ counts: [(name: String, instructions: Double, allocations: Double)]) -> Report {
        let scenarios = counts.map { count in
            var build = BuildReport(values: [count.instructions])
            build.instructionsPerEvent = count.instructions
            build.allocationsPerEvent = count.allocations
            build.bytesPerEvent = 16 * count.allocations
            build.systemCallsPerEvent = 0
            return ScenarioReport(
                name: count.name, unit: "instructions/event", builds: ["lockfree": build, "direct": build], ratios: [:])
        }
        var report = Report(host: host, scenarios: scenarios, failures: [])
        report.mode = .counts
        return report
    }

    /// One with everything in it that a report can have, and names that need escaping.
    static let full: Report = {
        var histogram = Histogram()
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<5000 { histogram.record(UInt64.random(in: 100...1_000_000, using: &generator)) }
        func latency(_ times: Double) -> BuildReport {
            var build = BuildReport(passes: [[3 * times, 4 * times, 5 * times], [4 * times, 30 * times]])
            build.percentiles = CollectedSamples.percentiles(of: histogram)
            build.uncorrectedPercentiles = ["50": 100, "100": 2000]
            build.curve = CollectedSamples.curve(of: histogram)
            build.counts = ["most foreign events in one send": 12]
            build.contextSwitchesPerEvent = 0.25
            build.eventsPerSecond = 250_000
            build.pageFaultsPerEvent = 0
            build.allocationsPerEvent = 1.5
            build.bytesPerEvent = 48
            build.systemCallsPerEvent = 0.5
            build.retainsPerEvent = 2
            build.releasesPerEvent = 3.5
            build.instructionsPerEvent = 123.25
            build.cyclesPerEvent = 99
            build.cacheMissesPerEvent = 0.001
            return build
        }
        func scenario(_ name: String, _ times: Double) -> ScenarioReport {
            ScenarioReport(
                name: name, unit: "ns/send, p99.9",
                builds: ["direct": latency(times), "lockfree": latency(2 * times), "naive": latency(7 * times)],
                ratios: [
                    "naive/lockfree": RatioEstimate(median: 3.5, low: 3.4, high: 3.6),
                    "lockfree/direct": RatioEstimate(median: 2, low: 0.9, high: 3),
                ])
        }
        var report = Report(
            host: host,
            scenarios: [
                scenario("contend/2", 1), scenario("contend/4", 2), scenario("contend/8", 5), scenario("a<b>&\"c'", 1),
            ],
            failures: [Failure(scenario: "x</script><script>alert(1)</script>", build: "naive", message: "<b>no</b>")])
        report.mode = .time
        report.command = "Benchmarks/run --filter 'contend' </script>"
        report.seconds = 12.5
        report.calibration = Calibration(nanoseconds: [100, 150, 110])
        return report
    }()
}
