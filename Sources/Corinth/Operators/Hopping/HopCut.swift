/// Whether an ``ObserveOn`` drops its queued events, and what it delivers in their place.
///
///     none ──▶ interrupted
///       └────▶ failed
///
/// Invariant: of two terminations, the first one stays.
@frozen
@usableFromInline
struct HopCut: WordState, Equatable, Sendable {
    @usableFromInline let bits: UInt64

    /// Queued events are delivered.
    @inlinable @inline(__always)
    static var none: HopCut { HopCut(bits: 0) }

    @inlinable @inline(__always)
    static var interrupted: HopCut { HopCut(bits: 1) }

    @inlinable @inline(__always)
    static var failed: HopCut { HopCut(bits: 2) }

    @inlinable @inline(__always)
    init(bits: UInt64) {
        self.bits = bits
    }

    /// The state after an interruption; nil if another termination came first.
    @inlinable @inline(__always)
    func interrupting() -> HopCut? { self == .none ? .interrupted : nil }

    /// The state after a failure; nil if another termination came first.
    @inlinable @inline(__always)
    func failing() -> HopCut? { self == .none ? .failed : nil }
}
