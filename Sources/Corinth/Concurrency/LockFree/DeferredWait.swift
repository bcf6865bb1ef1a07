#if !NaiveLocks
    internal import CCorinth

    /// What a thread has filled past its bound while it owned a strand, and waits for later.
    @usableFromInline
    struct DeferredWaits {
        let first: Permits
        let others: [Permits]

        func joined(to more: DeferredWaits?) -> DeferredWaits {
            guard let more else { return self }
            return DeferredWaits(first: first, others: others + [more.first] + more.others)
        }

        /// Whether a drain has to stop. It costs less than to stop and not to have to.
        ///
        /// - Parameter own: The permits that the drain gives back.
        @usableFromInline
        func areFull(owning own: Permits?) -> Bool {
            first.isFull(owning: own) || others.contains { $0.isFull(owning: own) }
        }

        /// Stops a drain, if it has to.
        ///
        /// - Parameters:
        ///   - drain: What is resumed when there is a place. From then on, another thread may run it.
        ///   - own: The permits that the drain gives back.
        ///   - holdsValue: Whether the value beyond the bound is the drain's. Else it is that of a thread that waits, too.
        /// - Returns: Whether it stops.
        @usableFromInline
        func stop(_ drain: Resumable, owning own: Permits?, holdsValue: Bool = true) -> Bool {
            // At one of them. When the drain goes on, it fills the others again.
            first.stop(drain, owning: own, holdsValue: holdsValue)
                || others.contains { $0.stop(drain, owning: own, holdsValue: holdsValue) }
        }
    }

    extension ThreadState {
        /// What it has filled besides the first.
        private final class More {
            var all: [Permits] = []
        }

        /// Makes this thread wait for a place when it has left its last strand.
        func deferWait(for permits: Permits) {
            guard let first = unsafe state.pointee.deferred_wait else {
                unsafe state.pointee.deferred_wait = Unmanaged.passRetained(permits).toOpaque()
                owned |= ThreadState.deferredWaitOnly
                return
            }
            // The thread's own, retained where they were put there.
            if unsafe Unmanaged<Permits>.fromOpaque(first).takeUnretainedValue() === permits { return }
            guard let more = unsafe state.pointee.more_waits else {
                let more = More()
                more.all.append(permits)
                unsafe state.pointee.more_waits = Unmanaged.passRetained(more).toOpaque()
                return
            }
            let several = unsafe Unmanaged<More>.fromOpaque(more).takeUnretainedValue()
            if !several.all.contains(where: { $0 === permits }) { several.all.append(permits) }
        }

        /// Whether it has to wait for something.
        @inlinable @inline(__always)
        var hasDeferredWait: Bool { owned & ThreadState.deferredWaitOnly != 0 }

        /// What this thread has to wait for. It has no deferred wait any more.
        @usableFromInline
        func takeDeferredWaits() -> DeferredWaits? {
            owned &= ~ThreadState.deferredWaitOnly
            guard let first = unsafe state.pointee.deferred_wait else { return nil }
            unsafe state.pointee.deferred_wait = nil
            var others: [Permits] = []
            if let more = unsafe state.pointee.more_waits {
                unsafe state.pointee.more_waits = nil
                others = unsafe Unmanaged<More>.fromOpaque(more).takeRetainedValue().all
            }
            return unsafe DeferredWaits(first: Unmanaged<Permits>.fromOpaque(first).takeRetainedValue(), others: others)
        }

        /// Makes it wait for them again.
        func restore(_ waits: DeferredWaits) {
            deferWait(for: waits.first)
            for permits in waits.others { deferWait(for: permits) }
        }

        /// Waits for what has been deferred. Called by a thread that owns nothing.
        @usableFromInline
        @inline(never)
        func blockingWaitForDeferred() {
            // Ends and disposals wait for nothing.
            guard let waits = takeDeferredWaits(), ends == 0 else { return }
            waits.first.blockingWaitForPlace()
            for permits in waits.others { permits.blockingWaitForPlace() }
            helped = 0
        }

        /// Doesn't wait for what has been deferred.
        @usableFromInline
        @inline(never)
        func forgetDeferredWait() { _ = takeDeferredWaits() }

        /// Runs `body` as if this thread owned a strand: it waits for no place, now or later.
        @inlinable
        static func withoutWaiting(_ body: () -> Void) {
            let thread = ThreadState.current
            thread.owned &+= 2
            body()
            thread.owned &-= 2
            if thread.owned == deferredWaitOnly { thread.forgetDeferredWait() }
        }

        // MARK: Batches

        /// Lets this thread take places out of turn.
        @usableFromInline
        func use(_ batch: Batch) {
            unsafe state.pointee.batch_owner = batch.owner
            unsafe state.pointee.batch = batch.count
        }

        /// Whether it may take one.
        func takeFromBatch(of permits: Permits) -> Bool {
            guard unsafe state.pointee.batch_owner == Batch.address(of: permits), unsafe state.pointee.batch > 0 else {
                return false
            }
            unsafe state.pointee.batch -= 1
            return true
        }

        /// How many places of this thread's batch it has used up, or gives up, if the batch is of these permits.
        func returnBatch(of permits: Permits) -> UInt64 {
            guard unsafe state.pointee.batch_owner == Batch.address(of: permits) else { return 0 }
            unsafe state.pointee.batch_owner = 0
            return permits.batch - 1
        }
    }
#endif
