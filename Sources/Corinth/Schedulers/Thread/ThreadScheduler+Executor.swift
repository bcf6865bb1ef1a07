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
/// A call from one function of the actor to another one of the same actor costs no hop, unless the task prefers this scheduler,
/// too: the runtime compares both executors at each `await` (seen with Swift 6.3). Then what was queued before runs in between.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ThreadScheduler: SerialExecutor, TaskExecutor {
    /// Queues a part of a task that prefers this scheduler, in FIFO order with the actions.
    public func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job), ofActor: false) }

    fileprivate func enqueue(_ job: UnownedJob, ofActor isOfActor: Bool) {
        // The work item retains this scheduler. The caller doesn't, and the job may finish before the post returns.
        let workItem = JobWorkItem(job, ofActor: isOfActor, on: self)
        withExtendedLifetime(workItem) {
            order.raise()
            let isQueued = loop.post(workItem)
            precondition(isQueued, "a task was scheduled on the ThreadScheduler “\(name)” after it had stopped")
        }
    }

    /// The scheduler as the executor of an actor. The actor must retain the scheduler.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: actorExecutor.get { ThreadActorExecutor(on: self) })
    }

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
    private let isOfActor: Bool
    private let scheduler: ThreadScheduler

    init(_ job: UnownedJob, ofActor isOfActor: Bool, on scheduler: ThreadScheduler) {
        self.job = job
        self.isOfActor = isOfActor
        self.scheduler = scheduler
        super.init { workItem in
            let workItem = unsafe unsafeDowncast(workItem, to: JobWorkItem.self)
            let executor = unsafe workItem.scheduler.asUnownedSerialExecutor()
            if workItem.isOfActor { return unsafe workItem.job.runSynchronously(on: executor) }
            unsafe workItem.job.runSynchronously(
                isolatedTo: executor, taskExecutor: workItem.scheduler.asUnownedTaskExecutor())
        }
    }
}

/// Runs the jobs of actors on a scheduler's thread.
///
/// The scheduler isn't itself the executor of its actors. Its jobs run with it as the executor that the task prefers, too. A task
/// that prefers none would be queued again at each call.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class ThreadActorExecutor: SerialExecutor {
    /// It retains this.
    private unowned let scheduler: ThreadScheduler

    init(on scheduler: ThreadScheduler) {
        self.scheduler = scheduler
    }

    func enqueue(_ job: consuming ExecutorJob) { scheduler.enqueue(UnownedJob(job), ofActor: true) }

    func checkIsolated() { scheduler.checkIsolated() }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func isIsolatingCurrentContext() -> Bool? { scheduler.loop.isCurrent }
}
