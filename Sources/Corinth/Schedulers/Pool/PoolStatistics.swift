public import CorinthEssentials

/// The work counts of the schedulers of a ``QueueSchedulerPool``.
///
/// ```swift
/// for row in pool.statistics.schedulers where row.longestWait > 0.1 { print(row) }
/// ```
///
/// The counts are in actions: a hop such as `observe(on:)` schedules one action for a burst of values. The counts are read
/// one by one, so they may be off by the actions that start or finish meanwhile. For an idle pool,
/// `executed + cancelled + refused` is the number of scheduled actions, not counting delayed ones.
public struct PoolStatistics: Equatable, Sendable {
    /// One row for each scheduler.
    public let schedulers: [SchedulerStatistics]

    init(_ schedulers: [SchedulerStatistics]) {
        self.schedulers = schedulers
    }

    /// How many actions have run.
    public var executed: Int { schedulers.reduce(0) { $0 + $1.executed } }

    /// How many actions are queued or running now.
    public var queued: Int { schedulers.reduce(0) { $0 + $1.queued } }

    /// How many actions were disposed of before they began, or dropped by ``QueueSchedulerPool/shutDown(_:)``.
    public var cancelled: Int { schedulers.reduce(0) { $0 + $1.cancelled } }

    /// How many actions were scheduled after the pool was shut down.
    public var refused: Int { schedulers.reduce(0) { $0 + $1.refused } }

    /// The longest time that an action was queued, in seconds.
    public var longestWait: TimeInterval { schedulers.map(\.longestWait).max() ?? 0 }
}

/// The work counts of one scheduler of a ``QueueSchedulerPool``.
public struct SchedulerStatistics: Equatable, Sendable, CustomStringConvertible {
    /// The scheduler's name, which is its queue's label.
    public let name: String

    /// How many actions have run. Each run of a repeated one counts.
    public let executed: Int

    /// How many actions are queued or running now. Delayed actions whose time has not come don't count.
    public let queued: Int

    /// How many actions were disposed of before they began, or dropped by ``QueueSchedulerPool/shutDown(_:)``.
    public let cancelled: Int

    /// How many actions were scheduled after the pool was shut down.
    public let refused: Int

    /// The longest time from scheduling an action to its beginning, in seconds. Delayed actions don't count.
    public let longestWait: TimeInterval

    /// Such as `parser.0: 12 executed, 1 queued, 0 cancelled, 0 refused, longest wait 0.002 s`.
    public var description: String {
        "\(name): \(executed) executed, \(queued) queued, \(cancelled) cancelled, \(refused) refused, "
            + "longest wait \(longestWait) s"
    }
}
