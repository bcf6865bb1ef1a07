import Foundation
import Testing

@testable import BenchmarkKit

/// What intervals and verdicts promise, on simulated samples with fixed seeds.
@Suite struct SimulationTests {
    private static let passNoises = [0.0, 0.03, 0.1]

    /// 95 % of the intervals contain the true ratio, whatever processes differ by, with and without interruptions.
    @Test(arguments: passNoises, [0.0, 0.02])
    func intervalsContainTheTruthAsOftenAsTheySay(passNoise: Double, interruptions: Double) throws {
        let simulation = PairSimulation(noise: 0.03, passNoise: passNoise, interruptions: interruptions)
        for samples in [6, 10, 40] {
            var generator = SeededGenerator(seed: 7)
            let tries = 1500
            var held = 0
            for _ in 0..<tries {
                let (before, after) = simulation.pairs(samples: samples, factor: 1.3, &generator)
                let ratio = try #require(Statistics.ratio(ofPasses: after, to: before))
                if ratio.low <= 1.3, 1.3 <= ratio.high { held += 1 }
            }
            let share = Double(held) / Double(tries)
            #expect((0.93...0.97).contains(share), "\(samples) samples: \(share)")
        }
    }

    /// The same for the change from one run to another, which also contains what runs differ by.
    @Test(arguments: passNoises)
    func intervalsBetweenRunsContainTheTruth(passNoise: Double) throws {
        let simulation = PairSimulation(noise: 0.03, passNoise: passNoise)
        var generator = SeededGenerator(seed: 11)
        let tries = 1000
        var held = 0
        for _ in 0..<tries {
            let runs = (0..<2).map { _ in
                let factor = exp(RunMean.assumedDeviation * PairSimulation.normal(&generator))
                let (direct, library) = simulation.pairs(samples: 40, factor: factor, &generator)
                return ScenarioReport(
                    name: "x", unit: "ns/event",
                    builds: ["direct": BuildReport(passes: direct), "library": BuildReport(passes: library)],
                    ratios: [:])
            }
            let change = try #require(TimeChange(of: "library", from: runs[0], to: runs[1]))
            let estimate = change.interval(unseen: .none).estimate(confidence: 0.95)
            if estimate.low <= 1, 1 <= estimate.high { held += 1 }
        }
        let share = Double(held) / Double(tries)
        #expect((0.93...0.97).contains(share), "\(share)")
    }

    /// In at most 5 % of comparisons of a build with itself, a row says that it has changed.
    @Test(arguments: passNoises, [(scenarios: 3, samples: 6), (50, 6), (10, 40)])
    func aBuildComparedWithItselfRarelyChanges(passNoise: Double, run: (scenarios: Int, samples: Int)) {
        let simulation = PairSimulation(noise: 0.05, passNoise: passNoise, interruptions: 0.02)
        var generator = SeededGenerator(seed: 13)
        var alarms = 0
        for _ in 0..<200 {
            let report = simulation.report(scenarios: run.scenarios, samples: run.samples, &generator)
            let comparison = Comparison(within: report)
            #expect(comparison.rows.allSatisfy { $0.smallestFound != nil })
            if comparison.rows.contains(where: { $0.verdict == .more || $0.verdict == .less }) { alarms += 1 }
            for row in comparison.rows where row.verdict == .same {
                guard let change = row.change else { continue }
                #expect(change.low >= 1 / 1.1 && change.high <= 1.1)
            }
        }
        #expect(alarms <= 10, "\(alarms) of 200")
    }

    /// A factor of three is found in six pairs, also among fifty scenarios.
    @Test(arguments: [3.0, 1.0 / 3])
    func aFactorOfThreeIsFoundInSixPairs(factor: Double) {
        let simulation = PairSimulation(noise: 0.05, passNoise: 0.03, interruptions: 0.02)
        var generator = SeededGenerator(seed: 17)
        let expected: Verdict = factor > 1 ? .more : .less
        let found = (0..<50).count { _ in
            let report = simulation.report(scenarios: 50, samples: 6, factor: factor, &generator)
            return Comparison(within: report).rows[0].verdict == expected
        }
        #expect(found >= 48, "\(found) of 50")
    }

    /// 20 % is found in one quick run of three scenarios with quiet samples.
    @Test func twentyPerCentIsFoundInAQuickRunOfThreeScenarios() {
        let simulation = PairSimulation(noise: 0.02, passNoise: 0.02)
        var generator = SeededGenerator(seed: 19)
        let found = (0..<100).count { _ in
            let report = simulation.report(scenarios: 3, samples: 6, factor: 1.2, &generator)
            return Comparison(within: report).regressions.map(\.scenario) == ["scenario/0"]
        }
        #expect(found >= 95, "\(found) of 100")
    }

    /// The smallest change that a row says it finds is found by 4 of 5 comparisons, and the number of samples that a row
    /// asks for finds the threshold as often.
    @Test(arguments: passNoises)
    func theSmallestChangeFoundIsFoundByFourOfFive(passNoise: Double) throws {
        let simulation = PairSimulation(noise: 0.05, passNoise: passNoise)
        var generator = SeededGenerator(seed: 23)
        func comparison(_ factor: Double, _ samples: Int) -> Comparison.Row {
            Comparison(within: simulation.report(scenarios: 3, samples: samples, factor: factor, &generator)).rows[0]
        }
        func share(_ factor: Double, _ samples: Int) -> Double {
            Double((0..<300).count { _ in (comparison(factor, samples).change?.low ?? 0) > 1 }) / 300
        }
        let smallest = try #require(Statistics.median((0..<100).compactMap { _ in comparison(1, 40).smallestFound }))
        #expect((0.7...0.9).contains(share(1 + smallest, 40)))
        let needed = (0..<200).compactMap { _ in comparison(1, 10).samplesNeeded }
        guard passNoise == 0.1 else { return }
        // Rows that are conclusive by chance need nothing, so those that remain ask for a little more.
        let samples = try #require(Statistics.median(needed.map { Double($0) }))
        #expect((0.7...0.97).contains(share(1.1, Int(samples))), "\(samples)")
    }

    /// The README's table of power is what this simulation gives.
    @Test func theReadmeStatesThePower() throws {
        let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("README.md")
        let text = try String(contentsOf: readme, encoding: .utf8)
        for line in Self.power() { #expect(text.contains(line), "README.md doesn't have: \(line)") }
    }

    /// The share of comparisons that find a change in one scenario, in per cent, as lines of a table.
    private static func power() -> [String] {
        let machines: [(String, PairSimulation)] = [
            ("quiet", PairSimulation(noise: 0.02, passNoise: 0.02)),
            ("usual", PairSimulation(noise: 0.05, passNoise: 0.03, interruptions: 0.02)),
            ("noisy", PairSimulation(noise: 0.1, passNoise: 0.1, interruptions: 0.05)),
        ]
        let runs: [(String, samples: Int, scenarios: Int)] = [
            ("`--quick`, 3 scenarios", 6, 3), ("`--quick`, 50 scenarios", 6, 50), ("40 samples, 3 scenarios", 40, 3),
            ("40 samples, 50 scenarios", 40, 50),
        ]
        return runs.flatMap { run in
            machines.map { machine in
                let shares = [1.1, 1.2, 1.5, 3].map { factor in
                    var generator = SeededGenerator(seed: 29)
                    let found = (0..<200).count { _ in
                        let (before, after) = machine.1.pairs(samples: run.samples, factor: factor, &generator)
                        let mean = Statistics.ratios(after, before).flatMap(PassMean.init)
                        let estimate = mean?.interval.estimate(confidence: 1 - 0.05 / Double(run.scenarios))
                        return (estimate?.low ?? 0) > 1
                    }
                    return "\(found / 2) %"
                }
                return "| \(run.0) | \(machine.0) | \(shares.joined(separator: " | ")) |"
            }
        }
    }
}
