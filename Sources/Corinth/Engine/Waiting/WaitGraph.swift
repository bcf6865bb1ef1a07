#if !NaiveLocks
    /// Who waits for what, in the whole process, and the flag that guards it.
    ///
    /// A thread that is about to sleep, or a drain that is about to stop, first records what it waits for. Then it follows
    /// the chain from there: permits → what their drain has stopped on → … → the scheduler that delivers → what the thread
    /// that runs it waits for → …. A node has one edge, so the walk is short. If the walk returns to its start, the caller
    /// closes a cycle. It doesn't wait; it takes a permit beyond the bound.
    ///
    /// A chain that ends at a task closes no cycle, since nobody knows which thread that task will run on. A thread that itself
    /// runs a task may sleep as long as the other one delivers, because the deliveries show that it has a thread. When none come,
    /// one more capacity is admitted at intervals, even without a stall timeout.
    ///
    /// There is one flag for all: edges appear and disappear together with queue entries, so each cycle seen is real. The
    /// flag is held for some hundred nanoseconds when a thread is about to sleep or is woken, never on the path of a value
    /// that finds a permit. No user code runs under it: the graph knows permits by their states, which nobody retains, so that no
    /// release under the flag is the last one.
    ///
    /// What the flag guards is reached through ``Held`` only.
    enum WaitGraph {
        private static let flag = OwnerFlag()

        /// The permits for which threads sleep that run a task.
        nonisolated(unsafe) fileprivate static var tasks: [PermitStateAddress] = []

        /// Waits for the flag.
        static func acquire() -> Held { Held(flag: flag.acquire()) }

        /// The graph, for the thread that holds its flag.
        struct Held: ~Copyable {
            fileprivate let flag: Token<FlagPossession>

            /// The waiters that wait no longer. They are woken when the flag is released.
            fileprivate var granted = Waiter.List()

            /// Whether to ask the pool of tasks for a thread: a thread with a task waits for a task.
            var asksPool = false

            /// Releases the flag, and wakes the waiters that have been served.
            ///
            /// - Parameter caller: The calling waiter, which isn't woken.
            consuming func release(wakingAllBut caller: Waiter? = nil) {
                let granted = granted
                let asksPool = asksPool
                WaitGraph.flag.release(flag)
                granted.wake(but: caller)
                if asksPool { WaitGraph.askPool() }
            }
        }

        /// An edge of the graph: what a context, or the side that returns permits, waits for.
        struct Edge {
            fileprivate var target: PermitStateAddress?
        }

        /// What the graph knows of permits.
        struct Node {
            /// What the side that returns them has stopped on. Permits resume everything that has stopped on them before they are
            /// deallocated.
            fileprivate var edge = Edge()

            /// The waiters; nil until the first one.
            fileprivate var queue: WaitQueue?

            /// Whether that side stops where it has to wait.
            fileprivate var mayStop = true

            /// Whether there was ever a waiter. Called when no thread has a reference to the permits any more.
            var hasQueueAtEnd: Bool { queue != nil }
        }

        #if Exploration
            /// Forgets the flag and the edges of threads that the explorer has abandoned.
            static func reset() {
                flag.word.store(.free, .relaxed)
                unsafe tasks = []
            }
        #endif

        /// Asks the pool of tasks whether it has a thread, unless it still owes an answer. Called when a thread with a task waits
        /// for a task.
        private static func askPool() {
            // relaxed: nothing else is published by it.
            if isPoolStuck || !poolQuestion.tryRaise(.relaxed) { return }
            Task.detached { poolQuestion.store(.lowered, .relaxed) }
        }

        /// Whether the pool has had no thread for the question since the last look.
        static var isPoolStuck: Bool { poolQuestion.isRaised(.relaxed) }

        /// Raised until the task that answers has run.
        private static let poolQuestion = AtomicFlag()

        enum Step {
            case permits(PermitStateAddress)
            /// A task.
            case task
            /// The asking thread.
            case `self`
            case end
        }
    }

    extension WaitGraph.Held {
        /// The waiter waits no longer. It is woken when the flag is released.
        mutating func end(_ waiter: Waiter) {
            waiter.unblock(in: self)
            granted.add(waiter)
        }

        /// Sets what a context waits for.
        func block(_ context: SerialContext, on permits: PermitStateAddress?) { context.edge.target = permits }

        /// Sets what the side that returns permits waits for.
        func block(_ permits: Permits, on others: PermitStateAddress?) { permits.state.node.edge.target = others }

        /// What the side that returns permits waits for.
        func blocker(of permits: PermitStateAddress) -> PermitStateAddress? { permits.pointee.node.edge.target }

        /// From now on, the side that returns these permits doesn't stop.
        func forbidStop(of permits: Permits) { permits.state.node.mayStop = false }

        /// Whether the side that returns these permits may stop.
        func mayStop(_ permits: Permits) -> Bool { permits.state.node.mayStop }

        /// Who waits for permits; nil if nobody ever has.
        func queue(of permits: PermitStateAddress) -> WaitQueue? { permits.pointee.node.queue }

        /// Puts in the queue of permits.
        func use(_ queue: WaitQueue?, for permits: PermitStateAddress) { permits.pointee.node.queue = queue }

        /// A thread that runs a task begins to wait.
        func blockTask(on permits: PermitStateAddress) { unsafe WaitGraph.tasks.append(permits) }

        /// It waits no longer.
        func unblockTask(on permits: PermitStateAddress) {
            let index = unsafe WaitGraph.tasks.firstIndex(of: permits)
            if let index { unsafe WaitGraph.tasks.remove(at: index) }
        }

        /// Whether a thread that runs a task sleeps for these permits, and a task returns them at the end of their chain. It may
        /// be the task that needs the thread.
        func waitsForTask(on permits: PermitStateAddress) -> Bool {
            guard unsafe WaitGraph.tasks.contains(permits) else { return false }
            if case .task = walk(from: permits, for: nil) { return true }
            return false
        }

        /// Whether a waiter for `permits` would wait for itself.
        func wouldWaitForItself(_ waiter: Waiter, on permits: PermitStateAddress) -> Bool {
            if case .self = walk(from: permits, for: waiter) { true } else { false }
        }

        /// Why nothing is delivered: the permits at the end of the chain, for which everybody in it waits.
        func cause(of permits: PermitStateAddress) -> PermitStateAddress {
            var last = permits
            _ = walk(from: permits, for: nil) { last = $0 }
            return last
        }

        /// Follows the chain to its end, or to a task.
        private func walk(
            from permits: PermitStateAddress, for waiter: Waiter?, _ visit: (PermitStateAddress) -> Void = { _ in }
        ) -> WaitGraph.Step {
            var node = permits
            // An impossible cycle that existed before must not hold the flag for ever.
            for _ in 0..<10_000 {
                if let waiter, node == waiter.own?.stateAddress { return .self }
                visit(node)
                let step = next(after: node.pointee, for: waiter)
                guard case .permits(let next) = step else { return step }
                node = next
            }
            return .end
        }

        /// What permits wait for: the next step of the chain.
        ///
        /// - Parameter waiter: Asks whether it would wait for itself; nil for nobody.
        private func next(after permits: borrowing PermitState, for waiter: Waiter?) -> WaitGraph.Step {
            if let blockedOn = permits.node.edge.target { return .permits(blockedOn) }
            var server = permits.server
            while let current = server {
                if waiter?.runs(current) == true { return .self }
                if current is TaskContext { return .task }
                if current.isSerial, let blockedOn = current.edge.target { return .permits(blockedOn) }
                server = current.outer
            }
            return .end
        }
    }
#endif
