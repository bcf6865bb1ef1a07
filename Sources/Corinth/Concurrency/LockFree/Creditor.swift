#if !NaiveLocks
    internal import CCorinth

    /// What has a bound on what waits in it: whoever overfills it while owning a strand waits for room later, when it owns
    /// none.
    @usableFromInline
    class Creditor: @unchecked Sendable {  // Has no state of its own.
        @usableFromInline
        init() {}

        /// Waits until there is room. Called by a thread that owns no strand.
        func blockingWaitForRoom() {}
    }

    extension ThreadState {
        /// Makes this thread wait for room when it has left its last strand. It has one debt at a time: the first.
        func incurDebt(to creditor: Creditor) {
            guard unsafe state.pointee.debt == nil else { return }
            unsafe state.pointee.debt = Unmanaged.passRetained(creditor).toOpaque()
            owned |= ThreadState.debtOnly
        }

        /// What this thread has to wait for. It has no debt any more.
        func takeDebt() -> Creditor? {
            owned &= ~ThreadState.debtOnly
            guard let debt = unsafe state.pointee.debt else { return nil }
            unsafe state.pointee.debt = nil
            return unsafe Unmanaged<Creditor>.fromOpaque(debt).takeRetainedValue()
        }

        /// Runs `body` as if this thread owned a strand: it waits for no room, now or later.
        @inlinable
        static func withoutWaiting(_ body: () -> Void) {
            let thread = ThreadState.current
            thread.owned &+= 2
            body()
            thread.owned &-= 2
            if thread.owned == debtOnly { thread.forgiveDebt() }
        }

        @usableFromInline
        func forgiveDebt() { _ = takeDebt() }
    }
#endif
