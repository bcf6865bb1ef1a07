import Synchronization
import Testing

@testable import BenchmarkKit

@Suite struct SamplingTests {
    /// Takes a known time for an event, and says what it was asked.
    private final class Spinning: Scenario {
        var runs: [Int] = []
        var failing = false
        private var recorded = Histogram()

        var granularity: Int { 3 }

        func run(events: Int) {
            runs.append(events)
            let end = Clock.now() + UInt64(events) * 1000
            while Clock.now() < end {}
            recorded.record(UInt64(events))
        }

        func verify() throws {
            if failing { throw CheckFailure("a sum", expected: 1, got: 2) }
        }

        func takeLatencies() -> Histogram? {
            defer { recorded.reset() }
            return recorded
        }
    }

    private func sampler(_ scenario: Spinning) -> Sampler {
        let entry = ScenarioEntry(
            "spin", sampleMilliseconds: 2, direct: { _ in Spinning() }, corinth: { _ in Spinning() })
        return Sampler(entry, scenario)
    }

    @Test func batchesGrowToTheTimeAskedForInWholeUnits() throws {
        let scenario = Spinning()
        let sampler = sampler(scenario)
        try sampler.prepare()
        let sample = try sampler.sample()
        #expect(sample.events > 3)
        #expect(scenario.runs.allSatisfy { $0.isMultiple(of: 3) })
        #expect(sample.value >= 1000)
        #expect(sample.value == Double(sample.nanoseconds) / Double(sample.events))
    }

    @Test func latenciesOfTheWarmingAreForgotten() throws {
        let sampler = sampler(Spinning())
        try sampler.prepare()
        let sample = try sampler.sample()
        let summary = sampler.finish()
        #expect(summary.percentiles?["100"] == UInt64(sample.events))
    }

    @Test func aRunThatFailsItsCheckGivesNoSample() throws {
        let scenario = Spinning()
        let sampler = sampler(scenario)
        scenario.failing = true
        #expect(throws: CheckFailure("a sum: expected 1, got 2")) { try sampler.sample() }
    }

    @Test func aTeamRunsEveryMemberEachTime() {
        let team = ThreadTeam(count: 3)
        let runs = Mutex([0, 0, 0])
        for _ in 0..<50 {
            team.run { member in runs.withLock { $0[member] += 1 } }
        }
        team.end()
        #expect(runs.withLock { $0 } == [50, 50, 50])
    }

    @Test func foreignDeliveriesAreThoseOfOtherSenders() {
        ForeignDeliveries.delivered(from: 1)
        ForeignDeliveries.begin(sender: 2)
        #expect(ForeignDeliveries.count == 0)
        ForeignDeliveries.delivered(from: 2)
        ForeignDeliveries.delivered(from: 0)
        ForeignDeliveries.delivered(from: 1)
        #expect(ForeignDeliveries.count == 2)
        ForeignDeliveries.end()
        ForeignDeliveries.delivered(from: 0)
        #expect(ForeignDeliveries.count == 2)
    }
}
