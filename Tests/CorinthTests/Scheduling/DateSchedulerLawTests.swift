import CorinthTesting
import Dispatch
import Foundation
import Testing

@testable import Corinth

/// What is delayed or repeated, on every scheduler that knows the time. Nothing depends on how much of it passes.
struct DateSchedulerLawTests {
    /// Schedules in one go, before any of it is due: again, with more time, if that wasn't enough.
    private func scheduleBefore(
        _ scheduler: any DateScheduler, _ schedule: (Date, CompositeDisposable) -> Void
    ) {
        var lead = 0.25
        while true {
            let begin = scheduler.currentDate.addingTimeInterval(lead)
            let disposables = CompositeDisposable()
            schedule(begin, disposables)
            if scheduler.currentDate < begin { return }
            disposables.dispose()
            lead *= 2
        }
    }

    @Test("A thousand actions at random run in the order of their dates", arguments: SchedulerKind.dated)
    func orderOfDates(kind: SchedulerKind) async {
        let scheduler = kind.makeDated()
        var random = SeededGenerator(seed: 1)
        // To the microsecond, some of them the same.
        let offsets = (0..<1_000).map { _ in Double(Int.random(in: 0..<20_000, using: &random)) / 1e6 }
        let expected = offsets.indices.sorted { (offsets[$0], $0) < (offsets[$1], $1) }
        let runs = Atomic<[Int]>([])
        let early = Counter()
        scheduleBefore(scheduler) { begin, disposables in
            runs.value = []
            for (number, offset) in offsets.enumerated() {
                let date = begin.addingTimeInterval(offset)
                disposables += scheduler.schedule(after: date) {
                    if scheduler.currentDate < date { early.increment() }
                    if disposables.isDisposed { return }
                    runs.modify { $0.append(number) }
                }
            }
        }
        #expect(await scheduler.eventually { runs.value.count == 1_000 })
        #expect(runs.value == expected)
        #expect(early.value == 0)
    }

    @Test("C1: one of two at the same time may dispose of the other", arguments: SchedulerKind.dated)
    func disposalOfTheNext(kind: SchedulerKind) async {
        let scheduler = kind.makeDated()
        let (live, runs, done) = (Live(), Counter(), Flag())
        scheduleBefore(scheduler) { begin, disposables in
            let next = SerialDisposable()
            disposables += scheduler.schedule(after: begin) { next.dispose() }
            next.inner = scheduler.schedule(after: begin) { [token = live.token()] in
                token.touch()
                runs.increment()
            }
            disposables += next
            disposables += scheduler.schedule(after: begin.addingTimeInterval(0.001)) { done.raise() }
        }
        #expect(await scheduler.eventually { done.isRaised })
        #expect(runs.value == 0)
        #expect(live.count == 0)
    }

    @Test("Nobody need hold what is scheduled, and what has run is let go of", arguments: SchedulerKind.dated)
    func retention(kind: SchedulerKind) async {
        let scheduler = kind.makeDated()
        let (live, runs) = (Live(), Counter())
        for number in 0..<10 {
            scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(Double(number) / 1e3)) {
                [token = live.token()] in
                token.touch()
                runs.increment()
            }
        }
        #expect(await scheduler.eventually { live.count == 0 })
        #expect(runs.value == 10)
    }

    @Test("What is delayed or repeated is let go of when it is disposed of", arguments: SchedulerKind.dated)
    func lettingGo(kind: SchedulerKind) {
        let scheduler = kind.makeDated()
        let (live, runs) = (Live(), Counter())
        let later = scheduler.currentDate.addingTimeInterval(3_600)
        let delayed = scheduler.schedule(after: later) { [token = live.token()] in
            token.touch()
            runs.increment()
        }
        let repeated = scheduler.schedule(after: later, interval: .seconds(1), leeway: .milliseconds(1)) {
            [token = live.token()] in
            token.touch()
            runs.increment()
        }
        #expect(live.count == 2)
        for disposable in [delayed, repeated] {
            #expect(disposable?.isDisposed == false)
            disposable?.dispose()
            #expect(disposable?.isDisposed == true)
        }
        #expect(live.count == 0)
        #expect(runs.value == 0)
    }

    @Test("A repetition goes on until it is ended, from inside as well", arguments: SchedulerKind.dated)
    func repetition(kind: SchedulerKind) async {
        let scheduler = kind.makeDated()
        let (live, runs) = (Live(), Counter())
        let handle = SerialDisposable()
        // The first run may come before the handle has it.
        handle.inner = scheduler.schedule(
            after: scheduler.currentDate.addingTimeInterval(0.001), interval: .milliseconds(1), leeway: .seconds(0)
        ) { [token = live.token()] in
            token.touch()
            if runs.increment() == 5 { handle.dispose() }
        }
        #expect(await scheduler.eventually { live.count == 0 })
        #expect(runs.value == 5)
        #expect(handle.isDisposed)
    }

    @Test("C1: repetitions and delays run one at a time", arguments: SchedulerKind.timed)
    func oneAtATime(kind: SchedulerKind) async {
        let scheduler = kind.makeDated()
        let (running, overlaps, runs) = (Presence(), Counter(), Counter())
        let repetitions = (1...5).map { number in
            scheduler.schedule(after: scheduler.currentDate, interval: .microseconds(100 * number), leeway: .seconds(0))
            {
                if !running.enter() { overlaps.increment() }
                Work.spin(100)
                running.leave()
                runs.increment()
            }
        }
        #expect(await scheduler.eventually { runs.value >= 500 })
        for repetition in repetitions { repetition?.dispose() }
        #expect(overlaps.value == 0)
    }

    @Test("Threads that delay and dispose at the same time: each action runs once or is let go of")
    func threads() {
        let schedulers = (0..<3).map { QueueScheduler(name: "threads \($0)") }
        let (live, runs, disposals) = (Live(), Counter(), Counter())
        Crew.run(4) { index in
            for number in 0..<1_000 {
                let scheduler = schedulers[number % 3]
                let date = scheduler.currentDate.addingTimeInterval(Double(number % 20) / 1e3)
                let disposable = scheduler.schedule(after: date) { [token = live.token()] in
                    token.touch()
                    runs.increment()
                }
                if number % 2 == index % 2 {
                    disposable?.dispose()
                    disposals.increment()
                }
            }
        }
        #expect(Stress.eventually { live.count == 0 })
        #expect(disposals.value == 2_000)
        #expect(runs.value >= 2_000)
        #expect(runs.value <= 4_000)
    }
}
