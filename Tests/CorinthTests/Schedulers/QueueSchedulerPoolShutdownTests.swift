@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// The shutdown of a pool.
@Suite("QueueSchedulerPool, shutdown")
struct QueueSchedulerPoolShutdownTests {
    typealias Shutdown = QueueSchedulerPool.Shutdown

    @Test(arguments: [true, false])
    func `An idle pool ends at once; later actions are refused, released and counted`(drains: Bool) async {
        let pool = QueueSchedulerPool(count: 2)
        let leaks = LeakCounter()
        await pool.shutDown(drains ? .draining : .cancelling)
        #expect(pool.lifetime.hasEnded)
        let runs = Counter()
        let late = [
            pool.next.schedule { [token = leaks.token()] in
                token.touch()
                runs.increment()
            },
            pool.next.schedule(after: Date().addingTimeInterval(0.001)) { [token = leaks.token()] in
                token.touch()
                runs.increment()
            },
            pool.next.schedule(after: Date(), interval: .milliseconds(1)) { [token = leaks.token()] in
                token.touch()
                runs.increment()
            },
        ]
        #expect(late.allSatisfy { $0?.isDisposed == true })
        #expect(leaks.count == 0 && runs.value == 0)
        #expect(pool.statistics.refused == 3 && pool.statistics.executed == 0 && pool.statistics.queued == 0)
        // A second call only returns.
        await pool.shutDown(.draining)
        await pool.shutDown(.cancelling)
    }

    @Test func `Draining runs all queued actions, and the actions that they schedule on any scheduler of the pool`()
        async
    {
        let pool = QueueSchedulerPool(count: 2)
        let gates = (0..<2).map { _ in DispatchSemaphore(value: 0) }
        let runs = Counter()
        for index in 0..<2 {
            pool.schedulers[index].schedule { gates[index].wait() }
            for _ in 0..<100 {
                pool.schedulers[index].schedule {
                    runs.increment()
                    pool.schedulers[1 - index].schedule {
                        runs.increment()
                        pool.schedulers[index].schedule { runs.increment() }
                    }
                }
            }
        }
        let ended = Flag()
        pool.shutDown(.draining) { ended.raise() }
        // Actions from outside are no longer accepted.
        #expect(pool.next.schedule { runs.increment() }?.isDisposed == true)
        #expect(!ended.isRaised && !pool.lifetime.hasEnded)
        for gate in gates { gate.signal() }
        #expect(await Stress.eventually { ended.isRaised })
        #expect(runs.value == 600)
        let statistics = pool.statistics
        #expect(statistics.executed == 602 && statistics.refused == 1 && statistics.cancelled == 0)
    }

    @Test func `Draining runs an action whose date had passed when it was scheduled`() async {
        let pool = QueueSchedulerPool(count: 1)
        let gate = DispatchSemaphore(value: 0)
        let runs = Counter()
        pool.next.schedule { gate.wait() }
        pool.next.schedule(after: .distantPast) { runs.increment() }
        let ended = Flag()
        pool.shutDown(.draining) { ended.raise() }
        gate.signal()
        #expect(await Stress.eventually { ended.isRaised })
        #expect(runs.value == 1)
    }

    @Test
    func `Cancelling lets running actions finish and drops the rest: every scheduled action has run or was dropped`()
        async
    {
        let pool = QueueSchedulerPool(count: 2)
        let leaks = LeakCounter()
        let sent = 2_000
        let ran = Counter()
        let inAction = Flag()
        let gate = DispatchSemaphore(value: 0)
        pool.schedulers[0].schedule {
            inAction.raise()
            gate.wait()
            ran.increment()
            // Actions from inside are no longer accepted, either.
            pool.schedulers[1].schedule { ran.increment() }
        }
        for _ in 1..<sent {
            pool.next.schedule { [token = leaks.token()] in
                token.touch()
                ran.increment()
            }
        }
        #expect(await Stress.eventually { inAction.isRaised })
        let ended = Flag()
        pool.shutDown(.cancelling) { ended.raise() }
        #expect(!ended.isRaised)
        gate.signal()
        #expect(await Stress.eventually { ended.isRaised })
        #expect(leaks.count == 0)
        let statistics = pool.statistics
        #expect(statistics.executed == ran.value && ran.value >= 1 && ran.value < sent)
        #expect(statistics.executed + statistics.cancelled == sent)
        #expect(statistics.refused == 1 && statistics.queued == 0)
    }

    @Test func `A draining pool can still be cancelled`() async {
        let pool = QueueSchedulerPool(count: 1)
        let gate = DispatchSemaphore(value: 0)
        let inAction = Flag()
        let runs = Counter()
        pool.next.schedule {
            inAction.raise()
            gate.wait()
        }
        for _ in 0..<10 { pool.next.schedule { runs.increment() } }
        #expect(await Stress.eventually { inAction.isRaised })
        let ended = Counter()
        pool.shutDown(.draining) { ended.increment() }
        pool.shutDown(.cancelling) { ended.increment() }
        pool.shutDown(.draining) { ended.increment() }
        gate.signal()
        #expect(await Stress.eventually { ended.value == 3 })
        #expect(runs.value == 0 && pool.statistics.cancelled == 10)
    }

    @Test(arguments: [true, false])
    func `Pending timers are cancelled and released`(drains: Bool) async {
        let scheduler = TestScheduler()
        let pool = QueueSchedulerPool(over: [scheduler])
        let leaks = LeakCounter()
        let start = scheduler.currentDate
        let once = pool.next.schedule(after: start.addingTimeInterval(1)) { [token = leaks.token()] in token.touch() }
        let repeated = pool.next.schedule(after: start.addingTimeInterval(1), interval: .seconds(1)) {
            [token = leaks.token()] in token.touch()
        }
        #expect(leaks.count == 2)
        await pool.shutDown(drains ? .draining : .cancelling)
        #expect(leaks.count == 0)
        await scheduler.advance(by: .seconds(5))
        #expect(pool.statistics.executed == 0)
        withExtendedLifetime((once, repeated)) {}
    }

    @Test(arguments: [true, false])
    func `An action may shut its own pool down`(drains: Bool) async {
        let pool = QueueSchedulerPool(count: 2)
        let ended = Flag()
        let runs = Counter()
        pool.next.schedule {
            pool.shutDown(drains ? .draining : .cancelling) { ended.raise() }
            if ended.isRaised { runs.increment() }
        }
        #expect(await Stress.eventually { ended.isRaised })
        #expect(runs.value == 0, "the pool ended before its action had finished")
    }

    @Test func `A pool that is released leaves its schedulers running, and nothing else behind`() async {
        let leaks = LeakCounter()
        let runs = Counter()
        do {
            let scheduler = QueueSchedulerPool(count: 2).next
            scheduler.schedule { [token = leaks.token()] in
                token.touch()
                runs.increment()
            }
        }
        #expect(await Stress.eventually { runs.value == 1 && leaks.count == 0 })
    }
}
