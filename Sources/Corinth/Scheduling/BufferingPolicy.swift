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

    /// Nothing is dropped: a sender that goes past the bound waits until there is room again.
    ///
    /// It waits outside of its callbacks, when `send` is about to return, and only for a delivery: never inside an observer,
    /// on the scheduler itself, or on a thread that delivers for some scheduler. There the values go past the bound.
    ///
    /// - Parameters:
    ///   - capacity: How many values may wait. At least 1.
    ///   - patience: How long a sender waits without seeing a single delivery. Then it goes on, past the bound, as do all
    ///     others until there is a delivery again: what the scheduler's thread waits for might be the sender. With `.never`
    ///     the sender waits as long as it takes; a scheduler that needs the sender's thread then never comes to it.
    public static func blocking(
        capacity: Int, patience: DispatchTimeInterval = .milliseconds(100)
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
    /// own. Any other may be one that its user runs, perhaps after having sent everything.
    @usableFromInline
    static func usual(on scheduler: any Scheduler) -> BufferingPolicy {
        #if NaiveLocks
            unbounded
        #else
            scheduler is any ErrandScheduler ? blocking(capacity: Strand.defaultCapacity) : unbounded
        #endif
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
