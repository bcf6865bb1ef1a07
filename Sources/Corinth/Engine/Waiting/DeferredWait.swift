#if !NaiveLocks
    public import CCorinth

    /// The permits whose bound a thread has exceeded while it owned a strand. The thread waits for them later.
    @usableFromInline
    struct DeferredWaits {
        let first: Permits
        let others: [Permits]

        func joined(to more: DeferredWaits?) -> DeferredWaits {
            guard let more else { return self }
            return DeferredWaits(first: first, others: others + [more.first] + more.others)
        }

        /// Whether a drain has to stop. Cheaper than an attempt to stop.
        ///
        /// - Parameter own: The permits that the drain returns.
        @usableFromInline
        func areFull(owning own: Permits?) -> Bool {
            first.isFull(owning: own) || others.contains { $0.isFull(owning: own) }
        }

        /// Stops a drain, if it has to.
        ///
        /// - Parameters:
        ///   - drain: Resumed when a permit is free. From then on, another thread may run it.
        ///   - own: The permits that the drain returns.
        ///   - holdsValue: Whether the value beyond the bound belongs to the drain. Otherwise it belongs to a thread that
        ///     waits too.
        /// - Returns: Whether it stops.
        @usableFromInline
        func stop(_ drain: Resumable, owning own: Permits?, holdsValue: Bool = true) -> Bool {
            // It stops at one of them. When the drain resumes, it fills the others again.
            first.stop(drain, owning: own, holdsValue: holdsValue)
                || others.contains { $0.stop(drain, owning: own, holdsValue: holdsValue) }
        }

        /// Stops the strand of a task, if it has to. The task is served when a permit is free.
        func stop(_ task: StoppingTask) -> Bool {
            first.stop(task) || others.contains { $0.stop(task) }
        }
    }

    extension ThreadState {
        /// How many events of other threads this thread has delivered instead of sleeping, during the current send.
        @inlinable
        var helped: Int {
            @inline(__always)
            get { unsafe Int(truncatingIfNeeded: state.pointee.helped) }
            nonmutating set { unsafe state.pointee.helped = UInt64(newValue) }
        }

        /// Ends a send, unless it was part of another one.
        func endHelping() { if ownsNone { helped = 0 } }

        /// Defers these waits again.
        func restore(_ waits: DeferredWaits) {
            deferWait(for: waits.first)
            for permits in waits.others { deferWait(for: permits) }
        }

        /// Waits for the deferred permits. The calling thread owns no strand.
        @usableFromInline
        @inline(never)
        func blockingWaitForDeferred() {
            // Terminations and disposals don't wait.
            guard let waits = takeDeferredWaits(), !isEnding else { return }
            waits.first.blockingWaitForBound()
            for permits in waits.others { permits.blockingWaitForBound() }
            helped = 0
        }

        /// Drops the deferred waits without waiting.
        @usableFromInline
        @inline(never)
        func forgetDeferredWait() { _ = takeDeferredWaits() }

        /// Runs `body` as if this thread owned a strand: it waits for no permit, now or later.
        @inlinable
        static func withoutWaiting(_ body: () -> Void) {
            let thread = ThreadState.current
            thread.hold()
            body()
            thread.letGo()
            if thread.isDue { thread.forgetDeferredWait() }
        }

        /// The same, for a drain.
        ///
        /// - Parameter progress: Counts what it delivers.
        @inlinable
        @safe static func draining(counting progress: UnsafeMutablePointer<UInt64>, _ body: () -> Void) {
            let thread = ThreadState.current
            let outside = thread.progress
            thread.progress = unsafe UnsafePointer(progress)
            withoutWaiting(body)
            thread.progress = unsafe outside
        }

        // MARK: Batches

        /// The permits that this thread may take out of order, or its term as a leader.
        var batch: Batch { unsafe Batch(bits: state.pointee.batch) }

        /// Lets this thread take permits out of order, or makes it a leader.
        @usableFromInline
        func use(_ batch: Batch) {
            unsafe state.pointee.batch = batch.bits
            noteDue()
        }

        /// Notes whether something is due when this thread owns no strand.
        @inline(__always)
        func noteDue() { note(isDue: !due.isNothing || batch.isTerm) }

        /// Whether it may take one.
        func takeFromBatch(of permits: Permits) -> Bool {
            let batch = batch
            guard batch.mayQueue(), batch.belongs(to: permits.stateAddress) else { return false }
            takeFromBatch(1)
            return true
        }

        func takeFromBatch(_ count: UInt64) { unsafe state.pointee.batch = batch.less(count).bits }

        /// Ends this thread's batch, if it belongs to these permits.
        func returnBatch(of permits: PermitStateAddress) -> Batch {
            let batch = batch
            guard batch.belongs(to: permits) else { return .none }
            use(.none)
            return batch
        }
    }

    extension Strand {
        /// Runs the work of a scheduler's thread. It never waits for a permit, because other work may be queued behind it.
        @inlinable
        static func withoutWaiting(_ body: () -> Void) { ThreadState.withoutWaiting(body) }

        /// Stops the work of a scheduler's thread if it has exceeded a bound.
        ///
        /// - Parameters:
        ///   - own: The permits that the thread returns. Other threads wait for them while it is stopped.
        ///   - action: Continues the work. Called on any thread when a permit is free.
        /// - Returns: Whether the work stops.
        @inlinable @inline(__always)
        static func stops(owning own: Permits?, thenResumes action: @escaping @Sendable () -> Void) -> Bool {
            guard ThreadState.current.hasDeferredWait, let waits = ThreadState.current.takeDeferredWaits() else {
                return false
            }
            return waits.stop(ResumableAction { _ in action() }, owning: own)
        }
    }
#endif
