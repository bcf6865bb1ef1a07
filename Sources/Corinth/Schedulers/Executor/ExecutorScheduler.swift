/// A scheduler that runs its actions on an actor or on an executor.
///
/// ```swift
/// readings.observe(on: ExecutorScheduler(actor: store)).observeValues { … }
/// ```
///
/// One task runs all actions that wait: a burst costs one hop. After 1,024 actions, other work of the executor has its turn.
///
/// ## Concurrency
/// Any thread may schedule. Actions of one scheduler run one at a time, in FIFO order (law [C1](doc:Contracts#C1-One-at-a-time)),
/// isolated to the actor. Actions on a task executor may run on different threads of that executor, one after another. They run in
/// a task without task-locals, which is never cancelled. The scheduler keeps the actor or the executor alive.
///
/// A task that fills a hop to such a scheduler by the synchronous ``Signal/Observer/send(value:)`` blocks its thread, which the
/// scheduler's task may need: see ``BufferingPolicy/blocking(capacity:stallTimeout:)-(_,DispatchTimeInterval)``. An action of
/// this scheduler never waits for any hop.
public final class ExecutorScheduler: Scheduler {
    private let queue: ExecutorQueue
    private let taskContext: SerialContext

    @usableFromInline let order = ScheduleOrder()

    /// Creates a scheduler that runs its actions isolated to an actor.
    ///
    /// - Parameters:
    ///   - actor: The actor.
    ///   - priority: The priority of the tasks that run the actions. nil for the usual one.
    public init(actor: any Actor, priority: TaskPriority? = nil) {
        taskContext = ExecutorContext(of: actor)
        queue = ExecutorQueue { queue in
            Task.detached(priority: priority) { await ExecutorScheduler.run(queue, isolation: actor) }
        }
        if Registry.isOn { Registry.enter(self, .scheduler) }
    }

    /// Creates a scheduler that runs its actions on the executor of an actor or of several actors.
    ///
    /// - Parameters:
    ///   - executor: The executor.
    ///   - priority: The priority of the tasks that run the actions. nil for the usual one.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public convenience init(executor: any SerialExecutor, priority: TaskPriority? = nil) {
        self.init(actor: ExecutorActor(executor), priority: priority)
    }

    /// Creates a scheduler that runs its actions on a task executor, one at a time.
    ///
    /// - Parameters:
    ///   - executor: The executor, which may have several threads.
    ///   - priority: The priority of the tasks that run the actions. nil for the usual one.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public init(taskExecutor executor: any TaskExecutor, priority: TaskPriority? = nil) {
        taskContext = TaskContext.any
        queue = ExecutorQueue { queue in
            Task.detached(executorPreference: executor, priority: priority) { queue.drain() }
        }
        if Registry.isOn { Registry.enter(self, .scheduler) }
    }

    deinit { if Registry.mayContainAny { Registry.leave(self) } }

    /// Queues `action`.
    @discardableResult
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        let scheduled = ScheduledAction(action)
        order.raise()
        queue.add(.action(scheduled))
        return scheduled
    }

    /// How many actions are queued.
    var load: Int { queue.count }

    private static func run(_ queue: ExecutorQueue, isolation: isolated any Actor) async { queue.drain() }
}

extension ExecutorScheduler: WorkItemScheduler {
    @usableFromInline
    func post(_ workItem: WorkItem) { queue.add(.workItem(workItem)) }

    @usableFromInline
    var context: SerialContext? { taskContext }
}

/// An actor on an executor.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private actor ExecutorActor {
    private nonisolated let executor: any SerialExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ executor: any SerialExecutor) {
        self.executor = executor
    }
}

/// The actions that wait for an executor, and at most one task that runs them.
private final class ExecutorQueue: Sendable {
    enum Work {
        case action(ScheduledAction)
        case workItem(WorkItem)

        func run() {
            switch self {
            // As a drain, it never waits for a permit: the thread runs a task.
            case .action(let action): Strand.withoutWaiting { action.run() }
            case .workItem(let workItem): workItem.run()
            }
        }
    }

    private struct State {
        var waiting = Deque<Work>()
        var isDraining = false
    }

    private let state = Guarded(State())

    /// Starts a task that drains a queue.
    private let launch: @Sendable (ExecutorQueue) -> Void

    init(_ launch: @escaping @Sendable (ExecutorQueue) -> Void) {
        self.launch = launch
    }

    var count: Int { state.hold { $0.waiting.count } }

    func add(_ work: Work) {
        let isFirst = state.hold { state in
            PlainAccess.write(self)
            state.waiting.append(work)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        if isFirst { launch(self) }
    }

    /// Runs the queued work. Then lets other work of the executor have its turn, if there is more.
    func drain() {
        for _ in 0..<1024 {
            guard let work = take() else { return }
            work.run()
        }
        launch(self)
    }

    private func take() -> Work? {
        state.hold { state in
            PlainAccess.write(self)
            state.isDraining = !state.waiting.isEmpty
            return state.waiting.popFirst()
        }
    }
}
