@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

@Suite("QueueSchedulerPool")
struct QueueSchedulerPoolTests {
    // MARK: Choosing a scheduler

    @Test func `A pool has as many schedulers as processors, or as requested, and they have names`() {
        #expect(QueueSchedulerPool().count == ProcessInfo.processInfo.activeProcessorCount)
        let pool = QueueSchedulerPool(count: 3, qos: .utility, name: "parser")
        #expect(pool.schedulers.map(\.name) == ["parser.0", "parser.1", "parser.2"])
        #expect(pool.statistics.schedulers.map(\.name) == ["parser.0", "parser.1", "parser.2"])
    }

    @Test func `next returns the schedulers in turn`() {
        let pool = QueueSchedulerPool(count: 3)
        let turns = (0..<6).map { _ in ObjectIdentifier(pool.next) }
        #expect(Set(turns.prefix(3)).count == 3)
        #expect(turns.prefix(3) == turns.suffix(3))
    }

    @Test func `leastLoaded returns the scheduler with the fewest actions; among equals, in turn`() {
        let scheduler = TestScheduler()
        let pool = QueueSchedulerPool(over: [scheduler, scheduler, scheduler])
        let schedulers = (0..<3).map { _ in pool.leastLoaded }
        #expect(Set(schedulers.map(ObjectIdentifier.init)).count == 3)
        schedulers[0].schedule {}
        schedulers[1].schedule {}
        for _ in 0..<4 { #expect(pool.leastLoaded === schedulers[2]) }
        for _ in 0..<3 { schedulers[2].schedule {} }
        for _ in 0..<4 { #expect(pool.leastLoaded !== schedulers[2]) }
        scheduler.advance()
        #expect(pool.statistics.queued == 0)
    }

    @Test func `A key keeps its scheduler; a few keys have one each, and many are spread evenly`() {
        let pool = QueueSchedulerPool(count: 4)
        let places = (0..<10_000).map { ObjectIdentifier(pool.scheduler(for: "key \($0)")) }
        #expect(places == (0..<10_000).map { ObjectIdentifier(pool.scheduler(for: "key \($0)")) })
        for scheduler in pool.schedulers {
            let share = places.count { $0 == ObjectIdentifier(scheduler) }
            #expect((2_000..<3_000).contains(share), "\(share) of 10,000 keys")
        }
        // Two keys share a slot once in 4,096 times.
        let apart = (0..<100).count { _ in
            let pool = QueueSchedulerPool(count: 2)
            return pool.scheduler(for: UUID()) !== pool.scheduler(for: UUID())
        }
        #expect(apart >= 95)
    }

    @Test func `A key keeps its scheduler, also if several threads ask for it concurrently for the first time`() {
        for _ in 0..<200 {
            let pool = QueueSchedulerPool(count: 3)
            let found = Atomic<Set<ObjectIdentifier>>([])
            ThreadGroup.run(4) { _ in
                let scheduler = ObjectIdentifier(pool.scheduler(for: 1))
                found.modify { $0.insert(scheduler) }
            }
            #expect(found.value.count == 1)
        }
    }

    // MARK: Its schedulers

    @Test func `C1: actions of one scheduler run one at a time in FIFO order; actions of two may run in parallel`() {
        let pool = QueueSchedulerPool(count: 2)
        let ledgers = (0..<2).map { _ in Ledger(senders: 1) }
        let meeting = Barrier(2)
        let done = DispatchGroup()
        for index in 0..<2 {
            // If one waited for the other, this would never return.
            pool.schedulers[index].schedule { meeting.arrive() }
            for number in 0..<1_000 {
                done.enter()
                pool.schedulers[index].schedule {
                    ledgers[index].receive(.value(Letter(sender: 0, number: number)))
                    done.leave()
                }
            }
        }
        done.wait()
        for ledger in ledgers { #expect(ledger.isInOrder && ledger.count == 1_000) }
    }

    @Test func `C1: an action that is disposed of doesn't run and is released at once`() {
        let scheduler = TestScheduler()
        let pool = QueueSchedulerPool(over: [scheduler])
        let leaks = LeakCounter()
        let runs = Counter()
        let disposable = pool.next.schedule { [token = leaks.token()] in
            token.touch()
            runs.increment()
        }
        #expect(disposable?.isDisposed == false && leaks.count == 1)
        disposable?.dispose()
        disposable?.dispose()
        #expect(disposable?.isDisposed == true && leaks.count == 0)
        scheduler.advance()
        #expect(runs.value == 0)
        let statistics = pool.statistics
        #expect(statistics.executed == 0 && statistics.cancelled == 1 && statistics.queued == 0)
    }

    @Test func `Timers run once, repeatedly, or at once, and can be disposed of`() {
        let scheduler = TestScheduler()
        let pool = QueueSchedulerPool(over: [scheduler])
        let log = Atomic<[String]>([])
        let leaks = LeakCounter()
        let start = scheduler.currentDate
        #expect(pool.next.currentDate == start)
        pool.next.schedule(after: start.addingTimeInterval(2)) { log.modify { $0.append("once") } }
        pool.next.schedule(after: start.addingTimeInterval(-1)) { log.modify { $0.append("past") } }
        let repeated = pool.next.schedule(after: start.addingTimeInterval(1), interval: .seconds(2)) {
            [token = leaks.token()] in
            token.touch()
            log.modify { $0.append("again") }
        }
        let never = pool.next.schedule(after: start.addingTimeInterval(1)) { log.modify { $0.append("never") } }
        never?.dispose()
        scheduler.advance(by: .seconds(3))
        #expect(log.value == ["past", "again", "once", "again"])
        repeated?.dispose()
        #expect(leaks.count == 0)
        scheduler.advance(by: .seconds(3))
        #expect(log.value.count == 4)
        #expect(pool.statistics.executed == 4 && pool.statistics.queued == 0)
    }

    @Test func `The statistics count executed, queued and cancelled actions, and the longest wait`() throws {
        let pool = QueueSchedulerPool(count: 2, name: "counted")
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let began = DispatchSemaphore(value: 0)
        pool.schedulers[0].schedule {
            began.signal()
            gate.wait()
        }
        began.wait()
        let waiting = pool.schedulers[0].schedule {}
        pool.schedulers[0].schedule { done.signal() }
        #expect(pool.schedulers[0].statistics.queued == 3)
        waiting?.dispose()
        #expect(pool.schedulers[0].statistics.queued == 2)
        let before = DispatchTime.now().uptimeNanoseconds
        while DispatchTime.now().uptimeNanoseconds < before + 2_000_000 {}
        gate.signal()
        done.wait()
        #expect(Stress.eventually { pool.statistics.queued == 0 })
        let rows = pool.statistics.schedulers
        #expect(rows.map(\.executed) == [2, 0] && rows.map(\.cancelled) == [1, 0])
        #expect(rows[0].longestWait >= 0.002 && rows[1].longestWait == 0)
        #expect(pool.statistics.longestWait == rows[0].longestWait)
        let text = "counted.1: 0 executed, 0 queued, 0 cancelled, 0 refused, longest wait 0.0 s"
        #expect("\(rows[1])" == text)
    }
}
