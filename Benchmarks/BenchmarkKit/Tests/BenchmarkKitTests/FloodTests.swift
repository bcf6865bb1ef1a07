import Foundation
import Synchronization
import Testing

@testable import BenchmarkKit

/// Runs with a given time and not a given number of events.
@Suite struct FloodTests {
    /// Reports five events per millisecond.
    private final class Timed: Scenario {
        var asked: [Int] = []
        var done: TimedRun?

        var granularity: Int { 4 }

        func run(events: Int) {
            asked.append(events)
            done = TimedRun(
                events: 5 * events, nanoseconds: UInt64(events) * 1_000_000, contextSwitches: UInt64(10 * events))
        }

        func takeTimedRun() -> TimedRun? { done }

        func verify() {}

        var counts: [String: Int] { ["most": 3 * (asked.last ?? 0)] }
    }

    private func sample(_ measure: ScenarioEntry.Measure) throws -> (sample: Sample, asked: [Int]) {
        let scenario = Timed()
        let entry = ScenarioEntry(
            "timed", measure: measure, sampleMilliseconds: 32, isThreaded: true, direct: { _ in Timed() },
            library: { _ in Timed() })
        let sampler = Sampler(entry, scenario)
        try sampler.prepare()
        return (try sampler.sample(), scenario.asked)
    }

    @Test func aTimedRunHasTheEventsOfItsTime() throws {
        let (sample, asked) = try sample(.timePerEvent)
        // The sampler uses the time that the scenario reports, not the real one.
        #expect(asked.last == 32)
        #expect(sample.events == 160 && sample.nanoseconds == 32_000_000)
        #expect(sample.value == 200_000)
        #expect(sample.contextSwitches == 320)
        #expect(sample.isTimed == true)
    }

    @Test func aCountCanBeTheMeasure() throws {
        #expect(try sample(.count("most")).sample.value == 96)
        #expect(try sample(.count("least")).sample.value == 0)
    }

    @Test func aRunWithoutAnEventHasAFigure() {
        #expect(TimedRun(events: 0, nanoseconds: 7).nanosecondsPerEvent == 7)
    }

    @Test func eventsPerSecondAreOfAllSamplesTogether() throws {
        let entry = ScenarioEntry("x", isThreaded: true, direct: { _ in Timed() }, library: { _ in Timed() })
        var collected = CollectedSamples()
        collected.beginPass(of: [.direct, .library])
        for (events, isTimed) in [(10, true), (30, true)] {
            let sample = Sample(
                events: events, nanoseconds: 1000, isTimed: isTimed, value: 1, contextSwitches: nil, pageFaults: nil,
                hardware: HardwareCounters())
            collected.add(sample, of: .library)
            var counted = sample
            counted.isTimed = nil
            collected.add(counted, of: .direct)
        }
        let report = collected.report(entry, BuildNames())
        #expect(report.builds["library"]?.eventsPerSecond == 20_000_000)
        #expect(report.builds["direct"]?.eventsPerSecond == nil)
        let text = try #require(
            ReportText.threads(Report(host: SampleReports.host, scenarios: [report], failures: []))?.text())
        #expect(text.contains("events/s") && text.contains("20,000,000"))
    }

    @Test func aFloodTeamCountsItsCalls() throws {
        let team = FloodTeam(threads: 5)
        let calls = Atomic<Int>(0)
        var ends = 0
        for _ in 0..<3 {
            let before = team.callsByThread
            let first = Mutex([Int?](repeating: nil, count: 5))
            let run = team.run(milliseconds: 2, atEnd: { ends += 1 }) { thread, number in
                first.withLock { if $0[thread] == nil { $0[thread] = number } }
                calls.add(1, ordering: .relaxed)
            }
            let measured = try #require(run)
            #expect(measured.nanoseconds >= 2_000_000)
            #expect(measured.events <= team.calls)
            // The numbers of a thread's calls continue in the next run.
            for (number, already) in zip(first.withLock { $0 }, before) { #expect(number == nil || number == already) }
        }
        #expect(team.calls == calls.load(ordering: .relaxed) && team.calls > 0)
        #expect(ends == 3)
        team.end()
    }

    @Test func theLongestCallIsRecorded() throws {
        let team = FloodTeam(threads: 2)
        let isFirst = Atomic<Bool>(true)
        _ = try #require(
            team.run(milliseconds: 1) { _, _ in
                if isFirst.exchange(false, ordering: .relaxed) { usleep(30_000) }
            })
        #expect(team.longestCallMicroseconds >= 30_000)
        team.end()
    }

    @Test func anotherCountCanBeTheRate() throws {
        let team = FloodTeam(threads: 1)
        let count = Atomic<Int>(0)
        let run = try #require(
            team.run(milliseconds: 1, counting: { count.add(7, ordering: .relaxed).newValue }) { _, _ in })
        #expect(run.events.isMultiple(of: 7) && run.events >= 7)
        team.end()
    }

    @Test func aTeamThatHangsGivesNoRun() {
        // Its threads leak.
        let team = ThreadTeam(count: 2)
        let never = DispatchSemaphore(value: 0)
        let haveEnded = team.run(
            { member in if member == 1 { never.wait() } }, progress: { 0 }, stallSeconds: 0.05, meanwhile: {})
        #expect(!haveEnded)
        never.signal()
    }
}
