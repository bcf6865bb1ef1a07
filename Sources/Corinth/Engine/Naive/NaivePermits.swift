#if NaiveLocks
    /// Counts buffered values. Senders wait for a permit in place, on a condition variable, with the mutexes that they hold.
    /// Waiters have no order, and deadlocks aren't detected: only a stall timeout ends a wait for itself.
    @usableFromInline
    final class Permits: @unchecked Sendable {  // The condition guards the mutable state.
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

        /// How many threads wait for a permit. Each of them is also counted in `waiting`.
        private var sleeping = 0

        /// How many more capacities are admitted until the next delivery.
        private var extra = 0

        /// Counts the buffered values, if statistics were requested.
        @usableFromInline var statistics: BufferStatistics?

        @usableFromInline
        init(_ bound: MailboxBound?, servedBy server: SerialContext?) {
            capacity = bound?.capacity ?? .max
            // A time beyond the clock's range counts as never.
            let asked = bound?.stallTimeout ?? .max
            stallTimeout = asked > .max / 4 ? .max : asked
            self.server = server
            condition.create(in: &conditionStorage)
        }

        deinit { condition.destroy() }

        private var condition: Condition { Condition(of: self) }

        /// Counts a value before it is buffered.
        @usableFromInline
        func enter() {
            if capacity == .max { return }
            condition.withLock { waiting += 1 }
        }

        /// Counts values that are no longer buffered.
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

        /// Waits for a permit, unless this thread holds the strand that delivers the elements.
        @usableFromInline
        func waitIfBeyondBound(outside strand: Strand) {
            if capacity == .max || strand.isHeldHere || isServedHere { return }
            condition.withLock {
                if waiting <= capacity { return }
                statistics?.hold()
                blockingWaitForBound()
                statistics?.release()
            }
        }

        /// Whether this thread returns the permits, or may be needed for that.
        private var isServedHere: Bool {
            guard let server else { return false }
            return server.isCurrent || server is TaskContext && TaskContext.isTaskHere
        }

        private func blockingWaitForBound() {
            sleeping += 1
            defer { sleeping -= 1 }
            var mark = delivered
            while !isClosed, waiting > capacity.multipliedReportingOverflow(by: extra + 1).partialValue {
                if stallTimeout == .max {
                    condition.wait()
                } else if !condition.wait(nanoseconds: stallTimeout), delivered == mark {
                    extra += 1
                    unsafe BrokenBounds.note(
                        .stall, of: Probe.address(of: self), depth: UInt64(waiting), capacity: UInt64(capacity))
                }
                mark = delivered
            }
        }

        /// From now on no thread waits.
        @usableFromInline
        func close() {
            condition.withLock { isClosed = true }
            condition.broadcast()
        }

        /// The same: no drain ever stops.
        @usableFromInline
        func endWaits() { close() }
    }

    /// What a thread waits for isn't recorded: this build detects no deadlocks.
    enum WaitGraph {
        struct Edge {}
    }
#endif
