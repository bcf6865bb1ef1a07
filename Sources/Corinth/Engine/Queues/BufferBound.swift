/// The capacity of an operator's buffer, and which value is dropped on overflow.
@frozen
@usableFromInline
struct BufferBound: Sendable {
    @usableFromInline let capacity: Int
    @usableFromInline let dropsOldest: Bool

    @inlinable
    init(capacity: Int, dropsOldest: Bool = false) {
        self.capacity = capacity
        self.dropsOldest = dropsOldest
    }
}

/// How an operator buffers its values.
@frozen
@usableFromInline
struct Buffering<Failure: Error>: Sendable {
    @usableFromInline let bound: BufferBound

    /// The error with which the stream fails on overflow. nil if the stream continues.
    @usableFromInline let failure: Failure?
    @usableFromInline let statistics: BufferStatistics?

    @inlinable
    init(_ bound: BufferBound, failure: Failure?, counting statistics: BufferStatistics?) {
        self.bound = bound
        self.failure = failure
        self.statistics = statistics
    }

    /// Unbounded, without statistics.
    @inlinable static var unbounded: Buffering {
        Buffering(BufferBound(capacity: .max), failure: nil, counting: nil)
    }
}
