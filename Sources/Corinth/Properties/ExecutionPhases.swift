/// The phases that an ``ActionExecution`` has reached.
///
///     | 2             | 1     | 0       |
///     | end delivered | ended | started |
///
/// The start of the work returns once. The termination is decided once, and then delivered once. The two sequences don't wait
/// for each other: whichever is through second finishes the execution.
///
/// Invariant: end delivered implies ended.
@frozen
@usableFromInline
struct ExecutionPhases: WordState, Equatable, Sendable {
    @usableFromInline let bits: UInt64

    @inlinable @inline(__always)
    static var none: ExecutionPhases { ExecutionPhases(bits: 0) }

    /// The start of the work has returned.
    @inlinable @inline(__always)
    static var started: ExecutionPhases { ExecutionPhases(bits: 1) }

    /// The termination is decided.
    @inlinable @inline(__always)
    static var ended: ExecutionPhases { ExecutionPhases(bits: 2) }

    /// The termination has been delivered to the start's observer.
    @inlinable @inline(__always)
    static var endDelivered: ExecutionPhases { ExecutionPhases(bits: 4) }

    @inlinable @inline(__always)
    init(bits: UInt64) {
        self.bits = bits
    }

    /// Whether this phase has been reached.
    @inlinable @inline(__always)
    func contains(_ phase: ExecutionPhases) -> Bool { bits & phase.bits != 0 }

    /// The phases after the start of the work has returned; nil if it has returned before.
    @inlinable @inline(__always)
    func starting() -> ExecutionPhases? {
        contains(.started) ? nil : ExecutionPhases(bits: bits | ExecutionPhases.started.bits)
    }

    /// The phases after the termination was decided; nil if it was decided before.
    @inlinable @inline(__always)
    func ending() -> ExecutionPhases? {
        contains(.ended) ? nil : ExecutionPhases(bits: bits | ExecutionPhases.ended.bits)
    }

    /// The phases after the termination was delivered; nil if none was decided, or it was delivered before.
    @inlinable @inline(__always)
    func deliveringEnd() -> ExecutionPhases? {
        contains(.ended) && !contains(.endDelivered)
            ? ExecutionPhases(bits: bits | ExecutionPhases.endDelivered.bits) : nil
    }
}
