import CorinthTesting
import Dispatch
import Foundation
import Testing

@testable import Corinth

/// Laws C1 and C2, on every scheduler.
struct SchedulerLawTests {
    @Test(arguments: SchedulerKind.allCases)
    func `C1: actions run in FIFO order`(kind: SchedulerKind) async {
        let scheduler = kind.make()
        let ledger = Ledger(senders: 1)
        await scheduler.runInside {
            for number in 0..<1_000 {
                scheduler.schedule { ledger.receive(.value(Letter(sender: 0, number: number))) }
            }
        }
        #expect(ledger.count == 1_000)
        #expect(ledger.isInOrder)
    }

    @Test(arguments: SchedulerKind.allCases)
    func `C1: actions run one at a time, and each thread's actions in FIFO order`(kind: SchedulerKind) async {
        let scheduler = kind.make()
        let ledger = Ledger(senders: 4)
        let (running, overlaps) = (Presence(), Counter())
        await Task.detached {
            ThreadGroup.run(4) { sender in
                for number in 0..<1_000 {
                    scheduler.schedule {
                        if !running.enter() { overlaps.increment() }
                        ledger.receive(.value(Letter(sender: sender, number: number)))
                        running.leave()
                    }
                }
            }
        }.value
        await scheduler.finish()
        #expect(ledger.count == 4_000)
        #expect(ledger.isInOrder)
        #expect(overlaps.value == 0)
    }

    @Test(arguments: SchedulerKind.allCases)
    func `C1: an action that is disposed of doesn't run, and is released at once`(kind: SchedulerKind) async {
        let scheduler = kind.make()
        let (leaks, runs, rest) = (LeakCounter(), Counter(), Counter())
        await scheduler.runInside {
            let disposables = (0..<10).map { _ in
                scheduler.schedule { [token = leaks.token()] in
                    token.touch()
                    runs.increment()
                }
            }
            scheduler.schedule { rest.increment() }
            #expect(leaks.count == 10)
            for disposable in disposables {
                disposable?.dispose()
                disposable?.dispose()
                #expect(disposable?.isDisposed == true)
            }
            #expect(leaks.count == 0)
        }
        #expect(runs.value == 0)
        #expect(rest.value == 1)
    }

    @Test(arguments: SchedulerKind.allCases)
    func `C1: an action may dispose of the next action, and of itself`(kind: SchedulerKind) async {
        let scheduler = kind.make()
        let runs = Atomic<[Int]>([])
        await scheduler.runInside {
            let (own, next) = (SerialDisposable(), SerialDisposable())
            own.inner = scheduler.schedule {
                runs.modify { $0.append(0) }
                own.dispose()
                next.dispose()
            }
            next.inner = scheduler.schedule { runs.modify { $0.append(1) } }
            scheduler.schedule { runs.modify { $0.append(2) } }
        }
        #expect(runs.value == [0, 2])
    }

    @Test(arguments: SchedulerKind.allCases)
    func `C1: if a disposal and a run are concurrent, one of them is first`(kind: SchedulerKind) async {
        let scheduler = kind.make()
        let (leaks, runs, late) = (LeakCounter(), Counter(), Counter())
        await Task.detached {
            for _ in 0..<1_000 {
                let disposed = Flag()
                let disposable = scheduler.schedule { [token = leaks.token()] in
                    token.touch()
                    runs.increment()
                    // The action has begun, so a disposal may come now, but not before.
                    if disposed.isRaised { late.increment() }
                }
                disposable?.dispose()
            }
        }.value
        await scheduler.finish()
        #expect(runs.value <= 1_000)
        #expect(late.value == 0)
        #expect(leaks.count == 0)
    }

    @Test(arguments: SchedulerKind.allCases)
    func `C2: an action that another action schedules runs after it`(kind: SchedulerKind) async {
        let scheduler = kind.make()
        let order = Atomic<[Int]>([])
        await scheduler.runInside {
            scheduler.schedule { order.modify { $0.append(2) } }
            if let dated = scheduler as? any DateScheduler {
                dated.schedule(after: .distantPast) { order.modify { $0.append(3) } }
            }
            order.modify { $0.append(1) }
        }
        #expect(order.value.first == 1)
        #expect(order.value.contains(2))
    }

    @Test(arguments: SchedulerKind.allCases)
    func `Actions that schedule the next one take constant stack`(kind: SchedulerKind) async {
        let scheduler = kind.make()
        let (runs, done) = (Counter(), Flag())
        let count = Stress.fewer(20_000)
        @Sendable func step() {
            if runs.increment() == count { done.raise() } else { scheduler.schedule(step) }
        }
        scheduler.schedule(step)
        if let test = scheduler as? TestScheduler { test.step() }
        #expect(await Stress.eventually { done.isRaised })
    }

    @Test(arguments: SchedulerKind.allCases)
    func `An action that has run is released, even if its disposable is still held`(kind: SchedulerKind) async {
        let scheduler = kind.make()
        let leaks = LeakCounter()
        let disposable = scheduler.schedule { [token = leaks.token()] in token.touch() }
        await scheduler.finish()
        #expect(await Stress.eventually { leaks.count == 0 })
        withExtendedLifetime(disposable) {}
    }
}

/// Checks that at most one thread is inside.
final class Presence: @unchecked Sendable {  // One atomic word.
    private let word = AtomicWord()

    /// Returns false if another thread is inside.
    func enter() -> Bool { word.fetchAdd(1, .acquireRelease) == 0 }

    func leave() { word.fetchSubtract(1, .acquireRelease) }
}
