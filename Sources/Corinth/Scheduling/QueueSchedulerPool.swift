public import Dispatch
public import Foundation

/// Some serial schedulers, over dispatch queues, that share work among them.
///
/// ```swift
/// let pool = QueueSchedulerPool(qos: .userInitiated, name: "parser")
/// requests
///     .observe(on: pool, by: \.client) { lane in lane.map(parse) }
///     .observeValues { print($0) }
/// await pool.shutDown(.draining)
/// ```
///
/// A pool isn't a ``Scheduler``: those run one action at a time (law C1), and a pool runs several. It gives out schedulers
/// that are: ``next`` in turn, ``leastLoaded``, and ``scheduler(for:)`` a key.
///
/// How many schedulers it has is settled when it is made. In a pool that grew or shrank, keys would have to move, and what
/// they have on their old scheduler would have to be waited for: make another pool instead, and shut this one down.
///
/// ## Concurrency
/// Any thread may call anything.
public final class QueueSchedulerPool: @unchecked Sendable {  // An atomic word, and what is immutable.
    private var turnStorage: UInt64 = 0

    /// How many schedulers a pool makes at most. Each is a queue, which takes memory.
    private static var most: Int { 65_536 }

    /// The schedulers, in order.
    public let schedulers: [PooledScheduler]

    @usableFromInline let core: PoolCore
    private let keys: KeyTable

    /// Makes a pool of schedulers that have a serial queue each.
    ///
    /// - Parameters:
    ///   - count: How many schedulers. From 1 to 65,536; as many as there are processors, if nothing is said.
    ///   - qos: The quality of service of their queues.
    ///   - name: The labels of the queues are this, a dot, and a number from 0 on.
    ///   - targeting: The queue on which they run, nil for the global one.
    public convenience init(
        count: Int = ProcessInfo.processInfo.activeProcessorCount, qos: DispatchQoS = .unspecified,
        name: String = "corinth.QueueSchedulerPool", targeting: DispatchQueue? = nil
    ) {
        precondition(
            (1...QueueSchedulerPool.most).contains(count),
            "count is \(count), but must be at least 1 and at most \(QueueSchedulerPool.most)")
        self.init(
            over: (0..<count).map { QueueScheduler(qos: qos, name: "\(name).\($0)", targeting: targeting) }, name: name)
    }

    /// Makes a pool of schedulers that run their actions on those given: on a test scheduler, for one.
    ///
    /// - Parameters:
    ///   - schedulers: At least one. They may be one and the same.
    ///   - name: The schedulers' names are this, a dot, and a number from 0 on.
    public init(over schedulers: [any DateScheduler], name: String = "corinth.QueueSchedulerPool") {
        precondition(!schedulers.isEmpty, "there are 0 schedulers, but must be at least 1")
        let core = PoolCore(count: schedulers.count)
        self.core = core
        keys = KeyTable(schedulers: schedulers.count)
        self.schedulers = schedulers.indices.map {
            PooledScheduler("\(name).\($0)", on: schedulers[$0], in: core, core.ledgers[$0])
        }
    }

    // MARK: Who does it

    /// How many schedulers there are.
    public var count: Int { schedulers.count }

    /// Each scheduler in turn.
    public var next: PooledScheduler { schedulers[nextIndex] }

    var nextIndex: Int {
        // relaxed: a count, by which nothing is published.
        Int(AtomicWord(of: self).fetchAdd(1, .relaxed) % UInt64(schedulers.count))
    }

    /// The scheduler with the fewest actions that wait or run; of several, each in turn.
    ///
    /// What a hop has to deliver is one action, however many values that are.
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

    /// The scheduler of a key: always the same for equal keys, so that what is scheduled for a key runs in order.
    ///
    /// Few keys are spread evenly; many, as evenly as their hashes. Which scheduler a key has depends on which keys came
    /// before, and on the process, whose hashes are its own. Keys are not kept.
    ///
    /// - Complexity: Hashing the key, and O(1) without allocation.
    @inlinable
    public func scheduler(for key: some Hashable) -> PooledScheduler {
        schedulers[index(forHash: key.hashValue)]
    }

    @usableFromInline
    func index(forHash hash: Int) -> Int { keys.index(forHash: hash) }

    /// What the schedulers have done, and have still to do.
    public var statistics: PoolStatistics { PoolStatistics(schedulers.map(\.statistics)) }

    // MARK: The end

    /// What becomes of the work that waits when a pool is shut down.
    public enum Shutdown: Sendable {
        /// What was scheduled is run, and what those actions schedule on this pool.
        case draining
        /// What has begun is run to its end, and the rest is dropped.
        case cancelling
    }

    /// Ends when the pool was shut down, and has nothing more to do.
    public var lifetime: Lifetime { Lifetime(core.ended) }

    /// Takes no more work, and calls back when nothing runs any more.
    ///
    /// What is scheduled from here on is refused, except what actions of this pool schedule while it drains. Actions whose
    /// time has not come are cancelled. The operators that take a pool stop to listen to their source. Their results are
    /// interrupted: at once if the pool cancels; if it drains, at the end, when they have delivered what they had.
    ///
    /// Results that are being delivered by a thread that isn't the pool's may come after that, before the interruption.
    ///
    /// A pool that drains can still be told to cancel. One that cancels goes on to do so.
    ///
    /// - Parameters:
    ///   - mode: What becomes of the work that waits.
    ///   - completion: Called once: on the thread that ends the last action, or, if there is none, on this one.
    public func shutDown(_ mode: Shutdown, completion: @escaping @Sendable () -> Void) {
        lifetime.observeEnded(completion)
        core.close(mode == .draining ? .draining : .cancelling)
    }

    /// Takes no more work, and comes back when nothing runs any more. See ``shutDown(_:completion:)``.
    ///
    /// - Parameter mode: What becomes of the work that waits.
    public func shutDown(_ mode: Shutdown = .draining) async {
        await withCheckedContinuation { continuation in
            shutDown(mode) { continuation.resume() }
        }
    }
}

/// A scheduler of a pool as an operator uses that holds the pool for what it has in hand.
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

extension ContinuingScheduler: ErrandScheduler {
    func post(_ errand: Errand) { scheduler.post(errand) { true } }

    /// On any scheduler of the pool: each may be what the others wait for.
    var context: SerialContext? { poolContext }

    var runsByItself: Bool { scheduler.runsByItself }
}
