import Corinth
import CorinthServices
import CorinthTesting

extension OperatorRegistry {
    /// Operators on a pool; the pool here uses virtual time. Values with different keys can overtake one another, so all values
    /// have the same key. The other partition receives only the terminating event.
    mutating func addPools() {
        let waits: OperatorEntry.Facts = [.holds, .mayWait, .hopsEnd, .timed, .keepsLast]
        add(
            "observe(on:by:_:)", waits,
            signal: { s, b in s.observe(on: b.pool, by: b.hook { (_: Item) in 0 }) { partition in partition.map { $0 } }
            },
            producer: { p, b in
                p.observe(on: b.pool, by: b.hook { (_: Item) in 0 }) { partition in partition.map { $0 } }
            })
        add(
            "observe(on:by:bufferingPolicy:statistics:_:)", "with the scheduler", waits,
            signal: { s, b in s.observe(on: b.pool, by: b.hook { (_: Item) in 0 }) { partition, _ in partition } },
            producer: { p, b in p.observe(on: b.pool, by: b.hook { (_: Item) in 0 }) { partition, _ in partition } })
        add(
            "observe(on:latestBy:statistics:_:)", waits,
            signal: { s, b in
                s.observe(on: b.pool, latestBy: b.hook { (_: Item) in 0 }) { partition in partition.map { $0 } }
            },
            producer: { p, b in
                p.observe(on: b.pool, latestBy: b.hook { (_: Item) in 0 }) { partition in partition.map { $0 } }
            })
        add(
            "parallelMap(on:limit:ordered:_:)", waits,
            signal: { s, b in s.parallelMap(on: b.pool, b.hook { (item: Item) in item }) },
            producer: { p, b in p.parallelMap(on: b.pool, b.hook { (item: Item) in item }) })
        add(
            "parallelMap(on:limit:ordered:_:)", "in any order", waits.union(.changesValues),
            signal: { s, b in s.parallelMap(on: b.pool, ordered: false, b.hook { (item: Item) in item }) },
            producer: { p, b in p.parallelMap(on: b.pool, ordered: false, b.hook { (item: Item) in item }) })
        add(
            "observe(on:)", "a scheduler of a pool", waits,
            signal: { s, b in s.observe(on: b.pool.next) },
            producer: { p, b in p.observe(on: b.pool.next) })
        add(
            "observe(on:)", "an executor", waits,
            signal: { s, b in s.observe(on: b.executor) },
            producer: { p, b in p.observe(on: b.executor) })
        add(
            "flatMap(_:on:_:)", waits,
            signal: { s, b in
                s.flatMap(
                    .concat, on: b.pool, b.hook { (item: Item) in SignalProducer<Item, TestError>([item, item]) })
            },
            producer: { p, b in
                p.flatMap(
                    .concat, on: b.pool, b.hook { (item: Item) in SignalProducer<Item, TestError>([item, item]) })
            })
    }
}

extension HarnessInputs {
    /// A pool of two schedulers in virtual time.
    fileprivate var pool: QueueSchedulerPool { QueueSchedulerPool(over: [scheduler, scheduler]) }

    /// A scheduler on an executor whose tasks run in virtual time.
    fileprivate var executor: ExecutorScheduler { ExecutorScheduler(taskExecutor: VirtualExecutor(scheduler)) }
}

/// Runs tasks when a test scheduler advances.
private final class VirtualExecutor: TaskExecutor {
    private let scheduler: TestScheduler

    init(_ scheduler: TestScheduler) {
        self.scheduler = scheduler
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        scheduler.schedule { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
