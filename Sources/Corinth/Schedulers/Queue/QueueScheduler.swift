public import Dispatch

/// A scheduler that runs its actions on a serial dispatch queue.
///
/// ```swift
/// let background = QueueScheduler(qos: .userInitiated, name: "parser")
/// lines.observe(on: background).observeValues { parse($0) }
/// ```
///
/// ## Lingering
/// A thread of a queue that has nothing to do sleeps, and the next event has to wake it: some microseconds, and two context
/// switches. If the next event of an `observe(on:)` usually comes within the time `lingering`, the queue's thread waits for it
/// without sleeping, unless an action waits. Blocks that are posted to the queue itself may wait that long, each time, but not
/// longer. If no event comes, the queue lingers more rarely; where one never comes in time, as on a machine with one processor,
/// hardly ever. A queue without events doesn't linger.
///
/// ## Order
/// Actions run on the queue, one at a time, in FIFO order, and a burst of them wakes its thread once. A block that is posted to
/// ``queue`` itself runs behind all actions that were scheduled before it, but those that are scheduled after it may run before it.
/// On the main queue, actions and blocks run in the order in which they come. If the queue is suspended while it runs a burst, the
/// rest of the burst still runs.
///
/// ## Concurrency
/// Any thread may schedule. An action that is disposed of before it has begun doesn't run.
public final class QueueScheduler: Scheduler, @unchecked Sendable {  // The word is atomic; the rest is immutable.
    /// What runs the jobs of actors; made on first use. The first field.
    let actorExecutor = LazyObject<QueueActorExecutor>()

    /// The scheduler of the main queue.
    public static let main = QueueScheduler(internalQueue: .main)

    /// The queue.
    public let queue: DispatchQueue

    /// Set on the queue.
    let mark: QueueMark

    let queueContext: QueueContext

    /// In nanoseconds; 0 for never.
    @usableFromInline let lingerLimit: UInt64

    private init(
        internalQueue: DispatchQueue, targeting target: DispatchQueue? = nil,
        lingering: DispatchTimeInterval = .nanoseconds(0)
    ) {
        queue = internalQueue
        mark = QueueMark(internalQueue)
        queueContext = .of(internalQueue, targeting: target)
        lingerLimit = LingerLimit.checked(lingering)
        if Registry.isOn { Registry.enter(self, .scheduler) }
    }

    deinit {
        if Registry.mayContainAny { Registry.leave(self) }
        actorExecutor.release()
    }

    /// What the callbacks of a scheduler may do, and so on which threads it runs them.
    public enum Callbacks: Hashable, Sendable {
        /// They may wait for something, such as a file or a lock. A queue with work has a thread of its own, as a serial dispatch
        /// queue usually has, up to Dispatch's limit of 256.
        case mayBlock
        /// They only compute. All such queues share about as many threads as there are processors, as tasks do, so that a process
        /// may have ten thousand of them. A callback that waits keeps one of these threads from all others until Dispatch starts
        /// one more.
        case short
    }

    /// Creates a scheduler on its own serial queue.
    ///
    /// - Parameters:
    ///   - qos: The quality of service.
    ///   - name: The label of the queue. On Linux, its thread has a name of Dispatch's: see <doc:StuckProcess>.
    ///   - targeting: The target queue; nil for a global one, according to `callbacks`.
    ///   - callbacks: What the callbacks may do. See <doc:ManySchedulers>.
    ///   - lingering: For how long the queue may stay busy to wait for the next event of a stream. From 0, for never, to
    ///     10 ms. 20 µs, unless given, but 0 for a queue whose threads are shared because its callbacks are short. See
    ///     “Lingering”.
    public convenience init(
        qos: DispatchQoS = .unspecified, name: String = "corinth.QueueScheduler",
        targeting: DispatchQueue? = nil, callbacks: Callbacks = .mayBlock, lingering: DispatchTimeInterval? = nil
    ) {
        let isShared = targeting == nil && callbacks == .short
        // A serial queue without a target has a thread of its own. Those of the global queues are for all.
        let target = isShared ? DispatchQueue.global(qos: qos.qosClass) : targeting
        self.init(
            internalQueue: DispatchQueue(label: name, qos: qos, target: target), targeting: targeting,
            lingering: lingering ?? (isShared ? .nanoseconds(0) : .microseconds(20)))
    }

    /// Creates a scheduler on top of an existing serial or concurrent queue. Its own actions are serial in both cases.
    ///
    /// - Parameters:
    ///   - queue: The target queue.
    ///   - name: The label of the serial queue on top of it.
    ///   - lingering: As in ``init(qos:name:targeting:callbacks:lingering:)-(_,_,_,_,DispatchTimeInterval?)``. By default, the queue
    ///     never lingers: work of other queues with the same target might wait for it.
    public convenience init(
        queue: DispatchQueue, name: String = "corinth.QueueScheduler",
        lingering: DispatchTimeInterval = .nanoseconds(0)
    ) {
        self.init(internalQueue: DispatchQueue(label: name, target: queue), targeting: queue, lingering: lingering)
    }

    /// Queues `action`.
    @discardableResult
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        // Handed over: the caller can't access its captures any more. Disposing releases it at once.
        let scheduled = ScheduledAction(action)
        order.raise()
        queueContext.post(scheduled, to: queue)
        return scheduled
    }
}

extension QueueScheduler: WorkItemScheduler {
    @usableFromInline var label: String { queue.label }

    @usableFromInline
    func post(_ workItem: WorkItem) { queueContext.post(PostedItem.node(for: workItem), to: queue) }

    @usableFromInline
    var context: SerialContext? { queueContext }

    // Blocks that are posted to the queue itself aren't known.
    @usableFromInline
    var hasWaitingWork: Bool { queueContext.hasWaiting }

    @usableFromInline
    var knowsWaitingWork: Bool { true }

    @usableFromInline
    var order: ScheduleOrder { queueContext.order }
}
