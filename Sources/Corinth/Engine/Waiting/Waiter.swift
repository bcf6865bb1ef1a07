#if !NaiveLocks
    /// A thread, a drain or a task in a ``WaitQueue``.
    @usableFromInline
    @safe class Waiter: Listed, @unchecked Sendable {  // The graph's flag guards the mutable state.
        /// Its neighbours in the queue, or among those that are to be woken.
        @usableFromInline final var neighbours = Neighbours<Waiter>()

        /// Whether it requests a permit. Otherwise it has one beyond the bound and waits until the bound is met.
        final let takesPermit: Bool

        /// Whether it is a thread that runs a task.
        final let runsTask: Bool

        /// The permits that a drain returns. Other threads wait for them while it is stopped.
        final let own: Permits?

        /// Whether it holds a value beyond the bound. The statistics count such a value as held by its sender.
        private final let holdsValue: Bool

        /// The statistics that count its held value.
        private final var statistics: BufferStatistics?

        /// The permits that it may take out of order. Written before it is served.
        final var batch = Batch.none

        init(
            takesPermit: Bool, thread: UInt64 = 0, runsTask: Bool = false, owning own: Permits? = nil,
            holdsValue: Bool = false
        ) {
            self.thread = thread
            self.takesPermit = takesPermit
            self.runsTask = runsTask
            self.own = own
            self.holdsValue = holdsValue
        }

        /// Whether it gets a batch.
        var takesBatch: Bool { true }

        /// The thread, by its token; 0 if it isn't one.
        let thread: UInt64

        /// Whether it no longer wants to wait.
        var isCancelled: Bool { false }

        /// Starts waiting: adds its edges.
        func block(on permits: PermitStateAddress, in graph: borrowing WaitGraph.Held) {
            if holdsValue {
                statistics = permits.pointee.statistics
                statistics?.hold()
            }
            if let own { graph.block(own, on: permits) }
        }

        /// Stops waiting: removes its edges.
        func unblock(in graph: borrowing WaitGraph.Held) {
            statistics?.release()
            if let own { graph.block(own, on: nil) }
        }

        /// Whether it waits on the thread that runs this context. Called by the waiting thread.
        func runs(_ context: SerialContext) -> Bool { false }

        /// Ends the wait. Called once, without the flag.
        func serve() {}

        /// The waiters served under the flag. They are woken after it is released.
        struct List {
            private var waiters = IntrusiveList<Waiter>()

            mutating func add(_ waiter: Waiter) { unsafe waiters.append(.passRetained(waiter)) }

            /// - Parameter caller: The calling waiter, which isn't woken.
            consuming func wake(but caller: Waiter? = nil) {
                if waiters.isEmpty { return }
                // Resuming a drain schedules it, and must not wait for capacity in a ring.
                let holding = ThreadState.beginHolding()
                var rest = waiters.first
                while let waiter = unsafe rest?.takeRetainedValue() {
                    // Read first: a thread that has been served may already be gone.
                    unsafe rest = waiter.neighbours.next
                    waiter.neighbours = Neighbours()
                    if waiter !== caller { waiter.serve() }
                }
                ThreadState.endHolding(holding)
            }
        }
    }

    /// What has happened to a thread that sleeps.
    ///
    ///     | 1      | 0      |
    ///     | served | nudged |
    struct SleepWord: WordState, Equatable, Sendable {
        let bits: UInt64

        static var nothing: SleepWord { SleepWord(bits: 0) }

        /// Whether it is to look for a strand without a thread.
        var isNudged: Bool { bits & 1 != 0 }
        var isServed: Bool { bits & 2 != 0 }

        /// The state after a nudge; nil if it isn't needed or comes too late.
        func nudging() -> SleepWord? { bits == 0 ? SleepWord(bits: 1) : nil }

        /// The state after the thread has been served. A nudge stays.
        func serving() -> SleepWord? { SleepWord(bits: bits | 2) }

        /// The state after the thread has noticed a nudge; nil if there was none.
        func noticing() -> SleepWord? { isNudged ? SleepWord(bits: bits & 2) : nil }
    }

    /// A thread that sleeps until it is served.
    class ThreadWaiter: Waiter, @unchecked Sendable {  // Atomic word; see the superclass.
        private final let sleep = AtomicState<SleepWord>(.nothing)

        /// For which permits a thread sleeps that runs a task.
        private final var taskPermits: PermitStateAddress?

        private final let contexts = RunningContexts.ofThread

        /// Called by the thread that is about to wait.
        init(takesPermit: Bool) {
            super.init(
                takesPermit: takesPermit, thread: ThreadState.current.token, runsTask: TaskContext.isTaskHere,
                holdsValue: !takesPermit)
        }

        /// What has happened. A nudge is taken.
        // acquire: sees the writes before it, and the batch. Pairs with `serve()` and `nudge()`.
        final func takeEvent() -> SleepWord { sleep.update(.acquire, reading: .acquire) { $0.noticing() }.old }

        final override func block(on permits: PermitStateAddress, in graph: borrowing WaitGraph.Held) {
            super.block(on: permits, in: graph)
            contexts.forEach { graph.block($0, on: permits) }
            if !runsTask { return }
            graph.blockTask(on: permits)
            taskPermits = permits
        }

        final override func unblock(in graph: borrowing WaitGraph.Held) {
            super.unblock(in: graph)
            contexts.forEach { graph.block($0, on: nil) }
            if let permits = taskPermits.take() { graph.unblockTask(on: permits) }
        }

        final override func runs(_ context: SerialContext) -> Bool { context.isCurrent }

        /// Sleeps until something has happened.
        final func blockingWait() { sleep.blockingWait(while: .nothing) }

        /// Wakes the thread, so that it looks for a strand without a thread.
        ///
        /// - Returns: Whether it will look. If not, it was served before.
        final func nudge() -> Bool {
            // release: publishes that the strand has no thread.
            let nudge = sleep.update(.release) { $0.nudging() }
            if nudge.new != nil { sleep.wake(1) }
            return !nudge.old.isServed
        }

        override func serve() {
            // release: publishes the writes made before the permits were returned.
            _ = sleep.update(.release) { $0.serving() }
            sleep.wake(1)
        }
    }

    /// A drain that has stopped until it is resumed.
    final class DrainWaiter: Waiter, @unchecked Sendable {  // See the superclass.
        private let drain: Resumable

        /// - Parameters:
        ///   - own: The permits that the drain returns.
        ///   - holdsValue: Whether the value beyond the bound belongs to the drain. Otherwise it belongs to a thread that
        ///     waits too.
        init(resuming drain: Resumable, owning own: Permits?, holdsValue: Bool) {
            self.drain = drain
            super.init(takesPermit: false, owning: own, holdsValue: holdsValue)
        }

        override func serve() { drain.resume(with: batch) }
    }
#endif
