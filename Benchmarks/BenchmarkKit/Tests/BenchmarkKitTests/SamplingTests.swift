import Synchronization
import Testing

@testable import BenchmarkKit

@Suite struct SamplingTests {
    /// Takes a known time for an event, and records its runs.
    private final class Spinning: Scenario {
        var runs: [Int] = []
        var failing = false
        /// The numbers of runs during which another program has the processor for 20 ms.
        var interrupted: Set<Int> = []
        private var recorded = Histogram()

        var granularity: Int { 3 }

        func run(events: Int) {
            runs.append(events)
            let interruption: UInt64 = interrupted.contains(runs.count) ? 20_000_000 : 0
            let end = Clock.now() + UInt64(events) * 1000 + interruption
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
            "spin", sampleMilliseconds: 2, direct: { _ in Spinning() }, library: { _ in Spinning() })
        return Sampler(entry, scenario)
    }

    @Test func runsGrowToTheRequestedTimeInWholeUnits() throws {
        let scenario = Spinning()
        let sampler = sampler(scenario)
        try sampler.prepare()
        let sample = try sampler.sample()
        #expect(sample.events > 3)
        #expect(scenario.runs.allSatisfy { $0.isMultiple(of: 3) })
        // By the clock: on a busy machine, an event ends although the process had the processor for a part of it.
        #expect(sample.nanoseconds >= 1000 * UInt64(sample.events))
        #expect(sample.value == Double(try #require(sample.processorNanoseconds)) / Double(sample.events))
    }

    /// The work of a side that the compiler has folded away takes no time, however many events there are.
    @Test func workThatIsFoldedAwayIsNoticed() {
        final class Folded: Scenario {
            func run(events: Int) {}
            func verify() {}
        }
        let entry = ScenarioEntry("folded", direct: { _ in Folded() }, library: { _ in Folded() })
        let sampler = Sampler(entry, Folded())
        let error = #expect(throws: CheckFailure.self) { try sampler.prepare() }
        #expect(error?.description.contains("the compiler has folded the work away") == true)
        var report = SampleReports.run(seed: 1, scenarios: 2, .quiet)
        #expect(ReportText.warnings(of: report) == [])
        report.scenarios[1].builds["direct"]?.median = 0.05
        #expect(
            ReportText.warnings(of: report).first?.hasPrefix("direct takes less than 0.15 ns in scenario/1: ") == true)
    }

    @Test func latenciesOfTheWarmUpAreDiscarded() throws {
        let sampler = sampler(Spinning())
        try sampler.prepare()
        let sample = try sampler.sample()
        let summary = sampler.finish()
        #expect(summary.latencies?.maximum == UInt64(sample.events))
    }

    @Test func threeSimilarRunsAreSteady() {
        #expect(!Sampler.isSteady([100, 100]))
        #expect(Sampler.isSteady([300, 100, 104, 102]))
        #expect(!Sampler.isSteady([100, 104, 110]))
    }

    @Test func samplesAreSpreadOverPasses() {
        #expect(Suite.samplesByPass(40) == Array(repeating: 4, count: 10))
        #expect(Suite.samplesByPass(10) == Array(repeating: 1, count: 10))
        #expect(Suite.samplesByPass(6) == Array(repeating: 1, count: 6))
        #expect(Suite.samplesByPass(1) == [1])
        #expect(Suite.samplesByPass(23) == [3, 3, 3, 2, 2, 2, 2, 2, 2, 2])
        #expect(Suite.samplesByPass(80) == Array(repeating: 4, count: 20))
        for samples in 1...200 { #expect(Suite.samplesByPass(samples).reduce(0, +) == samples) }
        for passes in 1...50 { #expect(Suite.samplesByPass(Suite.samples(forPasses: passes)).count == passes) }
    }

    /// Later processes of a side don't search for the number of events again.
    @Test func laterProcessesHaveAShorterWarmUp() throws {
        let first = Spinning()
        let found = sampler(first)
        try found.prepare()
        let second = Spinning()
        let sampler = sampler(second)
        try sampler.prepare(events: found.events, isGiven: false)
        #expect(second.runs.allSatisfy { $0 == found.events } && (2...3).contains(second.runs.count))
        #expect(try sampler.sample().events == found.events)
    }

    /// A run of few events takes long if another program has the processor meanwhile. That doesn't end the search.
    @Test func anInterruptionIsNoReasonForFewEvents() throws {
        let scenario = Spinning()
        scenario.interrupted = [1, 2, 5]
        let sampler = sampler(scenario)
        try sampler.prepare()
        // A run of half of the target has 1,000 events. If the machine interrupts runs, too, they have a few less.
        #expect(sampler.events > 250, "\(scenario.runs)")
        // The search of an earlier process was interrupted each time.
        let second = Spinning()
        let later = self.sampler(second)
        try later.prepare(events: 3, isGiven: false)
        #expect(later.events > 250, "\(second.runs)")
    }

    @Test func noBuildIsAlwaysTheFirst() {
        let builds = [Build.direct, Build(rawValue: "library"), .earlier]
        #expect(Suite.order(builds, 0) == builds && Suite.order(builds, 1) == builds.reversed())
        // A quick run has passes of one sample.
        var collected = CollectedSamples()
        for pass in 0..<6 {
            collected.beginPass(of: builds)
            #expect(collected.rounds == pass && collected.passesBegun == pass + 1)
            collected.add(Round(samples: []))
        }
    }

    @Test func aGivenNumberOfEventsIsRoundedUp() throws {
        let scenario = Spinning()
        let sampler = sampler(scenario)
        try sampler.prepare(events: 10, isGiven: true)
        #expect(sampler.events == 12)
        let before = scenario.runs.count
        try sampler.warmUp(seconds: 0.002)
        #expect(scenario.runs.count > before)
        #expect(Suite.samplesByPass(40, passes: 3) == [14, 13, 13])
    }

    @Test func aBurdenSlowsOnlyTheNamedScenario() throws {
        let scenario = Spinning()
        let names = ["BENCHMARKKIT_BURDEN": "spin=2.5"]
        let burdened = BurdenedScenario.burdening(scenario, named: "spin", names)
        #expect(burdened !== scenario)
        burdened.run(events: 3)
        #expect(scenario.runs == [3])
        #expect(burdened.granularity == 3)
        #expect(BurdenedScenario.burdening(scenario, named: "other", names) === scenario)
        #expect(BurdenedScenario.burdening(scenario, named: "spin", [:]) === scenario)
        #expect(BurdenedScenario.burdening(scenario, named: "spin", ["BENCHMARKKIT_BURDEN": "spin=x"]) === scenario)
    }

    /// An event that takes five intervals delays the following ones. Only the corrected latency contains that delay.
    @Test func correctedLatencyStartsAtTheDueTime() {
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

    @Test func passesAreMerged() throws {
        let entry = ScenarioEntry(
            "x", unit: "ns/event", isThreaded: true, direct: { _ in Spinning() }, library: { _ in Spinning() })
        var collected = CollectedSamples()
        for pass in 0..<2 {
            collected.beginPass(of: [.direct, .library])
            for number in 1...5 {
                for build in [Build.direct, .library] {
                    let value = Double(number) * (build == .direct ? 1 : 2)
                    collected.add(
                        Sample(
                            events: 10, nanoseconds: 1, value: value, contextSwitches: 5, pageFaults: nil,
                            hardware: HardwareCounters()), of: build)
                }
            }
            var latencies = Histogram()
            latencies.record(UInt64(100 * (pass + 1)))
            collected.add(Summary(latencies: latencies, counts: ["most": 7 - pass]), of: .library)
        }
        let report = collected.report(entry, BuildNames())
        let library = try #require(report.builds["library"])
        #expect(library.samples == 10 && library.median == 6)
        #expect(library.percentiles?["100"] == 200)
        #expect(library.counts == ["most": 7])
        #expect(library.contextSwitchesPerEvent == 0.5)
        #expect(library.pageFaultsPerEvent == nil && library.instructionsPerEvent == nil)
        #expect(report.ratios["library/direct"] == RatioEstimate(median: 2, low: 2, high: 2))
        #expect(report.builds["alternative"] == nil)
    }

    @Test func aFailedCheckGivesNoSample() throws {
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

    @Test func aPinnedTeamRunsEveryMember() {
        let team = ThreadTeam(count: 5, isPinned: true)
        let runs = Mutex(0)
        team.run { _ in runs.withLock { $0 += 1 } }
        team.end()
        #expect(runs.withLock { $0 } == 5)
    }
}
