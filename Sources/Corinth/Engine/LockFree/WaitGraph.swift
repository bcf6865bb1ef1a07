#if !NaiveLocks
    /// Who waits for what, in the whole process, and the flag that guards it.
    ///
    /// A thread that is about to sleep, or a drain that is about to stop, first records what it waits for. Then it follows
    /// the chain from there: permits → what their drain has stopped on → … → the scheduler that delivers → what the thread
    /// that runs it waits for → …. A node has one edge, so the walk is short. If the walk returns to its start, the caller
    /// closes a cycle. It doesn't wait; it takes a permit beyond the bound.
    ///
    /// Tasks are one node, with an edge for each thread that sleeps while it runs a task: any task may need its thread.
    ///
    /// There is one flag for all: edges appear and disappear together with queue entries, so each cycle seen is real. The
    /// flag is held for some hundred nanoseconds when a thread is about to sleep or is woken, never on the path of a value
    /// that finds a permit. No user code runs under it.
    enum WaitGraph {
        static let flag = OwnerFlag(.allocated())

        /// The permits for which threads sleep that run a task. Guarded by the flag.
        nonisolated(unsafe) private static var tasks: [Permits] = []

        /// A thread that runs a task begins to wait. Called with the flag held.
        static func blockTask(on permits: Permits) { unsafe tasks.append(permits) }

        /// It waits no longer. Called with the flag held.
        static func unblockTask(on permits: Permits) {
            let index = unsafe tasks.firstIndex { $0 === permits }
            if let index { unsafe tasks.remove(at: index) }
        }

        #if Exploration
            /// Forgets the flag and the edges of threads that the explorer has abandoned.
            static func reset() {
                flag.word.store(.free, .relaxed)
                unsafe tasks = []
            }
        #endif

        enum Step {
            case permits(Permits)
            /// A task that is suspended.
            case task
            /// The asking thread.
            case `self`
            case end
        }

        /// Whether a waiter for `permits` would wait for itself. Called with the flag held.
        static func wouldWaitForItself(_ waiter: Waiter, on permits: Permits) -> Bool {
            switch walk(from: permits, for: waiter) {
            case .permits, .end: return false
            case .self: return true
            case .task:
                return unsafe tasks.contains { sleeping in
                    if case .self = walk(from: sleeping, for: waiter) { true } else { false }
                }
            }
        }

        /// Follows the chain to its end, or to a task.
        private static func walk(from permits: Permits, for waiter: Waiter) -> Step {
            var node = permits
            // An impossible cycle that existed before must not hold the flag for ever.
            for _ in 0..<10_000 {
                if node === waiter.own { return .self }
                let step = node.next(for: waiter)
                guard case .permits(let next) = step else { return step }
                node = next
            }
            return .end
        }
    }
#endif
