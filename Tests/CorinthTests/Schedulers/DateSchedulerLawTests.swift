import CorinthTesting
import Dispatch
import Foundation
import Testing

@testable import Corinth

/// Delays and repetitions on every scheduler with a clock. No test depends on how much time passes.
struct DateSchedulerLawTests {
    /// Schedules several actions before any of them is due. If the time wasn't enough, it tries again with more.
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

    @Test(arguments: SchedulerKind.dated)
    func `A thousand actions with random dates run in the order of their dates`(kind: SchedulerKind) async {
        let scheduler = kind.makeDated()
        var random = SeededGenerator(seed: 1)
        // The dates have microsecond precision, and some are equal.
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

    @Test(arguments: SchedulerKind.timed)
    func `What became due while the scheduler was busy runs in the order of the dates`(kind: SchedulerKind) async {
        let scheduler = kind.makeDated()
        var random = SeededGenerator(seed: 2)
        let offsets = (0..<50).map { _ in Double(Int.random(in: 0..<5_000, using: &random)) / 1e6 }
        let runs = Atomic<[Int]>([])
        let isBusy = Flag()
        let idle = DispatchSemaphore(value: 0)
        scheduler.schedule {
            isBusy.raise()
            idle.wait()
        }
        #expect(await scheduler.eventually { isBusy.isRaised })
        var last = scheduler.currentDate
        scheduleBefore(scheduler) { begin, disposables in
            for (number, offset) in offsets.enumerated() {
                disposables += scheduler.schedule(after: begin.addingTimeInterval(offset)) {
                    if !disposables.isDisposed { runs.modify { $0.append(number) } }
                }
            }
            last = begin.addingTimeInterval(0.005)
        }
        #expect(await Stress.eventually { scheduler.currentDate > last })
        idle.signal()
        #expect(await scheduler.eventually { runs.value.count == 50 })
        #expect(runs.value == offsets.indices.sorted { (offsets[$0], $0) < (offsets[$1], $1) })
    }

    @Test(arguments: SchedulerKind.dated)
    func `C1: an action may dispose of another action with the same date`(kind: SchedulerKind) async {
        let scheduler = kind.makeDated()
        let (leaks, runs, done) = (LeakCounter(), Counter(), Flag())
        scheduleBefore(scheduler) { begin, disposables in
            let next = SerialDisposable()
            disposables += scheduler.schedule(after: begin) { next.dispose() }
            next.inner = scheduler.schedule(after: begin) { [token = leaks.token()] in
                token.touch()
                runs.increment()
            }
            disposables += next
            disposables += scheduler.schedule(after: begin.addingTimeInterval(0.001)) { done.raise() }
        }
        #expect(await scheduler.eventually { done.isRaised })
        #expect(runs.value == 0)
        #expect(leaks.count == 0)
    }

    @Test(arguments: SchedulerKind.dated)
    func `The scheduler holds scheduled actions, and releases them after they have run`(kind: SchedulerKind) async {
        let scheduler = kind.makeDated()
        let (leaks, runs) = (LeakCounter(), Counter())
        for number in 0..<10 {
            scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(Double(number) / 1e3)) {
                [token = leaks.token()] in
                token.touch()
                runs.increment()
            }
        }
        #expect(await scheduler.eventually { leaks.count == 0 })
        #expect(runs.value == 10)
    }

    @Test(arguments: SchedulerKind.dated)
    func `A delayed or repeated action is released when it is disposed of`(kind: SchedulerKind) {
        let scheduler = kind.makeDated()
        let (leaks, runs) = (LeakCounter(), Counter())
        let later = scheduler.currentDate.addingTimeInterval(3_600)
        let delayed = scheduler.schedule(after: later) { [token = leaks.token()] in
            token.touch()
            runs.increment()
        }
        let repeated = scheduler.schedule(after: later, interval: .seconds(1), leeway: .milliseconds(1)) {
            [token = leaks.token()] in
            token.touch()
            runs.increment()
        }
        #expect(leaks.count == 2)
        for disposable in [delayed, repeated] {
            #expect(disposable?.isDisposed == false)
            disposable?.dispose()
            #expect(disposable?.isDisposed == true)
        }
        #expect(leaks.count == 0)
        #expect(runs.value == 0)
    }

    @Test(arguments: SchedulerKind.dated)
    func `A repetition continues until it is disposed of, also inside its own action`(kind: SchedulerKind) async {
        let scheduler = kind.makeDated()
        let (leaks, runs) = (LeakCounter(), Counter())
        let handle = SerialDisposable()
        // The first run may come before the handle is set.
        handle.inner = scheduler.schedule(
            after: scheduler.currentDate.addingTimeInterval(0.001), interval: .milliseconds(1), leeway: .seconds(0)
        ) { [token = leaks.token()] in
            token.touch()
            if runs.increment() == 5 { handle.dispose() }
        }
        #expect(await scheduler.eventually { leaks.count == 0 })
        #expect(runs.value == 5)
        #expect(handle.isDisposed)
    }

    @Test(arguments: SchedulerKind.timed)
    func `C1: repetitions and delayed actions run one at a time`(kind: SchedulerKind) async {
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

    @Test func `Threads delay and dispose concurrently: each action runs once or is released`() {
        let schedulers = (0..<3).map { QueueScheduler(name: "threads \($0)") }
        let (leaks, runs, disposals) = (LeakCounter(), Counter(), Counter())
        ThreadGroup.run(4) { index in
            for number in 0..<1_000 {
                let scheduler = schedulers[number % 3]
                let date = scheduler.currentDate.addingTimeInterval(Double(number % 20) / 1e3)
                let disposable = scheduler.schedule(after: date) { [token = leaks.token()] in
                    token.touch()
                    runs.increment()
                }
                if number % 2 == index % 2 {
                    disposable?.dispose()
                    disposals.increment()
                }
            }
        }
        #expect(Stress.eventually { leaks.count == 0 })
        #expect(disposals.value == 2_000)
        #expect(runs.value >= 2_000)
        #expect(runs.value <= 4_000)
    }
}
