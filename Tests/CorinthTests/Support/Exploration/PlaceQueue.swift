#if Exploration
    /// Those who wait for the places of one kind, and how often each was passed: the fairness that `Permits` promises, without its
    /// code.
    struct PlaceQueue {
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

        /// - Parameter allowing: How often those may pass it who are not in the queue.
        mutating func join(_ waiter: ObjectIdentifier, _ thread: String, allowing passes: UInt64) {
            entries.append(Entry(waiter: waiter, thread: thread, allowed: passes))
        }

        /// Somebody takes a place without joining.
        mutating func pass() {
            for index in entries.indices { entries[index].passes += 1 }
        }

        /// A waiter goes on. It passes those before it; those behind it expect it to use its batch.
        mutating func serve(_ waiter: ObjectIdentifier) {
            guard let place = entries.firstIndex(where: { $0.waiter == waiter }) else { return }
            entries.remove(at: place)
            for index in entries.indices {
                if index < place { entries[index].passes += 1 } else { entries[index].allowed += batch - 1 }
            }
        }

        /// A waiter goes on without a place.
        mutating func remove(_ waiter: ObjectIdentifier) { entries.removeAll { $0.waiter == waiter } }

        /// Who was passed too often, if anybody was.
        var starved: String? {
            entries.first { $0.passes > $0.allowed }.map { "\($0.thread), \($0.passes) times instead of \($0.allowed)" }
        }
    }
#endif
