#if Exploration
    /// The threads that wait for one kind of permit, and how often each was passed. It states the fairness that `Permits`
    /// guarantees, independently of its code.
    struct PermitQueue {
        private struct Entry {
            let waiter: ObjectIdentifier
            let thread: String
            var passes: UInt64 = 0
            var allowed: UInt64
        }

        private let batch: UInt64
        private var entries: [Entry] = []

        init(batch: UInt64) {
            self.batch = batch
        }

        /// - Parameter allowing: How often threads that aren't in the queue may pass it.
        mutating func join(_ waiter: ObjectIdentifier, _ thread: String, allowing passes: UInt64) {
            entries.append(Entry(waiter: waiter, thread: thread, allowed: passes))
        }

        /// A thread takes a permit without joining the queue.
        mutating func pass() {
            for index in entries.indices { entries[index].passes += 1 }
        }

        /// A waiter continues. It passes the waiters before it. The waiters behind it expect it to use its batch.
        mutating func serve(_ waiter: ObjectIdentifier) {
            guard let place = entries.firstIndex(where: { $0.waiter == waiter }) else { return }
            entries.remove(at: place)
            for index in entries.indices {
                if index < place { entries[index].passes += 1 } else { entries[index].allowed += batch - 1 }
            }
        }

        /// A waiter continues without a permit.
        mutating func remove(_ waiter: ObjectIdentifier) { entries.removeAll { $0.waiter == waiter } }

        /// The waiter that was passed too often, or nil.
        var starved: String? {
            entries.first { $0.passes > $0.allowed }.map {
                "\($0.thread), \($0.passes) times, at most \($0.allowed) allowed"
            }
        }
    }
#endif
