#if !NaiveLocks
    /// Who waits for what, in the whole process, and the flag that guards it.
    ///
    /// A thread that is about to sleep, or a drain that is about to stop, first records what it waits for. Then it follows
    /// the chain from there: permits → what their drain has stopped on → … → the scheduler that delivers → what the thread
    /// that runs it waits for → …. A node has one edge, so the walk is short. If the walk returns to its start, the caller
    /// closes a cycle. It doesn't wait; it takes a permit beyond the bound.
    ///
    /// There is one flag for all: edges appear and disappear together with queue entries, so each cycle seen is real. The
    /// flag is held for some hundred nanoseconds when a thread is about to sleep or is woken, never on the path of a value
    /// that finds a permit. No user code runs under it.
    enum WaitGraph {
        static let flag = OwnerFlag(.allocated())

        enum Step {
            case permits(Permits)
            /// The asking thread.
            case `self`
            case end
        }

        /// Whether a waiter for `permits` would wait for itself. Called with the flag held.
        static func wouldWaitForItself(_ waiter: Waiter, on permits: Permits) -> Bool {
            var node = permits
            // An impossible cycle that existed before must not hold the flag for ever.
            for _ in 0..<10_000 {
                if node === waiter.own { return true }
                switch node.next(for: waiter) {
                case .permits(let next): node = next
                case .self: return true
                case .end: return false
                }
            }
            return false
        }
    }
#endif
