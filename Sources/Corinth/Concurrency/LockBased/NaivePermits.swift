#if NaiveLocks
    /// How much waits, and where its senders wait for a place: here and now, on a condition variable, with whatever mutexes they
    /// hold. There is no order among them, and no deadlock is found: only a stall timeout ends a wait for itself.
    @usableFromInline
    final class Permits: @unchecked Sendable {  // What the condition is for.
        /// At offset 0.
        private var conditionStorage = Condition.Storage()
        private let capacity: Int

        /// In nanoseconds.
        private let stallTimeout: UInt64
        private let server: SerialContext?

        // Guarded by the condition.
        private var waiting = 0
        private var delivered: UInt64 = 0
        private var isClosed = false

        /// How many threads wait for a place. Each of them is counted in `waiting`, too.
        private var sleeping = 0

        /// How many more capacities are admitted until the next delivery.
        private var extra = 0

        /// Where what waits is counted, if anybody asked for that.
        @usableFromInline var statistics: BufferStatistics?

        @usableFromInline
        init(_ bound: MailboxBound?, servedBy server: SerialContext?) {
            capacity = bound?.capacity ?? .max
            // What is longer than the clock can show never comes.
            let asked = bound?.stallTimeout ?? .max
            stallTimeout = asked > .max / 4 ? .max : asked
            self.server = server
            condition.create(in: &conditionStorage)
        }

        deinit { condition.destroy() }

        private var condition: Condition { Condition(of: self) }

        /// Counts one that is going to wait.
        @usableFromInline
        func enter() {
            if capacity == .max { return }
            condition.withLock { waiting += 1 }
        }

        /// Counts some that wait no more.
        @usableFromInline
        func leave(_ count: Int = 1) {
            if capacity == .max { return }
            let mayGoOn = condition.withLock {
                waiting -= count
                delivered += 1
                extra = 0
                return sleeping > 0 && waiting <= capacity
            }
            if mayGoOn { condition.broadcast() }
        }

        /// Waits for a place, unless this thread holds the strand, by which elements are delivered.
        @usableFromInline
        func settle(outside strand: Strand) {
            if capacity == .max || strand.isHeldHere || server?.isCurrent == true { return }
            condition.withLock {
                if waiting <= capacity { return }
                statistics?.hold()
                blockingWaitForPlace()
                statistics?.release()
            }
        }

        private func blockingWaitForPlace() {
            sleeping += 1
            defer { sleeping -= 1 }
            var mark = delivered
            while !isClosed, waiting > capacity.multipliedReportingOverflow(by: extra + 1).partialValue {
                if stallTimeout == .max {
                    condition.wait()
                } else if !condition.wait(nanoseconds: stallTimeout), delivered == mark {
                    extra += 1
                }
                mark = delivered
            }
        }

        /// Nobody waits from here on.
        @usableFromInline
        func close() {
            condition.withLock { isClosed = true }
            condition.broadcast()
        }

        /// There is no drain to be stopped.
        @usableFromInline
        func cancelStops() {}
    }
#endif
