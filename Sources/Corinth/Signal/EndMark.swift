/// The termination state of a stream.
///
///     holding ──▶ open ──▶ ending ───────▶ ended
///        │          ├────▶ interrupting ─────▲
///        └──────────┴────────────────────────▲
///
/// Only the strand's owner ends the stream, and the holding. Any thread may queue a termination: the first one counts.
@frozen
@usableFromInline
struct EndMark: WordState, Equatable, Sendable {
    @usableFromInline let bits: UInt64

    /// The stream has not ended.
    @inlinable @inline(__always)
    static var open: EndMark { EndMark(bits: 0) }

    /// The stream has ended.
    @inlinable @inline(__always)
    static var ended: EndMark { EndMark(bits: 1) }

    /// An interruption is queued. Values that are queued before it are dropped (law E6).
    @inlinable @inline(__always)
    static var interrupting: EndMark { EndMark(bits: 2) }

    /// Another termination is queued.
    @inlinable @inline(__always)
    static var ending: EndMark { EndMark(bits: 4) }

    /// The values are kept for the first observer, or may be those of a stream further up: see ``HoldingCore``.
    @inlinable @inline(__always)
    static var holding: EndMark { EndMark(bits: 8) }

    @inlinable @inline(__always)
    init(bits: UInt64) {
        self.bits = bits
    }

    /// The state of a new signal that derives from one in this state.
    @inlinable
    var derived: EndMark {
        @inline(__always)
        get { EndMark(bits: bits & EndMark.holding.bits) }
    }

    /// Whether a new observer isn't just added.
    @inlinable
    var isRareToObserve: Bool {
        @inline(__always)
        get { bits & (EndMark.ended.bits | EndMark.holding.bits) != 0 }
    }

    @inlinable
    var isEnded: Bool {
        @inline(__always)
        get { bits & EndMark.ended.bits != 0 }
    }

    @inlinable
    var isInterrupting: Bool {
        @inline(__always)
        get { bits & EndMark.interrupting.bits != 0 }
    }

    /// Whether queued values are dropped.
    @inlinable
    var dropsQueued: Bool {
        @inline(__always)
        get { bits & (EndMark.ended.bits | EndMark.interrupting.bits) != 0 }
    }

    /// The state after an interruption is queued; nil if another termination came first.
    @inlinable @inline(__always)
    func queuingInterruption() -> EndMark? { self == .open ? .interrupting : nil }

    /// The state after any other termination is queued; nil if another one came first.
    @inlinable @inline(__always)
    func queuingEnd() -> EndMark? { self == .open ? .ending : nil }
}
