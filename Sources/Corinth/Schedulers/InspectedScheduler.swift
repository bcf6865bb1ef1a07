/// A scheduler, as ``Inspector`` sees it.
protocol InspectedScheduler: AnyObject {
    var label: String { get }

    /// How many actions are queued, and the bound; nil if that isn't counted, and if there is none.
    var queued: UInt64? { get }
    var bound: UInt64? { get }

    /// How many actions have run; nil if that isn't counted.
    var executed: UInt64? { get }

    /// What it shares with others of the same pool.
    var pool: AnyObject? { get }

    /// The scheduler that runs its actions, if that is another one.
    var inner: AnyObject? { get }
}

extension InspectedScheduler {
    var queued: UInt64? { nil }
    var bound: UInt64? { nil }
    var executed: UInt64? { nil }
    var pool: AnyObject? { nil }
    var inner: AnyObject? { nil }
}

extension QueueScheduler: InspectedScheduler {}

extension ThreadScheduler: InspectedScheduler {
    var queued: UInt64? { loop.ring.count }
    var bound: UInt64? { loop.ring.capacity }
}

extension ExecutorScheduler: InspectedScheduler {
    var queued: UInt64? { UInt64(load) }
}

extension PooledScheduler: InspectedScheduler {
    var queued: UInt64? { load }
    var executed: UInt64? { UInt64(statistics.executed) }
    var pool: AnyObject? { core }
    var inner: AnyObject? { base }
}
