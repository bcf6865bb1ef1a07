public import Dispatch
public import CorinthEssentials

extension QueueScheduler: DateScheduler {
    /// The system's time of day.
    public var currentDate: Date { Date() }

    /// Queues `action` at a date; at once, if the date has passed. `.distantFuture` and dates after about the year 2200 never
    /// come.
    ///
    /// The waiting time is fixed by this call, on the monotonic clock. Setting the time of day afterwards has no effect.
    /// Equal dates are equal moments as long as the time of day isn't set.
    ///
    /// Actions of one queue are queued in the order of their times, those of equal times in the order of scheduling.
    /// Disposing of the result before that releases the action and all its memory.
    ///
    /// - Complexity: O(1) in the number of waiting actions, also for disposing; one allocation. All queue schedulers together
    ///   use one system timer for each processor, at most 16.
    ///
    /// ## Concurrency
    /// Threads that schedule or dispose at the same time exclude one another for a few memory writes.
    @discardableResult
    public func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        date.requireNumber()
        guard date > currentDate else { return schedule(action) }
        let entry = TimerEntry(action, at: TimePoint(date), on: queue, by: .shared(for: queue))
        entry.start()
        return entry
    }

    /// Queues `action` at a date, and again after each interval, with a leeway of a tenth of the interval.
    /// See ``schedule(after:interval:leeway:action:)``.
    @discardableResult
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        schedule(after: date, interval: interval, leeway: interval.usualLeeway, action: action)
    }

    /// Queues `action` at a date, and again after each interval. One run makes up for all times that pass while the queue is
    /// busy; later times don't shift. All times are on the monotonic clock, from this call on.
    ///
    /// Disposing of the result releases the action at once; if it is running, after it has run.
    /// See ``DateScheduler/schedule(after:interval:leeway:action:)``.
    @discardableResult
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        requireRepetition(after: date, every: interval, leeway)
        let entry = TimerEntry(
            action, at: TimePoint(date), every: interval.wholeNanoseconds, leeway: leeway.leewayNanoseconds, on: queue,
            by: .shared(for: queue))
        entry.start()
        return entry
    }
}

extension DispatchTimeInterval {
    /// In nanoseconds, if it is at least 0; a time that never passes for `.never`.
    var wholeNanoseconds: UInt64 {
        switch self {
        case .seconds(let count): DispatchTimeInterval.product(count, 1_000_000_000)
        case .milliseconds(let count): DispatchTimeInterval.product(count, 1_000_000)
        case .microseconds(let count): DispatchTimeInterval.product(count, 1000)
        case .nanoseconds(let count): UInt64(count)
        case .never: .max
        @unknown default: .max
        }
    }

    /// The same for a leeway. An unbounded leeway counts as 0: it permits a late timer but doesn't require one.
    var leewayNanoseconds: UInt64 {
        let nanoseconds = wholeNanoseconds
        return nanoseconds == .max ? 0 : nanoseconds
    }

    private static func product(_ count: Int, _ factor: UInt64) -> UInt64 {
        let (product, overflow) = UInt64(count).multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
