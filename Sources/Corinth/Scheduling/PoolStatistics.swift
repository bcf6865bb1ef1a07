public import Foundation

/// What the schedulers of a ``QueueSchedulerPool`` have done and have still to do.
///
/// ```swift
/// for row in pool.statistics.schedulers where row.longestWait > 0.1 { print(row) }
/// ```
///
/// An action is what was scheduled: a hop such as `observe(on:)` schedules one for a burst of values. Counts are read one by
/// one while actions come and go, so that they may be off by the actions of that moment. When a pool is idle,
/// `executed + cancelled + refused` is the number of actions that were scheduled, those with a time apart.
public struct PoolStatistics: Equatable, Sendable {
    /// A row for each scheduler.
    public let schedulers: [SchedulerStatistics]

    init(_ schedulers: [SchedulerStatistics]) {
        self.schedulers = schedulers
    }

    /// How many actions have run.
    public var executed: Int { schedulers.reduce(0) { $0 + $1.executed } }

    /// How many wait or run now.
    public var queued: Int { schedulers.reduce(0) { $0 + $1.queued } }

    /// How many were disposed of before they began, or dropped by ``QueueSchedulerPool/shutDown(_:)``.
    public var cancelled: Int { schedulers.reduce(0) { $0 + $1.cancelled } }

    /// How many came after the pool was shut down.
    public var refused: Int { schedulers.reduce(0) { $0 + $1.refused } }

    /// The longest that an action has waited, in seconds.
    public var longestWait: TimeInterval { schedulers.map(\.longestWait).max() ?? 0 }
}

/// What one scheduler of a ``QueueSchedulerPool`` has done and has still to do.
public struct SchedulerStatistics: Equatable, Sendable, CustomStringConvertible {
    /// The scheduler's name, which is its queue's label.
    public let name: String

    /// How many actions have run. Each run of a repeated one counts.
    public let executed: Int

    /// How many wait or run now. Those whose time has not come don't count.
    public let queued: Int

    /// How many were disposed of before they began, or dropped by ``QueueSchedulerPool/shutDown(_:)``.
    public let cancelled: Int

    /// How many came after the pool was shut down.
    public let refused: Int

    /// The longest that an action without a time has waited, from being scheduled to its beginning, in seconds.
    public let longestWait: TimeInterval

    /// Such as `parser.0: 12 executed, 1 queued, 0 cancelled, 0 refused, longest wait 0.002 s`.
    public var description: String {
        "\(name): \(executed) executed, \(queued) queued, \(cancelled) cancelled, \(refused) refused, "
            + "longest wait \(longestWait) s"
    }
}
