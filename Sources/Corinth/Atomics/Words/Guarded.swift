public import Synchronization

/// A value in place that one thread at a time reads and writes, for a few nanoseconds: whoever holds its flag. It can't be reached
/// in another way.
@frozen
@usableFromInline
@safe package struct Guarded<State: ~Copyable>: ~Copyable, @unchecked Sendable {  // The flag guards the state.
    @usableFromInline let flag = OwnerFlag()
    @usableFromInline let cell: _Cell<State>

    @inlinable
    package init(_ state: consuming State) { cell = _Cell(state) }

    /// Runs `body` with the flag held. No user code may run in it: what is taken out is released afterwards.
    @inlinable @inline(__always)
    package func hold<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        // Taken before: in an expression with the access, thread sanitizer would see an access to the flag, too.
        let state = unsafe cell._address
        return try flag.hold { try unsafe body(&state.pointee) }
    }
}

/// The same with a flag that is biased to the thread that uses it most. For what a stream does with each value. `Owner` is what has
/// it, for the message of ``DeadlockCheck``.
@frozen
@usableFromInline
@safe struct BiasedGuarded<State: ~Copyable, Owner>: ~Copyable, @unchecked Sendable {  // As above.
    @usableFromInline let flag = BiasedFlag()
    @usableFromInline let cell: _Cell<State>

    @inlinable
    init(_ state: consuming State) { cell = _Cell(state) }

    /// Runs `body` with the flag held, as ``Guarded`` does.
    @inlinable @inline(__always)
    func hold<Result>(_ body: (inout State) -> Result) -> Result {
        let state = unsafe cell._address
        let held = flag.acquire(for: Owner.self)
        let result = unsafe body(&state.pointee)
        flag.release(held)
        return result
    }
}
