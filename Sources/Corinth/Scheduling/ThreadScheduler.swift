/// Runs its actions on a thread of its own: for paths where a microsecond matters.
///
/// ```swift
/// let engine = ThreadScheduler(name: "engine", waiting: .busySpin, affinity: 3)
/// orders.observe(on: engine).observeValues { match($0) }
/// ```
///
/// A dispatch queue borrows a thread when there is work, which costs a wake-up by the system. A thread that waits for work
/// itself, spinning, notices it in about 100 ns, and burns a core for that: see ``WaitStrategy``.
///
/// **Not for everything.** Most programs want a ``QueueScheduler``, of which there may be thousands. One of these is a
/// thread, with its stack; if it spins, a core. With fewer cores than threads that spin it is slower than a queue, by far.
///
/// Actions wait in a ring of bounded size. Who finds it full waits for room, a moment spinning and then asleep; but for
/// threads that must not wait: those that are delivering an event, and those of thread schedulers. They go past the bound,
/// with one allocation for each action, and in order all the same.
///
/// ## The end of the thread
/// The thread lives as long as the scheduler is referenced. After that it does what is queued, waits for delayed actions that
/// have not been disposed of, and ends. ``stop()`` ends it earlier.
///
/// ## Concurrency
/// Any thread may schedule. Actions run on the thread, one at a time, in order (law C1), never before `schedule` returns
/// (C2); an action that is disposed of before it has begun doesn't run. A scheduler is an executor, too: an actor can live
/// on the thread, see ``checkIsolated()``.
public final class ThreadScheduler: Scheduler {
    /// Who schedules.
    public enum Producers: Hashable, Sendable {
        /// Most often one thread: the first that schedules something. It spares itself an atomic update each time. Others
        /// may schedule, too, in order, but each of their actions goes past the bound, with an allocation. The scheduler's own
        /// thread doesn't count.
        case single
        /// Any thread.
        case multiple
    }

    /// The name of the thread, as debuggers and `perf` show it; Linux cuts it after 15 bytes.
    public let name: String

    /// How many actions may wait before threads that schedule have to.
    public var capacity: Int { Int(loop.ring.capacity) }

    @usableFromInline let loop: ThreadLoop

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: The name of the thread.
    ///   - waiting: What it does while there is nothing to do.
    ///   - capacity: How many actions may wait, from 1 to 2³⁰. Rounded up to a power of two, and to 2. The naive build has no
    ///     bound.
    ///   - producers: Who schedules.
    ///   - affinity: The number of the processor that the thread is to stay on, from 0; nil for any. Must be one that this
    ///     process may use. Only Linux can do that; elsewhere it does nothing.
    public init(
        name: String = "corinth.ThreadScheduler", waiting: WaitStrategy = .spinThenPark, capacity: Int = 1024,
        producers: Producers = .multiple, affinity: Int? = nil
    ) {
        self.name = name
        let context = SerialContext()
        loop = ThreadLoop(
            Ring(
                capacity: capacity, isForOne: producers == .single, isParking: waiting.isParking, takenBy: context),
            waiting: waiting, context: context)
        Thread.start(named: name, on: affinity, loop)
    }

    deinit { loop.finish() }

    /// Queues `action`.
    ///
    /// - Returns: A disposable that lets go of the action at once, if it has not begun. After ``stop()``, it has been disposed of.
    /// - Complexity: O(1); two allocations, and a wake-up by the system if the thread sleeps.
    @discardableResult
    @preconcurrency
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        let scheduled = ThreadAction(action)
        loop.post(scheduled) { scheduled.dispose() }
        return scheduled
    }

    /// Ends the thread when it has done what is queued. Delayed and repeated actions are dropped, and so is whatever is
    /// scheduled from here on. Doing it twice is harmless.
    ///
    /// It doesn't wait for the end. Streams that deliver on this scheduler are interrupted, as the last thing that the thread
    /// does; those that begin to deliver on it later, at once. A task that wants to run on it stops the program, since it
    /// could never go on.
    public func stop() { loop.stop() }
}

extension ThreadScheduler: ErrandScheduler {
    @usableFromInline
    func post(_ errand: Errand) { _ = loop.post(errand) }

    @usableFromInline
    var context: SerialContext? { loop.context }
}

extension WaitStrategy {
    var isParking: Bool { self == .spinThenPark || self == .park }
}

/// An action that waits for the thread. Disposing of it lets go of it at once.
private final class ThreadAction: Errand, Disposable, @unchecked Sendable {  // Its flag guards the action.
    private var flagStorage: UInt64 = 0

    /// Owned by whoever raises the flag.
    private var action: (() -> Void)?

    init(_ action: @escaping () -> Void) {
        self.action = action
        super.init { errand in unsafe unsafeDowncast(errand, to: ThreadAction.self).raise()?() }
    }

    private var flag: AtomicWord { AtomicWord(of: self, at: Errand.size) }

    /// The action, for the first who asks.
    private func raise() -> (() -> Void)? {
        // acquireRelease: the winner sees the action as it was made, and the others that it is gone.
        guard flag.exchange(1, .acquireRelease) == 0 else { return nil }
        defer { action = nil }
        return action
    }

    // acquire: pairs with `raise()`.
    var isDisposed: Bool { flag.load(.acquire) != 0 }

    func dispose() { _ = raise() }
}
