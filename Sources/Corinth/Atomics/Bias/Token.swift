/// That the calling thread holds something that one thread at a time may hold. It is returned by what takes that, and consumed by
/// what gives it back.
///
/// It can't be copied, so nothing is given back twice, and nothing that needs it is called without it. One that is dropped
/// stops the program: otherwise that thing would be held by nobody for ever. It has no size, and costs nothing.
///
/// - Parameter Right: What the holder may do, for its name only.
@frozen
@usableFromInline
struct Token<Right>: ~Copyable {
    /// Called where the right has been taken: next to the operation on the word that decides it.
    @inlinable @inline(__always)
    init() {}

    /// Called where the right is given back or passed on: next to the operation that does it.
    @inlinable @inline(__always)
    consuming func end() { discard self }

    @inlinable
    deinit { stopProgram() }

    // Not a precondition, which says nothing in an optimised build.
    @usableFromInline
    func stopProgram() { fatalError("\(Right.self) was taken and never given back") }
}

/// The right to deliver the events of a strand.
@frozen
@usableFromInline
enum Ownership {}

/// The right to change the observers of a signal. No user code runs meanwhile.
@frozen
@usableFromInline
enum ObserverChange {}

/// The right to what a flag guards.
@frozen
@usableFromInline
enum FlagPossession {}

@usableFromInline typealias Owned = Token<Ownership>
@usableFromInline typealias Edit = Token<ObserverChange>
@usableFromInline typealias Held = Token<FlagPossession>
