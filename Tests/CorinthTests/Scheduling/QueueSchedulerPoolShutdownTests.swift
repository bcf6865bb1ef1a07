@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// How a pool ends.
@Suite("QueueSchedulerPool, shutdown")
struct QueueSchedulerPoolShutdownTests {
    typealias Shutdown = QueueSchedulerPool.Shutdown

    @Test(
        "An idle pool ends at once; what comes afterwards is refused, let go of and counted", arguments: [true, false])
    func idle(drains: Bool) async {
        let pool = QueueSchedulerPool(count: 2)
        let live = Live()
        await pool.shutDown(drains ? .draining : .cancelling)
        #expect(pool.lifetime.hasEnded)
        let runs = Counter()
        let late = [
            pool.next.schedule { [token = live.token()] in
                token.touch()
                runs.increment()
            },
            pool.next.schedule(after: Date().addingTimeInterval(0.001)) { [token = live.token()] in
                token.touch()
                runs.increment()
            },
            pool.next.schedule(after: Date(), interval: .milliseconds(1)) { [token = live.token()] in
                token.touch()
                runs.increment()
            },
        ]
        #expect(late.allSatisfy { $0?.isDisposed == true })
        #expect(live.count == 0 && runs.value == 0)
        #expect(pool.statistics.refused == 3 && pool.statistics.executed == 0 && pool.statistics.queued == 0)
        // A second time does nothing but come back.
        await pool.shutDown(.draining)
        await pool.shutDown(.cancelling)
    }

    @Test("Draining runs all that waits, and what that schedules on any scheduler of the pool")
    func draining() async {
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
        // From outside, nothing is taken any more.
        #expect(pool.next.schedule { runs.increment() }?.isDisposed == true)
        #expect(!ended.isRaised && !pool.lifetime.hasEnded)
        for gate in gates { gate.signal() }
        #expect(await Stress.eventually { ended.isRaised })
        #expect(runs.value == 600)
        let statistics = pool.statistics
        #expect(statistics.executed == 602 && statistics.refused == 1 && statistics.cancelled == 0)
    }

    @Test("Cancelling lets what has begun end, and drops the rest: run and dropped are all that was scheduled")
    func cancelling() async {
        let pool = QueueSchedulerPool(count: 2)
        let live = Live()
        let sent = 2_000
        let ran = Counter()
        let inAction = Flag()
        let gate = DispatchSemaphore(value: 0)
        pool.schedulers[0].schedule {
            inAction.raise()
            gate.wait()
            ran.increment()
            // From inside, too, nothing is taken any more.
            pool.schedulers[1].schedule { ran.increment() }
        }
        for _ in 1..<sent {
            pool.next.schedule { [token = live.token()] in
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
        #expect(live.count == 0)
        let statistics = pool.statistics
        #expect(statistics.executed == ran.value && ran.value >= 1 && ran.value < sent)
        #expect(statistics.executed + statistics.cancelled == sent)
        #expect(statistics.refused == 1 && statistics.queued == 0)
    }

    @Test("A pool that drains can still be told to cancel")
    func drainingThenCancelling() async {
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

    @Test("Timers whose time has not come are cancelled and let go of", arguments: [true, false])
    func timers(drains: Bool) async {
        let scheduler = TestScheduler()
        let pool = QueueSchedulerPool(over: [scheduler])
        let live = Live()
        let start = scheduler.currentDate
        let once = pool.next.schedule(after: start.addingTimeInterval(1)) { [token = live.token()] in token.touch() }
        let repeated = pool.next.schedule(after: start.addingTimeInterval(1), interval: .seconds(1)) {
            [token = live.token()] in token.touch()
        }
        #expect(live.count == 2)
        await pool.shutDown(drains ? .draining : .cancelling)
        #expect(live.count == 0)
        await scheduler.advance(by: .seconds(5))
        #expect(pool.statistics.executed == 0)
        withExtendedLifetime((once, repeated)) {}
    }

    @Test("An action may shut its own pool down", arguments: [true, false])
    func fromInside(drains: Bool) async {
        let pool = QueueSchedulerPool(count: 2)
        let ended = Flag()
        let runs = Counter()
        pool.next.schedule {
            pool.shutDown(drains ? .draining : .cancelling) { ended.raise() }
            if ended.isRaised { runs.increment() }
        }
        #expect(await Stress.eventually { ended.isRaised })
        #expect(runs.value == 0, "the end came before the action's")
    }

    @Test("A pool that is let go of leaves its schedulers working, and nothing behind")
    func lettingGo() async {
        let live = Live()
        let runs = Counter()
        do {
            let scheduler = QueueSchedulerPool(count: 2).next
            scheduler.schedule { [token = live.token()] in
                token.touch()
                runs.increment()
            }
        }
        #expect(await Stress.eventually { runs.value == 1 && live.count == 0 })
    }
}
