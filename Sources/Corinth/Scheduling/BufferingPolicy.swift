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

    /// Nothing is dropped: a sender that goes past the bound waits until there is room again. For what waits for a
    /// scheduler; an operator that holds values until other streams have sent theirs refuses this policy when it is applied.
    ///
    /// It waits outside of its callbacks, when `send` is about to return, and only for a delivery: never inside an observer,
    /// or on the scheduler itself. There the values go past the bound. A thread that delivers for another scheduler doesn't
    /// wait, but leaves the rest in the hop that it delivers for, until half of the room is free.
    ///
    /// - Parameters:
    ///   - capacity: How many values may wait. At least 1.
    ///   - patience: How long a sender waits, and a hop stops, without seeing a single delivery. Then it goes on, past the
    ///     bound, since what the scheduler's thread waits for might be the sender: until there is a delivery, twice as many
    ///     may wait, and twice as many again each time. Where a delivery takes longer than that, patience grows with it. With
    ///     `.never` the sender waits as long as it takes; a scheduler that needs the sender's thread then never comes to it,
    ///     nor do hops that wait for each other.
    public static func blocking(
        capacity: Int, patience: DispatchTimeInterval = .seconds(1)
    ) -> BufferingPolicy {
        patience.requireNonnegative("patience")
        return BufferingPolicy(.blocking(MailboxBound(capacity: checked(capacity), patience: patience)))
    }

    /// A value that finds no room is dropped.
    ///
    /// - Parameter capacity: How many values may wait. At least 1.
    public static func dropNewest(capacity: Int) -> BufferingPolicy {
        BufferingPolicy(.dropping(capacity: checked(capacity), oldest: false))
    }

    /// The value that has waited longest is dropped for a new one.
    ///
    /// - Parameter capacity: How many values may wait. At least 1.
    public static func dropOldest(capacity: Int) -> BufferingPolicy {
        BufferingPolicy(.dropping(capacity: checked(capacity), oldest: true))
    }

    /// Only the latest value waits: `.dropOldest(capacity: 1)`.
    public static var latest: BufferingPolicy { dropOldest(capacity: 1) }

    /// The stream fails when a value finds no room. What waits then is delivered before the failure by `observe(on:)`, and
    /// dropped by other operators, as with any failure.
    ///
    /// - Parameters:
    ///   - capacity: How many values may wait. At least 1.
    ///   - failure: What it fails with.
    public static func failing(capacity: Int, with failure: Failure) -> BufferingPolicy {
        BufferingPolicy(.failing(capacity: checked(capacity), failure))
    }

    /// Of a hop that says nothing else: at most ``Strand/defaultCapacity`` values wait for a scheduler that has threads of its
    /// own, whose senders are not very patient: they may not know that there is a bound. Any other may be one that its user
    /// runs, perhaps after having sent everything.
    @usableFromInline
    static func usual(on scheduler: any Scheduler) -> BufferingPolicy {
        #if NaiveLocks
            unbounded
        #else
            (scheduler as? any ErrandScheduler)?.runsByItself == true
                ? blocking(capacity: Strand.defaultCapacity, patience: .milliseconds(100)) : unbounded
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
    func room(on scheduler: any Scheduler, afterSeconds seconds: Double = 0) -> MailboxRoom? {
        guard case .blocking(let bound) = kind else { return nil }
        return MailboxRoom(bound.later(by: seconds), errands: scheduler as? any ErrandScheduler)
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

    /// For how long a sender waits without a delivery.
    let patience: DispatchTimeInterval

    /// The same with more patience, in seconds.
    @usableFromInline
    func later(by seconds: Double) -> MailboxBound {
        MailboxBound(
            capacity: capacity, patience: DispatchTimeInterval(rounding: patience.timeInterval + seconds))
    }
}
