public import CorinthEssentials

/// The kernel of `pace`: a delay until there is a token for the oldest value.
///
/// The bucket isn't filled by a timer. Each delivery moves the date at which the bucket will be full again, as in the generic cell rate
/// algorithm of ATM (ITU-T I.371, annex A).
@usableFromInline
final class Pace<Next: Receiver>: Delay<Next>, @unchecked Sendable {  // As its superclass.
    /// The time in which a token comes, and how long an empty bucket takes to be full but for one token.
    @usableFromInline let period: TimeInterval
    @usableFromInline let tolerance: TimeInterval

    /// When the bucket is full.
    @safe @exclusivity(unchecked)
    @usableFromInline var full = Date.distantPast

    @inlinable
    init(
        _ output: JoinOutput<Next>, every period: TimeInterval, burst: Int, on clock: any DateScheduler,
        _ policy: BufferingPolicy<Next.Error>, counting statistics: BufferStatistics?
    ) {
        self.period = period
        tolerance = period * Double(burst - 1)
        super.init(output, 0, on: clock, policy, counting: statistics, stallingAfter: period)
    }

    /// The completion needs no token.
    @inlinable
    override func due(_ item: Item) -> Date {
        item.value == nil ? item.date : max(item.date, full.addingTimeInterval(-tolerance))
    }

    @inlinable
    override func noteDelivery(at now: Date) { full = max(full, now).addingTimeInterval(period) }
}

extension Signal where Value: Sendable {
    /// Delivers at most so many values per interval, and loses none: those that come faster wait.
    ///
    ///     source             abcd----e|
    ///     pace 1 per 2       a-b-c-d-e|
    ///     the same, burst 2  abc-d---e|
    ///
    /// A bucket holds `burst` tokens, and each value takes one. It is full at first, and a token comes each `interval / count`. The
    /// completion comes after the last value. A failure or an interruption is sent at once and drops the values that wait.
    ///
    /// ```swift
    /// requests.pace(100, per: 1, burst: 20, on: queue, bufferingPolicy: .blocking(capacity: 1_000))
    /// ```
    ///
    /// For a pace of each key, pace the streams that `group(limit:by:)` makes.
    ///
    /// - Parameters:
    ///   - count: How many values per interval. At least 1.
    ///   - interval: In seconds. More than 0, and finite.
    ///   - burst: How many values may come at once after a pause. At least 1.
    ///   - scheduler: The scheduler on which the result's callbacks run.
    ///   - policy: What happens to values that wait: see ``BufferingPolicy``. Of a policy that blocks, the stall timeout begins after the
    ///     time in which a token comes. By default, senders wait when 16,384 values do, as in ``observe(on:)``.
    ///   - statistics: Counts values as sent, delivered and dropped.
    /// - Complexity: O(1) per value. One timer while values wait.
    @inlinable
    public func pace(
        _ count: Int, per interval: TimeInterval, burst: Int = 1, on scheduler: any DateScheduler,
        bufferingPolicy policy: BufferingPolicy<Error>? = nil, statistics: BufferStatistics? = nil
    ) -> Signal<Value, Error> {
        let period = tokenPeriod(count, interval, burst)
        return scheduling {
            let policy = policy ?? .usual(on: scheduler)
            let stage = Pace($0, every: period, burst: burst, on: scheduler, policy, counting: statistics)
            return (stage, stage.input)
        }
    }
}

extension SignalProducer where Value: Sendable {
    /// Delivers at most so many values per interval, and loses none: those that come faster wait. See
    /// ``Signal/pace(_:per:burst:on:bufferingPolicy:statistics:)-(_,TimeInterval,_,_,_,_)``.
    @inlinable
    public func pace(
        _ count: Int, per interval: TimeInterval, burst: Int = 1, on scheduler: any DateScheduler,
        bufferingPolicy policy: BufferingPolicy<Error>? = nil, statistics: BufferStatistics? = nil
    ) -> SignalProducer<Value, Error> {
        let period = tokenPeriod(count, interval, burst)
        return scheduling {
            let policy = policy ?? .usual(on: scheduler)
            let stage = Pace($0, every: period, burst: burst, on: scheduler, policy, counting: statistics)
            return (stage, stage.input)
        }
    }
}

@usableFromInline
func tokenPeriod(_ count: Int, _ interval: TimeInterval, _ burst: Int) -> TimeInterval {
    precondition(count >= 1, "count is \(count), but must be at least 1")
    precondition(
        interval > 0 && interval < .infinity, "interval is \(interval) s, but must be more than 0 and finite")
    precondition(burst >= 1, "burst is \(burst), but must be at least 1")
    return interval / Double(count)
}
