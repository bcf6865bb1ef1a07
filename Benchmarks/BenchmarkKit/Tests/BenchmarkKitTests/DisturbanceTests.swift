import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct DisturbanceTests {
    private func sample(_ value: Double, _ disturbance: Disturbance? = nil, loop: Double? = 100) -> Sample {
        Sample(
            events: 1, nanoseconds: 1, value: value, hardware: HardwareCounters(), disturbance: disturbance,
            loopNanoseconds: loop)
    }

    @Test func theMachinesReasons() {
        func reason(_ lost: Double, _ stolen: Int, _ loops: [Double]) -> Disturbance? {
            MachineWatch.disturbance(lost: lost, stolenTicks: stolen, loops: loops)
        }
        #expect(reason(0.02, 0, [100, 105]) == nil)
        #expect(reason(0.5, 0, [100, 200]) == .descheduled)
        #expect(reason(0.5, 1, [100, 200]) == .steal)
        #expect(reason(0, 1, [100, 200]) == .steal)
        #expect(reason(0, 0, [100, 120]) == .speed)
    }

    @Test func stealIsReadFromTheKernel() {
        #expect(MachineWatch.stolenTicks(in: "cpu  1 2 3 4 5 6 7 88 9 10\ncpu0 1") == 88)
        #expect(MachineWatch.stolenTicks(in: "cpu  1 2 3 4\n") == nil)
        #expect(MachineWatch.stolenTicks(in: "intr 1 2 3 4 5 6 7 88 9 10") == nil)
        #expect(MachineWatch.stolenTicks(in: "") == nil)
    }

    /// A round is repeated as a whole, because a pair is close in time.
    @Test func aDisturbedRoundIsMeasuredAgain() {
        var taken: [Build] = []
        let round = Round.take([.direct, .library], mostRepeats: 2) { build in
            taken.append(build)
            return sample(Double(taken.count), taken.count == 2 ? .descheduled : nil)
        }
        #expect(taken == [.direct, .library, .direct, .library])
        #expect(round.samples.map(\.sample.value) == [3, 4])
        #expect(round.repeats == 1 && round.disturbance == nil)
    }

    /// The machine's speed changes within milliseconds, so the sides take turns often.
    @Test func sidesTakeTurnsWithinASample() throws {
        var taken: [Build] = []
        let round = Round.take([.direct, .library], parts: 3, mostRepeats: 0) { build in
            taken.append(build)
            return sample(Double(taken.count))
        }
        #expect(taken == [.direct, .library, .library, .direct, .direct, .library])
        #expect(round.samples.map(\.build) == [.direct, .library])
        #expect(round.samples.map(\.sample.events) == [3, 3])
    }

    @Test func partsAddUp() throws {
        func part(_ events: Int, _ time: UInt64, _ disturbance: Disturbance?, loop: Double?, lost: Double) -> Sample {
            Sample(
                events: events, nanoseconds: 2 * time, processorNanoseconds: time, value: Double(time) / Double(events),
                contextSwitches: 1, pageFaults: 2, hardware: HardwareCounters(instructions: 5),
                disturbance: disturbance, loopNanoseconds: loop, lostShare: lost)
        }
        let sum = try #require(
            Sample(joining: [
                part(10, 100, .speed, loop: 100, lost: 0), part(30, 900, .steal, loop: 140, lost: 0.5),
            ]))
        #expect(sum == part(40, 1_000, .steal, loop: 120, lost: 0.25).with(switches: 2, faults: 4, instructions: 10))
        // It is what the sides don't share that matters, and not that the speed has changed from one part to the next.
        let changed = try #require(
            Sample(joining: [part(1, 1, .speed, loop: 100, lost: 0), part(1, 1, .speed, loop: 200, lost: 0)]))
        #expect(changed.disturbance == nil)
        // An older worker doesn't say.
        #expect(Sample(joining: [sample(1, loop: nil), sample(1)])?.loopNanoseconds == nil)
        #expect(Sample(joining: [sample(7, .speed)]) == sample(7, .speed))
        #expect(Sample(joining: []) == nil)
    }

    private final class Batches: Scenario {
        let granularity: Int

        init(of count: Int) {
            granularity = count
        }

        func run(events: Int) {}

        func verify() {}
    }

    /// The sum of the parts has about the events of the whole.
    @Test func aRunIsTakenInPartsOfTwoMilliseconds() throws {
        var entry = ScenarioEntry("parts", sampleMilliseconds: 16, direct: nil) { _ in Batches(of: 64) }
        let sampler = Sampler(entry, Batches(of: 64))
        try sampler.prepare(events: 6_400, isGiven: true)
        #expect(sampler.parts == 8)
        #expect(try sampler.sample(parts: 8).events == 768)
        #expect(try sampler.sample().events == 6_400)
        // Fewer, if the events can't be divided so often, and none with threads.
        try sampler.prepare(events: 200, isGiven: true)
        #expect(sampler.parts == 4)
        #expect(try sampler.sample(parts: 8).events == 64)
        entry.isThreaded = true
        let threaded = Sampler(entry, Batches(of: 64))
        try threaded.prepare(events: 6_400, isGiven: true)
        #expect(threaded.parts == 1)
    }

    /// The speed may change between two samples, too.
    @Test func aChangeOfSpeedBetweenTwoSamplesDisturbsTheirRound() {
        #expect(Round.disturbance(of: [sample(1, loop: 100), sample(1, loop: 105)]) == nil)
        #expect(Round.disturbance(of: [sample(1, loop: 100), sample(1, loop: 150)]) == .speed)
        // An older worker doesn't say.
        #expect(Round.disturbance(of: [sample(1, loop: nil), sample(1, loop: 150)]) == nil)
    }

    @Test func repeatsEnd() {
        var taken = 0
        let round = Round.take([.library], mostRepeats: 2) { _ in
            taken += 1
            return sample(1, .steal)
        }
        #expect(taken == 3 && round.repeats == 2 && round.disturbance == .steal)
        #expect(Round.mostRepeats(beforeThis: 0, of: 6) == 4)
        #expect(Round.mostRepeats(beforeThis: 11, of: 6) == 1 && Round.mostRepeats(beforeThis: 12, of: 6) == 0)
    }

    /// Of disturbed rounds, the one that lost the least time remains. Which one that is doesn't depend on the values.
    @Test func theLeastDisturbedRoundRemains() {
        let lost = [0.5, 0.1, 0.3]
        var taken = 0
        let round = Round.take([.library], mostRepeats: 2) { _ in
            var sample = sample(Double(taken), .descheduled)
            sample.lostShare = lost[taken]
            taken += 1
            return sample
        }
        #expect(round.samples.map(\.sample.value) == [1] && round.repeats == 2 && round.disturbance == .descheduled)
    }

    private func collected(_ disturbances: [[Disturbance?]]) -> CollectedSamples {
        var collected = CollectedSamples()
        for (pass, rounds) in disturbances.enumerated() {
            collected.beginPass(of: [.library])
            for disturbance in rounds {
                collected.add(Round(samples: [(.library, sample(Double(pass)))], disturbance: disturbance))
            }
        }
        return collected
    }

    /// The pass that was disturbed most is replaced by a better one. The figures don't matter.
    @Test func aDisturbedPassIsReplaced() {
        func replaced(
            _ disturbances: [[Disturbance?]]
        ) -> (isBetter: Bool, passes: [[Double]]?, machine: MachineReport?) {
            var collected = collected(disturbances)
            let isBetter = collected.replaceWorstPass()
            let entry = ScenarioEntry("x", direct: { _ in fatalError() }, library: { _ in fatalError() })
            let report = collected.report(entry, BuildNames())
            return (isBetter, report.builds["library"]?.passes, report.machine)
        }
        let better = replaced([[nil, nil], [nil, .steal], [.speed, .steal], [nil, .speed]])
        #expect(better.isBetter && better.passes == [[0, 0], [1, 1], [3, 3]])
        #expect(
            better.machine
                == MachineReport(
                    rounds: 6, repeated: 2, disturbed: 2, reasons: ["speed", "steal"], unevenness: 1,
                    disturbedByPass: [[], [1], [1]]))
        let same = replaced([[nil], [.steal], [.speed]])
        #expect(!same.isBetter && same.passes == [[0], [1]])
        #expect(
            same.machine
                == MachineReport(
                    rounds: 2, repeated: 1, disturbed: 1, reasons: ["steal"], unevenness: 1,
                    disturbedByPass: [[], [0]]))
    }

    /// A run of six passes of one round whose worker says that its first samples were disturbed.
    ///
    /// - Returns: The report, and the number of samples that were taken.
    private func run(disturbing count: Int) throws -> (report: ScenarioReport, samples: Int) {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let worker = folder.appendingPathComponent("worker")
        let taken = folder.appendingPathComponent("taken")
        try """
        #!/bin/bash
        echo '{"ready":{"build":"library"}}'
        while read -r line; do
            case $line in
                '{"open"'*) echo '{"opened":{"events":1}}' ;;
                '{"finish"'*) echo '{"finished":{"_0":{"counts":{}}}}' ;;
                '{"countAllocations"'*) echo '{"counted":{}}' ;;
                *)
                    echo >>'\(taken.path)'
                    lines=$(wc -l <'\(taken.path)')
                    reason=; if ((lines <= \(count))); then reason=',"disturbance":"descheduled"'; fi
                    echo '{"sampled":{"_0":{"events":1,"nanoseconds":1,"value":1,"hardware":{}'"$reason"'}}}'
                    ;;
            esac
        done
        """.write(to: worker, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker.path)
        let entry = ScenarioEntry("x", direct: { _ in fatalError() }, library: { _ in fatalError() })
        let suite = Suite(
            names: BuildNames(), main: worker.path, alternative: nil,
            settings: Settings(spin: Spin(roundsPerMicrosecond: 1)), samples: 6)
        let reports = suite.run([entry])
        #expect(suite.failures == [])
        let lines = try String(contentsOf: taken, encoding: .utf8).count
        return (try #require(reports.first), lines)
    }

    /// Two samples make a round, of `direct` and the library.
    @Test func aDisturbedRunIsMeasuredAgainAtTheEnd() throws {
        // The first round is taken three times.
        let brief = try run(disturbing: 4)
        #expect(brief.samples == 2 * 8 && brief.report.machine?.disturbed == 0 && brief.report.machine?.repeated == 2)
        // All repeats are used up in the first three rounds; all six are disturbed, and then all are replaced but one.
        let long = try run(disturbing: 2 * 18)
        #expect(long.report.machine?.isMarked == false && long.report.machine?.disturbed == 1)
        #expect(long.samples == 2 * (18 + 5) && long.report.builds["library"]?.passes?.count == 6)
        // It stays busy: two passes more, each of three rounds, and no further one.
        let always = try run(disturbing: 1_000)
        #expect(always.samples == 2 * (18 + 6) && always.report.machine?.disturbed == 6)
        #expect(always.report.machine?.isMarked == true && always.report.machine?.rounds == 6)
    }

    /// A run of six passes, three times as slow as the earlier build, in which the machine took half of the time of the main one's
    /// samples in `disturbed` of them.
    private func report(disturbed: Int, factor: Double = 3) -> ScenarioReport {
        var collected = CollectedSamples()
        for number in 0..<6 {
            collected.beginPass(of: [.library, .earlier])
            var samples = [(Build.library, sample(10 * factor)), (Build.earlier, sample(10))]
            if number < disturbed { samples[0].1.lostShare = 0.5 }
            collected.add(
                Round(
                    samples: samples.map { (build: $0.0, sample: $0.1) }, repeats: 1,
                    disturbance: number < disturbed ? .descheduled : nil))
        }
        let entry = ScenarioEntry("x", direct: { _ in fatalError() }, library: { _ in fatalError() })
        return collected.report(entry, BuildNames())
    }

    /// A disturbance makes an interval wider by as much as it may have changed the figures. A larger change is still found.
    @Test func aDisturbanceWidensTheInterval() throws {
        func row(_ disturbed: Int, _ factor: Double) throws -> Comparison.Row {
            let run = report(disturbed: disturbed, factor: factor)
            let report = Report(host: SampleReports.host, scenarios: [run], failures: [])
            return try #require(Comparison(within: report).rows.first)
        }
        #expect(report(disturbed: 6).machine?.unevenness == 2)
        #expect(abs((report(disturbed: 3).machine?.unevenness ?? 0) - 2.squareRoot()) < 1e-9)
        let found = try row(6, 3)
        #expect(found.isRegression && abs((found.change?.low ?? 0) - 1.5) < 1e-9)
        let small = try row(6, 1.5)
        #expect(small.verdict == .inconclusive && !small.isRegression)
        #expect(small.reason == "the machine disturbed 6 of 6 rounds (descheduled); measure again")
        #expect(try row(1, 1.5).isRegression)
    }

    /// What disturbs one build in one round and the other one in the next is in the spread of the samples, and widens nothing.
    @Test func disturbancesThatCancelWidenNothing() {
        var collected = CollectedSamples()
        for number in 0..<6 {
            collected.beginPass(of: [.library, .earlier])
            var samples = [sample(10), sample(10)]
            samples[number % 2].lostShare = 0.5
            collected.add(
                Round(samples: [(.library, samples[0]), (.earlier, samples[1])], repeats: 0, disturbance: .descheduled))
        }
        let entry = ScenarioEntry("x", direct: { _ in fatalError() }, library: { _ in fatalError() })
        let machine = collected.report(entry, BuildNames()).machine
        #expect(machine?.disturbed == 6 && abs((machine?.unevenness ?? 0) - 1) < 1e-9)
    }

    /// A scenario that is still disturbed is marked.
    @Test func disturbedScenariosAreMarked() {
        let clean = Report(host: SampleReports.host, scenarios: [report(disturbed: 1)], failures: [])
        #expect(ReportText.warnings(of: clean) == [])
        let marked = Report(host: SampleReports.host, scenarios: [report(disturbed: 2)], failures: [])
        #expect(
            ReportText.markdown(of: marked)
                .contains("**Warning:** the machine disturbed rounds (descheduled) of x (2 of 6)."))
        let text = ReportText.text(of: marked)
        #expect(text.contains("Warning: the machine disturbed rounds (descheduled) of scenarios marked with !."))
        #expect(text.contains("\nx !"))
        #expect(marked.scenarios[0].machine?.repeated == 6)
    }

    /// What other programs take from a scenario of one thread isn't in its figure.
    @Test func aScenarioOfOneThreadIsMeasuredByTheProcessor() throws {
        final class Waiting: Scenario {
            func run(events: Int) { Thread.sleep(forTimeInterval: 0.02) }
            func verify() {}
        }
        func sample(isThreaded: Bool) throws -> Sample {
            let entry = ScenarioEntry(
                "a", isThreaded: isThreaded, direct: { _ in Waiting() }, library: { _ in Waiting() })
            return try Sampler(entry, Waiting()).sample()
        }
        let alone = try sample(isThreaded: false)
        #expect(alone.nanoseconds > 20_000_000 && alone.value < 5_000_000 && alone.processorNanoseconds != nil)
        let threaded = try sample(isThreaded: true)
        #expect(threaded.value > 20_000_000 && threaded.processorNanoseconds == nil)
        var collected = CollectedSamples()
        collected.beginPass(of: [.library])
        collected.add(alone, of: .library)
        let entry = ScenarioEntry("a", direct: { _ in Waiting() }, library: { _ in Waiting() })
        let figures = try #require(collected.report(entry, BuildNames()).builds["library"])
        #expect(figures.median == alone.value && (figures.clockMedian ?? 0) > 20_000_000)
    }

    /// A process that sleeps isn't descheduled: it gave the processor up itself.
    @Test func sleepingIsNoDisturbance() {
        let watch = MachineWatch()
        Thread.sleep(forTimeInterval: 0.01)
        #expect(watch.loop > 0 && watch.end(countsDescheduling: false).disturbance != .descheduled)
    }
}

extension Sample {
    fileprivate func with(switches: UInt64, faults: UInt64, instructions: UInt64) -> Sample {
        var sample = self
        sample.contextSwitches = switches
        sample.pageFaults = faults
        sample.hardware.instructions = instructions
        return sample
    }
}
