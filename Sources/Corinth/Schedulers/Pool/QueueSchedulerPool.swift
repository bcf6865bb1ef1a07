public import Dispatch

/// A fixed number of serial schedulers, on dispatch queues, that share work.
///
/// ```swift
/// let pool = QueueSchedulerPool(qos: .userInitiated, name: "parser")
/// requests
///     .observe(on: pool, by: \.client) { partition in partition.map(parse) }
///     .observeValues { print($0) }
/// await pool.shutDown(.draining)
/// ```
///
/// A pool isn't a ``Scheduler``: a scheduler runs one action at a time (law [C1](doc:Contracts#C1-One-at-a-time)), a pool runs
/// several. The pool returns its schedulers: ``next`` round-robin, ``leastLoaded``, and ``scheduler(for:)`` by key.
///
/// The number of schedulers is fixed. If it changed, keys would have to move, and would have to wait for their values on the
/// old scheduler. Instead, create another pool and shut this one down.
///
/// ## Concurrency
/// All members are thread-safe.
public final class QueueSchedulerPool: @unchecked Sendable {  // An atomic word; the rest is immutable.
    private let picks = AtomicWord()

    /// The greatest number of schedulers of a pool. Each is a queue, which takes memory.
    private static var most: Int { 65_536 }

    /// The schedulers, in order.
    public let schedulers: [PooledScheduler]

    @usableFromInline let core: PoolCore
    private let keys: KeyTable

    /// How many processors this process may use, at its first use: by the affinity of its main thread, and by the quota of the
    /// control groups around it, as a container sets it (cgroup v2 `cpu.max`, or v1), rounded up.
    public static var defaultCount: Int { Processors.count }

    /// Creates a pool whose schedulers have one serial queue each.
    ///
    /// - Parameters:
    ///   - count: The number of schedulers. From 1 to 65,536; ``defaultCount``, unless given.
    ///   - qos: The quality of service of the queues.
    ///   - name: The labels of the queues are this name, a dot, and a number from 0 on.
    ///   - targeting: The target queue, nil for the global one.
    public convenience init(
        count: Int = QueueSchedulerPool.defaultCount, qos: DispatchQoS = .unspecified,
        name: String = "corinth.QueueSchedulerPool", targeting: DispatchQueue? = nil
    ) {
        precondition(
            (1...QueueSchedulerPool.most).contains(count),
            "count is \(count), but must be at least 1 and at most \(QueueSchedulerPool.most)")
        self.init(
            over: (0..<count).map { QueueScheduler(qos: qos, name: "\(name).\($0)", targeting: targeting) }, name: name)
    }

    /// Creates a pool whose schedulers run their actions on the given ones, for example on a test scheduler.
    ///
    /// - Parameters:
    ///   - schedulers: At least one. The same one may occur several times.
    ///   - name: The schedulers' names are this name, a dot, and a number from 0 on.
    public init(over schedulers: [any DateScheduler], name: String = "corinth.QueueSchedulerPool") {
        precondition(!schedulers.isEmpty, "there are 0 schedulers, but must be at least 1")
        let core = PoolCore(count: schedulers.count)
        self.core = core
        keys = KeyTable(schedulers: schedulers.count)
        self.schedulers = schedulers.indices.map {
            PooledScheduler("\(name).\($0)", on: schedulers[$0], in: core, core.states[$0])
        }
    }

    // MARK: Choosing a scheduler

    /// The number of schedulers.
    public var count: Int { schedulers.count }

    /// The next scheduler, round-robin.
    public var next: PooledScheduler { schedulers[nextIndex] }

    var nextIndex: Int {
        // relaxed: a count, which publishes nothing.
        Int(picks.fetchAdd(1, .relaxed) % UInt64(schedulers.count))
    }

    /// The scheduler with the fewest queued and running actions. Equal ones take turns.
    ///
    /// A hop counts as one action, whatever the number of values.
    /// - Complexity: O(n) in the number of schedulers.
    public var leastLoaded: PooledScheduler {
        let first = nextIndex
        var best = schedulers[first]
        for offset in 1..<schedulers.count where best.load > 0 {
            let candidate = schedulers[(first + offset) % schedulers.count]
            if candidate.load < best.load { best = candidate }
        }
        return best
    }

    /// The scheduler of a key. Equal keys always have the same one, so actions of a key run in FIFO order.
    ///
    /// A few keys are distributed evenly, many keys as evenly as their hashes. The scheduler of a key depends on earlier keys
    /// and on the process, because hashes differ between processes. Keys are not kept.
    ///
    /// - Complexity: Hashing the key, and O(1) without allocation.
    @inlinable
    public func scheduler(for key: some Hashable) -> PooledScheduler {
        schedulers[index(forHash: key.hashValue)]
    }

    @usableFromInline
    func index(forHash hash: Int) -> Int { keys.index(forHash: hash) }

    /// The work counts of the schedulers.
    public var statistics: PoolStatistics { PoolStatistics(schedulers.map(\.statistics)) }

    // MARK: Shutdown

    /// What happens to queued work when a pool is shut down.
    public enum Shutdown: Sendable {
        /// Queued actions run, and so do the actions that they schedule on this pool.
        case draining
        /// Running actions finish. Queued ones are dropped.
        case cancelling
    }

    /// Ends after the pool was shut down and has finished its work.
    public var lifetime: Lifetime { Lifetime(core.ended) }

    /// Refuses further work, and calls back when nothing runs any more.
    ///
    /// Actions scheduled from now on are refused, except those that actions of this pool schedule while it drains. Actions
    /// whose time has not come are cancelled. Operators on this pool stop observing their source. Their results are
    /// interrupted: at once if the pool cancels; after they have delivered their values if it drains.
    ///
    /// A thread outside the pool may be delivering results. Such results may still arrive before the interruption.
    ///
    /// A draining pool can be told to cancel. A cancelling pool continues to cancel.
    ///
    /// - Parameters:
    ///   - mode: What happens to queued work.
    ///   - completion: Called once, on the thread that ends the last action; on this thread if there is none.
    public func shutDown(_ mode: Shutdown, completion: @escaping @Sendable () -> Void) {
        lifetime.observeEnded(completion)
        core.close(mode == .draining ? .draining : .cancelling)
    }

    /// Refuses further work, and returns when nothing runs any more. See ``shutDown(_:completion:)``.
    ///
    /// - Parameter mode: What happens to queued work.
    public func shutDown(_ mode: Shutdown = .draining) async {
        await withCheckedContinuation { continuation in
            shutDown(mode) { continuation.resume() }
        }
    }
}

/// A scheduler of a pool for an operator that holds the pool while it holds values.
final class ContinuingScheduler: Scheduler {
    private let scheduler: PooledScheduler

    private let poolContext: SerialContext

    init(_ scheduler: PooledScheduler) {
        self.scheduler = scheduler
        poolContext = RunnerContext { [unowned scheduler] in scheduler.isInsidePool }
    }

    func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        scheduler.continueLater(action)
        return nil
    }
}

extension ContinuingScheduler: WorkItemScheduler {
    func post(_ workItem: WorkItem) { scheduler.post(workItem) { true } }

    /// A context that is current on every scheduler of the pool: each may be what the others wait for.
    var context: SerialContext? { poolContext }

    var runsByItself: Bool { scheduler.runsByItself }
}
