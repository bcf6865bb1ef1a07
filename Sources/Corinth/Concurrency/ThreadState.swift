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

    /// ``owned`` of a thread that owns no strand, but has overfilled one while it did.
    @inlinable @inline(__always)
    static var debtOnly: UInt64 { 1 }

    /// Twice the number of strands that this thread owns, and 1 more while it has a debt. It waits for nothing while it
    /// owns a strand.
    @inlinable @inline(__always)
    var owned: UInt64 {
        get { unsafe state.pointee.owned }
        nonmutating set { unsafe state.pointee.owned = newValue }
    }

    /// From here to ``endHolding()`` this thread waits for no room, as if it owned a strand: it holds something that the
    /// owner of the strand might wait for.
    @inlinable @inline(__always)
    static func beginHolding() { current.owned &+= 2 }

    /// The end of what ``beginHolding()`` began. Whoever called it goes on to ``Strand/settle()``.
    @inlinable @inline(__always)
    static func endHolding() { current.owned &-= 2 }
}
