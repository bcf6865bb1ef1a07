public import Dispatch

/// The overflow policy of a buffer: what happens to values that arrive faster than they are delivered.
///
/// ```swift
/// prices.observe(on: screen, bufferingPolicy: .latest)
/// orders.observe(on: ledger, bufferingPolicy: .failing(capacity: 10_000, with: .overloaded))
/// ```
///
/// `Failure` is the error of the stream. A stream that can't fail has no failing policy.
public struct BufferingPolicy<Failure: Error>: Sendable {
    @usableFromInline
    enum Kind: Sendable {
        case unbounded
        case blocking(MailboxBound)
        case dropping(capacity: Int, oldest: Bool)
        case failing(capacity: Int, Failure)
    }

    @usableFromInline let kind: Kind

    @inlinable
    init(_ kind: Kind) {
        self.kind = kind
    }

    /// Buffers every value, without a bound.
    public static var unbounded: BufferingPolicy { BufferingPolicy(.unbounded) }

    /// Drops nothing: if the buffer is full, the sender waits for capacity, in FIFO order.
    ///
    /// This policy is for the inbox of a signal and for buffers in front of a scheduler. Operators that hold values until
    /// other streams send theirs refuse it when it is applied.
    ///
    /// The sender waits at the end of `send`, outside its callbacks, with its value: never inside an observer, and never for
    /// itself. A thread that delivers for another scheduler doesn't wait. It leaves the rest in the hop that it delivers for,
    /// and this hop is resumed in FIFO order. A wait that would wait for itself, across any number of streams and schedulers,
    /// is detected. Such a value exceeds the bound.
    ///
    /// - Parameters:
    ///   - capacity: How many values the buffer holds. At least 1; `.max` for no bound.
    ///   - stallTimeout: Each time that it passes without a delivery, one more `capacity` is admitted, until the next
    ///     delivery. The delivering code may be waiting for the sender in a way that isn't detected. At least 0; with 0,
    ///     senders don't wait. With `.never`, senders wait without a limit.
    public static func blocking(
        capacity: Int, stallTimeout: DispatchTimeInterval = .milliseconds(100)
    ) -> BufferingPolicy {
        stallTimeout.requireNonnegative("stallTimeout")
        return BufferingPolicy(
            .blocking(MailboxBound(capacity: checked(capacity), stallTimeout: stallTimeout.wholeNanoseconds)))
    }

    /// Drops a value that arrives when the buffer is full.
    ///
    /// - Parameter capacity: How many values the buffer holds. At least 1; `.max` for no bound.
    public static func dropNewest(capacity: Int) -> BufferingPolicy {
        BufferingPolicy(.dropping(capacity: checked(capacity), oldest: false))
    }

    /// Drops the oldest value for a new one when the buffer is full.
    ///
    /// - Parameter capacity: How many values the buffer holds. At least 1; `.max` for no bound.
    public static func dropOldest(capacity: Int) -> BufferingPolicy {
        BufferingPolicy(.dropping(capacity: checked(capacity), oldest: true))
    }

    /// Buffers only the latest value: `.dropOldest(capacity: 1)`.
    public static var latest: BufferingPolicy { dropOldest(capacity: 1) }

    /// Fails the stream when a value arrives and the buffer is full.
    ///
    /// A signal's inbox and `observe(on:)` deliver the buffered values before the failure. Other operators drop them, as with
    /// any failure.
    ///
    /// - Parameters:
    ///   - capacity: How many values the buffer holds. At least 1; `.max` for no bound.
    ///   - failure: The error with which the stream fails.
    public static func failing(capacity: Int, with failure: Failure) -> BufferingPolicy {
        BufferingPolicy(.failing(capacity: checked(capacity), failure))
    }

    /// Whether the policy may end the stream.
    @inlinable
    var fails: Bool { failure != nil }

    /// The error with which the stream fails on overflow; nil if the stream continues.
    @inlinable
    var failure: Failure? {
        if case .failing(_, let failure) = kind { failure } else { nil }
    }

    /// Whether the capacity counts as unbounded: no process has enough memory to buffer that many values.
    @inlinable
    static func isUnlimited(_ capacity: Int) -> Bool { capacity > 1 << 30 }

    /// The buffering of an operator in which no sender can wait, because each sender owns its strand.
    ///
    /// - Parameter name: The operator's name.
    @usableFromInline
    func buffering(in name: StaticString, counting statistics: BufferStatistics?) -> Buffering<Failure> {
        if case .blocking = kind {
            preconditionFailure(
                "bufferingPolicy is .blocking, but must be .dropNewest, .dropOldest, .latest, .failing or .unbounded: "
                    + "no sender can wait in \(name)")
        }
        return Buffering(bound, failure: failure, counting: statistics)
    }

    /// The bound where senders don't wait.
    @usableFromInline
    var bound: BufferBound {
        switch kind {
        case .unbounded, .blocking: BufferBound(capacity: .max)
        case .dropping(let capacity, let oldest): BufferBound(capacity: capacity, dropsOldest: oldest)
        case .failing(let capacity, _): BufferBound(capacity: capacity)
        }
    }

    private static func checked(_ capacity: Int) -> Int {
        precondition(capacity > 0, "capacity is \(capacity), but must be at least 1")
        return capacity
    }
}

/// The bound of a mailbox whose senders wait.
@usableFromInline
struct MailboxBound: Sendable {
    /// How many elements the mailbox holds.
    let capacity: Int

    /// After this time without a delivery, one more capacity is admitted. In nanoseconds; `.max` for never.
    let stallTimeout: UInt64

    /// The same bound with a stall timeout extended by `seconds`. A timeout of 0 stays 0: no thread waits.
    @usableFromInline
    func later(by seconds: Double) -> MailboxBound {
        if stallTimeout == 0 { return self }
        let (sum, overflow) = stallTimeout.addingReportingOverflow(UInt64(min(max(seconds, 0), 1e9) * 1e9))
        return MailboxBound(capacity: capacity, stallTimeout: overflow ? .max : sum)
    }
}
