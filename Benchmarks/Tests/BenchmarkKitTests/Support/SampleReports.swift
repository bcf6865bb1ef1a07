import Foundation

@testable import BenchmarkKit

/// Reports as runs write them, made up.
enum SampleReports {
    /// How a made-up run behaves.
    struct Behaviour {
        /// How much a sample is off, a standard deviation.
        var noise = 0.03
        /// How much a process is off from another one of the same executable.
        var processNoise = 0.01
        /// How much slower the machine gets from start to end.
        var drift = 0.3
        /// How often a sample is interrupted and takes twice as long.
        var interruptions = 0.05
    }

    /// A timed run of `scenarios`, whose true times are `nanoseconds`.
    static func run(
        seed: UInt64,
        scenarios: Int,
        samples: Int = 40,
        slowed: [String: Double] = [:],
        _ behaviour: Behaviour = Behaviour()
    ) -> Report {
        var generator = SeededGenerator(seed: seed)
        func normal() -> Double {
            (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
        }
        let passes = Suite.samplesByPass(samples)
        let reports = (0..<scenarios).map { index -> ScenarioReport in
            let name = "scenario/\(index)"
            var values: [Build: [[Double]]] = [:]
            for (pass, count) in passes.enumerated() {
                let machine = 1 + behaviour.drift * Double(pass) / Double(passes.count)
                for build in Build.allCases {
                    let factor = build == .direct ? 1.0 : slowed[name] ?? 1
                    let process = exp(behaviour.processNoise * normal())
                    values[build, default: []].append(
                        (0..<count).map { _ in
                            let isInterrupted = Double.random(in: 0..<1, using: &generator) < behaviour.interruptions
                            let base = Double(index + 1) * (build == .direct ? 1 : 3)
                            return base * factor * machine * process * exp(behaviour.noise * normal())
                                * (isInterrupted ? 2 : 1)
                        })
                }
            }
            let builds = values.map { ($0.key.rawValue, BuildReport(passes: $0.value)) }
            let ratio = Statistics.ratio(ofPasses: values[.lockfree] ?? [], to: values[.direct] ?? [], resamples: 20)
            return ScenarioReport(
                name: name, unit: "ns/event", builds: Dictionary(uniqueKeysWithValues: builds),
                ratios: ratio.map { ["lockfree/direct": $0] } ?? [:])
        }
        var report = Report(host: host, scenarios: reports, failures: [])
        report.mode = .time
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
            build.pageFaultsPerEvent = 0
            build.allocationsPerEvent = 1.5
            build.bytesPerEvent = 48
            build.systemCallsPerEvent = 0.5
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
