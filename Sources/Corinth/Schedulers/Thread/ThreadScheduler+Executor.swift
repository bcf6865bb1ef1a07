/// An actor can run on the scheduler's thread, so that deliveries there enter it without a hop:
///
/// ```swift
/// actor Book {
///     private let scheduler: ThreadScheduler
///     private var orders: [Order] = []
///
///     nonisolated var unownedExecutor: UnownedSerialExecutor { scheduler.asUnownedSerialExecutor() }
///
///     init(_ incoming: Signal<Order, Never>, on scheduler: ThreadScheduler) {
///         self.scheduler = scheduler
///         incoming.observe(on: scheduler).observeValues { [weak self] order in
///             self?.assumeIsolated { $0.orders.append(order) }
///         }
///     }
/// }
/// ```
///
/// A task can run there with `Task(executorPreference: scheduler)`.
///
/// Because it is both, a part of a task runs with this scheduler as the executor of the actor and as the one that the task
/// prefers. The runtime compares both at each `await`. So a call from one function of the actor to another one of the same actor
/// is queued again, unless the task prefers this scheduler (seen with Swift 6.3). That costs a hop on this thread. What was
/// queued before runs in between.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ThreadScheduler: SerialExecutor, TaskExecutor {
    /// Queues a part of a task, in FIFO order with the actions.
    public func enqueue(_ job: consuming ExecutorJob) {
        // The work item retains this scheduler. The caller doesn't, and the job may finish before the post returns.
        let workItem = JobWorkItem(UnownedJob(job), on: self)
        withExtendedLifetime(workItem) {
            let isQueued = loop.post(workItem)
            precondition(isQueued, "a task was scheduled on the ThreadScheduler “\(name)” after it had stopped")
        }
    }

    /// The scheduler as the executor of an actor. The actor must retain the scheduler.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    /// The scheduler as the executor of a task.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { unsafe UnownedTaskExecutor(ordinary: self) }

    /// Stops the program unless it is called on the scheduler's thread. `assumeIsolated` of an actor on this thread calls it.
    public func checkIsolated() {
        precondition(loop.isCurrent, "the current thread isn't the thread of the ThreadScheduler “\(name)”")
    }

    /// Whether it is called on the scheduler's thread.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    public func isIsolatingCurrentContext() -> Bool? { loop.isCurrent }
}

/// A part of a task, queued for the thread.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class JobWorkItem: WorkItem, @unchecked Sendable {  // Immutable.
    private let job: UnownedJob
    private let scheduler: ThreadScheduler

    init(_ job: UnownedJob, on scheduler: ThreadScheduler) {
        self.job = job
        self.scheduler = scheduler
        super.init { workItem in
            let workItem = unsafe unsafeDowncast(workItem, to: JobWorkItem.self)
            unsafe workItem.job.runSynchronously(
                isolatedTo: workItem.scheduler.asUnownedSerialExecutor(),
                taskExecutor: workItem.scheduler.asUnownedTaskExecutor())
        }
    }
}
