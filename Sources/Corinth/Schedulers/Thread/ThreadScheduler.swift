/// A scheduler that runs its actions on its own thread, for paths where a microsecond matters.
///
/// ```swift
/// let engine = ThreadScheduler(name: "engine", waiting: .busySpin, affinity: 3)
/// orders.observe(on: engine).observeValues { match($0) }
/// ```
///
/// A dispatch queue takes a thread when there is work, which costs a system wake-up. A spinning thread notices work in about
/// 100 ns, at the cost of one core: see ``WaitStrategy``.
///
/// **Not for everything.** Most programs need a ``QueueScheduler``, which may exist in thousands. A thread scheduler is a
/// thread with its stack, and one core if it spins. With fewer cores than spinning threads it is slower than a queue, and much
/// slower with ``WaitStrategy/busySpin``.
///
/// Actions are queued in a ring of bounded capacity. A thread that finds it full waits for capacity: it spins briefly, then
/// sleeps. Some threads must not wait: those that deliver an event, and those of thread schedulers. They exceed the bound,
/// with one allocation for each action, and keep the FIFO order.
///
/// ## The end of the thread
/// The thread lives as long as the scheduler is referenced. After that it runs the queued actions, waits for delayed actions
/// that have not been disposed of, and ends. ``stop()`` ends it earlier.
///
/// ## Concurrency
/// Any thread may schedule. Actions run on the thread, one at a time, in FIFO order (law [C1](doc:Contracts#C1-One-at-a-time)),
/// never before `schedule` returns ([C2](doc:Contracts#C2-Not-before-schedule-returns)). An action that is disposed of before it
/// has begun doesn't run. A scheduler is also an executor: an actor can run on the thread, see ``checkIsolated()``.
public final class ThreadScheduler: Scheduler, @unchecked Sendable {  // The word is atomic; the rest is immutable.
    /// What runs the jobs of actors; made on first use. The first field.
    let actorExecutor = LazyObject<ThreadActorExecutor>()

    /// Which threads schedule.
    public enum Producers: Hashable, Sendable {
        /// Mostly one thread: the first that schedules an action. It saves an atomic update each time. Other threads may
        /// schedule too, in order, but each of their actions exceeds the bound and costs an allocation. The scheduler's own
        /// thread doesn't count.
        case single
        /// Any thread.
        case multiple
    }

    /// The name of the thread, as debuggers and `perf` show it. Linux truncates it to 15 bytes.
    public let name: String

    /// The name of a thread that has been given none.
    public static let usualName = "corinth.thread"

    /// How many actions may be queued before scheduling threads have to wait.
    public var capacity: Int { Int(loop.ring.capacity) }

    @usableFromInline let loop: ThreadLoop

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: The name of the thread.
    ///   - waiting: How the thread waits for work.
    ///   - capacity: How many actions may be queued, from 1 to 2³⁰. Rounded up to a power of two, and at least to 2. The
    ///     naive build is unbounded.
    ///   - producers: Which threads schedule.
    ///   - affinity: The number of the processor to which the thread is bound, from 0; nil for any. This process must be
    ///     allowed to use it. Only Linux supports this; elsewhere it has no effect.
    public convenience init(
        name: String = ThreadScheduler.usualName, waiting: WaitStrategy = .spinThenPark, capacity: Int = 1024,
        producers: Producers = .multiple, affinity: Int? = nil
    ) {
        if let affinity { Thread.requireUsable(affinity, as: "affinity") }
        self.init(name, waiting, capacity, producers, nil)
        let error = Thread.tryStart(named: name, affinity.map { Options(processors: [$0]) }, loop)
        precondition(
            error == 0, "the system could not start the thread of the ThreadScheduler “\(name)”: error \(error)")
    }

    /// The thread isn't started yet.
    init(
        _ name: String, _ waiting: WaitStrategy, _ capacity: Int, _ producers: Producers,
        _ onStart: (@Sendable () -> Void)?
    ) {
        self.name = name
        let context = SerialContext()
        loop = ThreadLoop(
            Ring(
                capacity: capacity, isForOne: producers == .single, isParking: waiting.isParking, takenBy: context),
            waiting: waiting, context: context, onStart: onStart)
        if Registry.isOn { Registry.enter(self, .scheduler) }
    }

    deinit {
        if Registry.mayContainAny { Registry.leave(self) }
        loop.finish()
        actorExecutor.release()
    }

    /// Queues `action`.
    ///
    /// - Returns: A disposable that releases the action at once if it has not begun. After ``stop()``, it is already disposed
    ///   of.
    /// - Complexity: O(1); two allocations, and a wake-up by the system if the thread sleeps.
    @discardableResult
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        let scheduled = ThreadAction(action)
        order.raise()
        loop.post(scheduled) { scheduled.dispose() }
        return scheduled
    }

    /// Ends the thread after it has run the queued actions. Delayed, repeated and later actions are dropped. Idempotent.
    ///
    /// It doesn't wait for the end. The thread's last operation interrupts the streams that deliver on this scheduler.
    /// Streams that begin to deliver on it later are interrupted at once. A task that is to run on it stops the program,
    /// because it could never continue.
    public func stop() { loop.stop() }
}

extension ThreadScheduler: WorkItemScheduler {
    @usableFromInline var label: String { name }

    @usableFromInline
    func post(_ workItem: WorkItem) { _ = loop.post(workItem) }

    @usableFromInline
    var context: SerialContext? { loop.context }

    @usableFromInline
    var order: ScheduleOrder { loop.context.order }

    /// A thread that spins while it waits for work may as well spin in a drain.
    @usableFromInline
    var lingerLimit: UInt64 { loop.waiting == .park ? 0 : LingerLimit.spinning }

    @usableFromInline
    var hasWaitingWork: Bool { loop.ring.hasWork }

    @usableFromInline
    var knowsWaitingWork: Bool { true }
}

extension WaitStrategy {
    /// Whether the thread ever sleeps.
    var isParking: Bool { self != .busySpin }
}

/// An action queued for the thread. Disposing of it releases it at once.
private final class ThreadAction: WorkItem, Disposable, @unchecked Sendable {  // Its flag guards the action.
    private let flag = AtomicFlag()

    /// Owned by the thread that raises the flag.
    private var action: (() -> Void)?

    init(_ action: @escaping () -> Void) {
        self.action = action
        super.init { workItem in unsafe unsafeDowncast(workItem, to: ThreadAction.self).raise()?() }
    }

    /// The action, for the first caller; nil for all others.
    private func raise() -> (() -> Void)? {
        // acquireRelease: the winner sees the action as it was made; the others see that it is gone.
        guard flag.tryRaise(.acquireRelease) else { return nil }
        defer { action = nil }
        return action
    }

    // acquire: pairs with `raise()`.
    var isDisposed: Bool { flag.isRaised(.acquire) }

    func dispose() { _ = raise() }
}
