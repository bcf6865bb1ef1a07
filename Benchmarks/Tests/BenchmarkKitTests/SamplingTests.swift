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
        #expect(summary.latencies?.maximum == UInt64(sample.events))
    }

    @Test func steadyIsThreeRunsAlike() {
        #expect(!Sampler.isSteady([100, 100]))
        #expect(Sampler.isSteady([300, 100, 104, 102]))
        #expect(!Sampler.isSteady([100, 104, 110]))
    }

    @Test func samplesAreSpreadOverPasses() {
        #expect(Suite.samplesByPass(40) == Array(repeating: 4, count: 10))
        #expect(Suite.samplesByPass(10) == [5, 5])
        #expect(Suite.samplesByPass(6) == [6])
        #expect(Suite.samplesByPass(1) == [1])
        #expect(Suite.samplesByPass(23) == [5, 5, 5, 4, 4])
    }

    @Test func aBurdenIsForTheScenarioThatItNames() throws {
        let scenario = Spinning()
        let names = ["CORINTH_BENCH_BURDEN": "spin=2.5"]
        let burdened = BurdenedScenario.burdening(scenario, named: "spin", names)
        #expect(burdened !== scenario)
        burdened.run(events: 3)
        #expect(scenario.runs == [3])
        #expect(burdened.granularity == 3)
        #expect(BurdenedScenario.burdening(scenario, named: "other", names) === scenario)
        #expect(BurdenedScenario.burdening(scenario, named: "spin", [:]) === scenario)
        #expect(BurdenedScenario.burdening(scenario, named: "spin", ["CORINTH_BENCH_BURDEN": "spin=x"]) === scenario)
    }

    /// An event that takes five times as long as there is between two delays those after it, and only the corrected
    /// latency says so.
    @Test func anOpenLoopCountsFromWhenEventsWereDue() {
        let interval: UInt64 = 2_000_000
        var corrected: [UInt64] = []
        var uncorrected: [UInt64] = []
        OpenLoop(eventsPerSecond: 1e9 / Double(interval)).run(events: 5) { number, due, sent in
            #expect(sent >= due)
            if number == 1 { Clock.wait(until: sent + 5 * interval) }
            let now = Clock.now()
            corrected.append(now - due)
            uncorrected.append(now - sent)
        }
        #expect(corrected.count == 5)
        #expect(corrected[2] >= 4 * interval)
        #expect(zip(corrected, uncorrected).allSatisfy { $0 >= $1 })
        #expect(corrected[2] > uncorrected[2])
    }

    @Test func whatSeveralPassesRecordedIsMerged() throws {
        let entry = ScenarioEntry(
            "x", unit: "ns/event", isThreaded: true, direct: { _ in Spinning() }, corinth: { _ in Spinning() })
        var collected = CollectedSamples()
        for pass in 0..<2 {
            collected.beginPass(of: [.direct, .lockfree])
            for turn in 1...5 {
                for build in [Build.direct, .lockfree] {
                    let value = Double(turn) * (build == .direct ? 1 : 2)
                    collected.add(
                        Sample(
                            events: 10, nanoseconds: 1, value: value, contextSwitches: 5, pageFaults: nil,
                            hardware: HardwareCounters()), of: build)
                }
            }
            var latencies = Histogram()
            latencies.record(UInt64(100 * (pass + 1)))
            collected.add(Summary(latencies: latencies, counts: ["most": 7 - pass]), of: .lockfree)
        }
        let report = collected.report(entry)
        let lockfree = try #require(report.builds["lockfree"])
        #expect(lockfree.samples == 10 && lockfree.median == 6)
        #expect(lockfree.percentiles?["100"] == 200)
        #expect(lockfree.counts == ["most": 7])
        #expect(lockfree.contextSwitchesPerEvent == 0.5)
        #expect(lockfree.pageFaultsPerEvent == nil && lockfree.instructionsPerEvent == nil)
        #expect(report.ratios["lockfree/direct"] == RatioEstimate(median: 2, low: 2, high: 2))
        #expect(report.builds["naive"] == nil)
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

    @Test func aPinnedTeamRunsAsWell() {
        let team = ThreadTeam(count: 5, isPinned: true)
        let runs = Mutex(0)
        team.run { _ in runs.withLock { $0 += 1 } }
        team.end()
        #expect(runs.withLock { $0 } == 5)
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
