public import Dispatch

/// What happens to values that come faster than they are delivered.
///
/// ```swift
/// prices.observe(on: screen, bufferingPolicy: .latest)
/// orders.observe(on: ledger, bufferingPolicy: .failing(capacity: 10_000, with: .overloaded))
/// ```
///
/// `Failure` is the error of the stream: a stream that can't fail has no policy that fails.
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

    /// Everything waits, however much that is.
    public static var unbounded: BufferingPolicy { BufferingPolicy(.unbounded) }

    /// Nothing is dropped: a sender that finds no place waits for one, in turn. For what waits for a scheduler; an operator
    /// that holds values until other streams have sent theirs refuses this policy when it is applied.
    ///
    /// It waits outside of its callbacks, when `send` is about to return, with the value in hand: never inside an observer,
    /// and never for itself. A thread that delivers for another scheduler doesn't wait; it leaves the rest in the hop that it
    /// delivers for, and that goes on in its turn. What would wait for itself, over however many streams and schedulers, is
    /// found, and takes a place beyond the bound.
    ///
    /// - Parameters:
    ///   - capacity: How many values may wait. At least 1; `.max` is no bound.
    ///   - stallTimeout: Each time that it passes without a delivery, one more `capacity` is admitted, until there is a
    ///     delivery: what delivers may be waiting for the sender in a way that can't be seen. At least 0; with 0, nobody waits.
    ///     With `.never`, the bound holds for as long as it takes.
    public static func blocking(
        capacity: Int, stallTimeout: DispatchTimeInterval = .milliseconds(100)
    ) -> BufferingPolicy {
        stallTimeout.requireNonnegative("stallTimeout")
        return BufferingPolicy(
            .blocking(MailboxBound(capacity: checked(capacity), stallTimeout: stallTimeout.wholeNanoseconds)))
    }

    /// A value that finds no room is dropped.
    ///
    /// - Parameter capacity: How many values may wait. At least 1; `.max` is no bound.
    public static func dropNewest(capacity: Int) -> BufferingPolicy {
        BufferingPolicy(.dropping(capacity: checked(capacity), oldest: false))
    }

    /// The value that has waited longest is dropped for a new one.
    ///
    /// - Parameter capacity: How many values may wait. At least 1; `.max` is no bound.
    public static func dropOldest(capacity: Int) -> BufferingPolicy {
        BufferingPolicy(.dropping(capacity: checked(capacity), oldest: true))
    }

    /// Only the latest value waits: `.dropOldest(capacity: 1)`.
    public static var latest: BufferingPolicy { dropOldest(capacity: 1) }

    /// The stream fails when a value finds no room. What waits then is delivered before the failure by `observe(on:)`, and
    /// dropped by other operators, as with any failure.
    ///
    /// - Parameters:
    ///   - capacity: How many values may wait. At least 1; `.max` is no bound.
    ///   - failure: What it fails with.
    public static func failing(capacity: Int, with failure: Failure) -> BufferingPolicy {
        BufferingPolicy(.failing(capacity: checked(capacity), failure))
    }

    /// Of a hop that says nothing else: at most ``Strand/defaultCapacity`` values wait for a scheduler that has threads of its
    /// own. Any other may be one that its user
    /// runs, perhaps after having sent everything.
    @usableFromInline
    static func usual(on scheduler: any Scheduler) -> BufferingPolicy {
        #if NaiveLocks
            unbounded
        #else
            (scheduler as? any ErrandScheduler)?.runsByItself == true
                ? blocking(capacity: Strand.defaultCapacity) : unbounded
        #endif
    }

    /// Whether it may end the stream.
    @inlinable
    var fails: Bool { failure != nil }

    /// What the stream fails with when a value finds no room; nil if it goes on.
    @inlinable
    var failure: Failure? {
        if case .failing(_, let failure) = kind { failure } else { nil }
    }

    /// Whether so many can't wait for a scheduler anyway: the memory for them would take more than any process is given.
    @inlinable
    static func isUnlimited(_ capacity: Int) -> Bool { capacity > 1 << 30 }

    /// What an operator needs to know in which nobody can wait for room: whoever sends to it owns its strand.
    ///
    /// - Parameter name: The operator's.
    @usableFromInline
    func buffering(in name: StaticString, counting statistics: BufferStatistics?) -> Buffering<Failure> {
        if case .blocking = kind {
            preconditionFailure(
                "\(name) got the policy .blocking, but what waits there waits for streams and not for a scheduler: "
                    + "use .dropNewest, .dropOldest, .latest, .failing or .unbounded")
        }
        return Buffering(bound, failure: failure, counting: statistics)
    }

    /// Where senders wait for room in an operator that delivers on a scheduler, if they do.
    ///
    /// - Parameters:
    ///   - scheduler: What delivers, and so never waits for itself.
    ///   - seconds: How long values wait before they can be delivered, which is not for want of progress.
    @usableFromInline
    func permits(on scheduler: any Scheduler, afterSeconds seconds: Double = 0) -> Permits? {
        guard case .blocking(let bound) = kind else { return nil }
        return Permits(bound.later(by: seconds), servedBy: (scheduler as? any ErrandScheduler)?.context)
    }

    /// How many may wait where senders don't.
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

/// A bound on a mailbox at which senders wait.
@usableFromInline
struct MailboxBound: Sendable {
    /// How many elements may wait.
    let capacity: Int

    /// How long nothing may be delivered until one more capacity is admitted, in nanoseconds; `.max` if never is.
    let stallTimeout: UInt64

    /// The same, later by so many seconds. Where nobody waits for any time, nobody does.
    @usableFromInline
    func later(by seconds: Double) -> MailboxBound {
        if stallTimeout == 0 { return self }
        let (sum, overflow) = stallTimeout.addingReportingOverflow(UInt64(min(max(seconds, 0), 1e9) * 1e9))
        return MailboxBound(capacity: capacity, stallTimeout: overflow ? .max : sum)
    }
}
