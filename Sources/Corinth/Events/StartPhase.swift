/// Who goes on after a stream that an operator starts: the end, or the starting thread.
///
///     starting ──▶ returned
///        └───────▶ delegated
///
/// As in ReactiveSwift, what follows a stream that ends inside its own start waits until the start has returned. So a loop
/// starts streams that end at once, and not each one inside the one before.
@frozen
@usableFromInline
struct StartPhase: WordState, Equatable, Sendable {
    @usableFromInline let bits: UInt64

    /// The start hasn't returned.
    @inlinable @inline(__always)
    static var starting: StartPhase { StartPhase(bits: 0) }

    /// The start has returned. What follows the end is up to the thread that ends the stream.
    @inlinable @inline(__always)
    static var returned: StartPhase { StartPhase(bits: 1) }

    /// The stream has ended. What follows is up to the starting thread, when the start has returned.
    @inlinable @inline(__always)
    static var delegated: StartPhase { StartPhase(bits: 2) }

    @inlinable @inline(__always)
    init(bits: UInt64) { self.bits = bits }
}

extension AtomicState<StartPhase> {
    /// Leaves what follows the end of the stream to the starting thread.
    ///
    /// - Returns: Whether that thread goes on. If not, the start has returned, and the caller goes on.
    @inlinable
    borrowing func delegates() -> Bool {
        // release: publishes the end to the starting thread. acquire: sees what the start has done.
        tryUpdate(from: .starting, .acquireRelease) { _ in .delegated }.won
    }

    /// Notes that the start has returned. Called by the starting thread.
    ///
    /// - Returns: Whether the end has been left to the caller.
    @inlinable
    borrowing func returns() -> Bool {
        // acquire: sees the end. release: publishes what the start has done.
        !tryUpdate(from: .starting, .acquireRelease) { _ in .returned }.won
    }
}
