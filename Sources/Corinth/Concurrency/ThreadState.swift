public import CCorinth

/// What the calling thread knows of itself, in thread-local memory.
@frozen
@usableFromInline
@safe struct ThreadState {
    @usableFromInline let state: UnsafeMutablePointer<corinth_thread_state>

    @inlinable @inline(__always)
    static var current: ThreadState { unsafe ThreadState(corinth_thread_current()) }

    @inlinable @inline(__always)
    init(_ state: UnsafeMutablePointer<corinth_thread_state>) {
        unsafe self.state = unsafe state
    }

    /// Tells this thread from every other that is alive.
    @inlinable @inline(__always)
    var token: UInt64 { unsafe UInt64(UInt(bitPattern: state)) }

    /// ``owned`` of a thread that owns no strand, but has filled something past its bound while it did.
    @inlinable @inline(__always)
    static var deferredWaitOnly: UInt64 { 1 }

    /// Twice the number of strands that this thread owns, and 1 more while it has a deferred wait. It waits for nothing
    /// while it owns a strand.
    @inlinable @inline(__always)
    var owned: UInt64 {
        get { unsafe state.pointee.owned }
        nonmutating set { unsafe state.pointee.owned = newValue }
    }

    /// How many ends and disposals this thread is in, which the user has called. It waits for nothing meanwhile, and runs nothing
    /// that other threads have queued.
    @inlinable @inline(__always)
    var ends: UInt64 {
        get { unsafe state.pointee.ends }
        nonmutating set { unsafe state.pointee.ends = newValue }
    }

    #if !NaiveLocks
        /// How many events of others this thread has delivered instead of sleeping, in the send that it is in.
        var helped: Int {
            get { unsafe Int(state.pointee.helped) }
            nonmutating set { unsafe state.pointee.helped = UInt64(newValue) }
        }
    #endif

    /// From here to ``endHolding()`` this thread waits for no place, as if it owned a strand: it holds something that the
    /// owner of the strand might wait for.
    @inlinable @inline(__always)
    static func beginHolding() { current.owned &+= 2 }

    /// The end of what ``beginHolding()`` began. Whoever called it goes on to ``Strand/settle()``.
    @inlinable @inline(__always)
    static func endHolding() { current.owned &-= 2 }
}
