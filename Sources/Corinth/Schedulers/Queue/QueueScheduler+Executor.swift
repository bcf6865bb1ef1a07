internal import Dispatch

/// An actor can run on the scheduler's queue, so that deliveries there enter it without a hop:
///
/// ```swift
/// actor Inventory {
///     private let scheduler: QueueScheduler
///     private var count = 0
///
///     nonisolated var unownedExecutor: UnownedSerialExecutor { scheduler.asUnownedSerialExecutor() }
///
///     init(_ deliveries: Signal<Int, Never>, on scheduler: QueueScheduler) {
///         self.scheduler = scheduler
///         deliveries.observe(on: scheduler).observeValues { [weak self] number in
///             self?.assumeIsolated { $0.count += number }
///         }
///     }
/// }
/// ```
///
/// A task can run there with `Task(executorPreference: scheduler)`.
///
/// A call from one function of the actor to another one of the same actor costs no hop, unless the task prefers this scheduler,
/// too: the runtime compares both executors at each `await` (seen with Swift 6.3). Then what was queued before runs in between.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension QueueScheduler: SerialExecutor, TaskExecutor {
    /// Queues a part of a task that prefers this scheduler, in FIFO order with the actions.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let action = ScheduledAction {
            unsafe job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
        }
        queueContext.post(action, to: queue)
    }

    /// The scheduler as the executor of an actor. The actor must retain the scheduler.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(
            ordinary: actorExecutor.get { QueueActorExecutor(on: queue, mark, queueContext) })
    }

    /// The scheduler as the executor of a task.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { unsafe UnownedTaskExecutor(ordinary: self) }

    /// Stops the program unless it is called on the queue. `assumeIsolated` of an actor on this queue calls it.
    public func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    /// Whether it is called on the queue.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    public func isIsolatingCurrentContext() -> Bool? { mark.isOnQueue }
}

/// Runs the jobs of actors on a queue.
///
/// The scheduler isn't itself the executor of its actors. Its jobs run with it as the executor that the task prefers, too. A task
/// that prefers none would be queued again at each call.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class QueueActorExecutor: SerialExecutor {
    private let queue: DispatchQueue
    private let mark: QueueMark
    private let context: QueueContext

    init(on queue: DispatchQueue, _ mark: QueueMark, _ context: QueueContext) {
        self.queue = queue
        self.mark = mark
        self.context = context
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        context.post(ScheduledAction { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }, to: queue)
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func isIsolatingCurrentContext() -> Bool? { mark.isOnQueue }
}

/// Tells whether the calling thread runs work of a queue.
final class QueueMark: Sendable {
    private let key = DispatchSpecificKey<QueueMark>()

    /// The queue retains the mark and its key, so no other mark can have the same key.
    init(_ queue: DispatchQueue) {
        queue.setSpecific(key: key, value: self)
    }

    var isOnQueue: Bool { DispatchQueue.getSpecific(key: key) != nil }
}
