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
    enum WaitGraph {
        static let flag = OwnerFlag()

        /// The permits for which threads sleep that run a task. Guarded by the flag.
        nonisolated(unsafe) private static var tasks: [PermitStateAddress] = []

        /// A thread that runs a task begins to wait. Called with the flag held.
        static func blockTask(on permits: PermitStateAddress) { unsafe tasks.append(permits) }

        /// It waits no longer. Called with the flag held.
        static func unblockTask(on permits: PermitStateAddress) {
            let index = unsafe tasks.firstIndex(of: permits)
            if let index { unsafe tasks.remove(at: index) }
        }

        #if Exploration
            /// Forgets the flag and the edges of threads that the explorer has abandoned.
            static func reset() {
                flag.word.store(.free, .relaxed)
                unsafe tasks = []
            }
        #endif

        /// Whether a thread that runs a task sleeps for these permits, and a task returns them at the end of their chain. It may
        /// be the task that needs the thread. Called with the flag held.
        static func waitsForTask(on permits: PermitStateAddress) -> Bool {
            guard unsafe tasks.contains(permits) else { return false }
            if case .task = walk(from: permits, for: nil) { return true }
            return false
        }

        /// Asks the pool of tasks whether it has a thread, unless it still owes an answer. Called without the flag, when a thread
        /// with a task waits for a task.
        static func askPool() {
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

        /// Whether a waiter for `permits` would wait for itself. Called with the flag held.
        static func wouldWaitForItself(_ waiter: Waiter, on permits: PermitStateAddress) -> Bool {
            if case .self = walk(from: permits, for: waiter) { true } else { false }
        }

        /// Why nothing is delivered: the permits at the end of the chain, for which everybody in it waits. Called with the flag
        /// held.
        static func cause(of permits: PermitStateAddress) -> PermitStateAddress {
            var last = permits
            _ = walk(from: permits, for: nil) { last = $0 }
            return last
        }

        /// Follows the chain to its end, or to a task.
        private static func walk(
            from permits: PermitStateAddress, for waiter: Waiter?, _ visit: (PermitStateAddress) -> Void = { _ in }
        ) -> Step {
            var node = permits
            // An impossible cycle that existed before must not hold the flag for ever.
            for _ in 0..<10_000 {
                if let waiter, node == waiter.own?.stateAddress { return .self }
                visit(node)
                let step = node.pointee.next(for: waiter)
                guard case .permits(let next) = step else { return step }
                node = next
            }
            return .end
        }
    }

    extension PermitState {
        /// What these permits wait for: the next step of the chain. Called with the flag of ``WaitGraph`` held.
        ///
        /// - Parameter waiter: Asks whether it would wait for itself; nil for nobody.
        fileprivate func next(for waiter: Waiter?) -> WaitGraph.Step {
            if let blockedOn { return .permits(blockedOn) }
            var server = server
            while let current = server {
                if waiter?.runs(current) == true { return .self }
                if current is TaskContext { return .task }
                if current.isSerial, let blockedOn = current.blockedOn { return .permits(blockedOn) }
                server = current.outer
            }
            return .end
        }
    }
#endif
