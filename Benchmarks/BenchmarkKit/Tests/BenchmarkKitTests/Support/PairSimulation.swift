import Foundation

@testable import BenchmarkKit

/// Simulated samples of two builds that a run takes in pairs.
struct PairSimulation: Sendable, CustomStringConvertible {
    /// The standard deviation of a sample.
    var noise: Double
    /// The standard deviation between the processes of one build.
    var passNoise: Double
    /// The probability that a sample is interrupted and takes twice as long.
    var interruptions = 0.0

    var description: String { "\(noise) and \(passNoise) between processes, \(interruptions) interrupted" }

    /// Standard normal values (the Box–Muller transform).
    static func normal(_ generator: inout SeededGenerator) -> Double {
        let radius = (-2 * log(Double.random(in: 0.000_000_001...1, using: &generator))).squareRoot()
        return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
    }

    /// The samples of one build, by pass. `drift` has the speed of the machine for each sample, which both builds share.
    private func build(_ drift: [[Double]], _ factor: Double, _ generator: inout SeededGenerator) -> [[Double]] {
        drift.map { pass in
            let process = exp(passNoise * Self.normal(&generator))
            return pass.map { machine in
                let isInterrupted = Double.random(in: 0..<1, using: &generator) < interruptions
                return 10 * factor * machine * process * exp(noise * Self.normal(&generator)) * (isInterrupted ? 2 : 1)
            }
        }
    }

    /// A run of `samples` samples. `after` takes `factor` times as long as `before`, on a machine whose speed doubles and
    /// halves from pass to pass.
    func pairs(
        samples: Int,
        factor: Double = 1,
        _ generator: inout SeededGenerator
    ) -> (before: [[Double]], after: [[Double]]) {
        let drift = Suite.samplesByPass(samples).map { count in
            Array(repeating: Double.random(in: 1...2, using: &generator), count: count)
        }
        return (build(drift, 1, &generator), build(drift, factor, &generator))
    }

    /// A report of `scenarios` scenarios with `--against`. The first one takes `factor` times as long as before.
    func report(scenarios: Int, samples: Int, factor: Double = 1, _ generator: inout SeededGenerator) -> Report {
        let reports = (0..<scenarios).map { index in
            let (before, after) = pairs(samples: samples, factor: index == 0 ? factor : 1, &generator)
            return ScenarioReport(
                name: "scenario/\(index)", unit: "ns/event",
                builds: ["earlier": BuildReport(passes: before), "library": BuildReport(passes: after)], ratios: [:])
        }
        return Report(host: SampleReports.host, scenarios: reports, failures: [])
    }
}
