/// An actor can live on the scheduler's thread, so that what is delivered there enters it without a hop:
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
/// And a task can run there with `Task(executorPreference: scheduler)`.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ThreadScheduler: SerialExecutor, TaskExecutor {
    /// Queues a part of a task, among the actions.
    public func enqueue(_ job: consuming ExecutorJob) {
        // It holds this scheduler. What calls doesn't, and the job may be over before the post returns.
        let errand = JobErrand(UnownedJob(job), on: self)
        withExtendedLifetime(errand) {
            let isQueued = loop.post(errand)
            precondition(isQueued, "a task is to run on the ThreadScheduler “\(name)”, which was stopped")
        }
    }

    /// The scheduler as the executor of an actor, which must hold the scheduler.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    /// The scheduler as the executor of a task.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { unsafe UnownedTaskExecutor(ordinary: self) }

    /// Stops the program unless it is called on the scheduler's thread. What `assumeIsolated` of an actor that lives there asks.
    public func checkIsolated() {
        precondition(loop.isCurrent, "this is not the thread of the ThreadScheduler “\(name)”")
    }

    /// Whether it is called on the scheduler's thread.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    public func isIsolatingCurrentContext() -> Bool? { loop.isCurrent }
}

/// A part of a task that waits for the thread.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class JobErrand: Errand, @unchecked Sendable {  // Immutable.
    private let job: UnownedJob
    private let scheduler: ThreadScheduler

    init(_ job: UnownedJob, on scheduler: ThreadScheduler) {
        self.job = job
        self.scheduler = scheduler
        super.init { errand in
            let errand = unsafe unsafeDowncast(errand, to: JobErrand.self)
            unsafe errand.job.runSynchronously(
                isolatedTo: errand.scheduler.asUnownedSerialExecutor(),
                taskExecutor: errand.scheduler.asUnownedTaskExecutor())
        }
    }
}
