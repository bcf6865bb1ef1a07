public import Dispatch
public import Foundation

extension QueueScheduler: DateScheduler {
    /// The time of day, as the system has it.
    public var currentDate: Date { Date() }

    /// Queues `action` when a date has come; at once, if it has passed. `.distantFuture`, and whatever is later than the year
    /// 2200 or so, never comes.
    ///
    /// How long that is counts from this call, by the monotonic clock: if the time of day is set afterwards, the action comes
    /// neither earlier nor later. The same date, given again, is the same moment, as long as nobody sets the time of day.
    ///
    /// Actions of one queue are queued in the order of their times, those for the same time in the order of scheduling.
    /// Disposing of the result before that lets go of the action, and leaves nothing behind.
    ///
    /// - Complexity: O(1), however many wait, and so is disposing; one allocation. All queue schedulers together use as many
    ///   timers of the system's as there are processors, 16 at most.
    ///
    /// ## Concurrency
    /// Threads that schedule or dispose at the same time take turns, for some writes to memory each.
    @discardableResult
    @preconcurrency
    public func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        date.requireNumber()
        guard date > currentDate else { return schedule(action) }
        let entry = TimerEntry(action, at: TimePoint(date), on: queue)
        entry.start()
        return entry
    }

    /// Queues `action` when a date has come, and again after each interval, with a leeway of a tenth of it.
    ///
    /// - Parameters:
    ///   - date: When the action is queued first.
    ///   - interval: The time from one queueing to the next. At least 0; with `.never`, there is one only.
    ///   - action: What is run, on the queue.
    /// - Returns: A disposable that ends the repetition.
    @discardableResult
    @preconcurrency
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        schedule(after: date, interval: interval, leeway: interval.usualLeeway, action: action)
    }

    /// Queues `action` when a date has come, and again after each interval. Times that pass while the queue is busy are made
    /// up for by one run, and the following ones stay where they would have been. All of it goes by the monotonic clock, from
    /// this call on.
    ///
    /// Disposing of the result lets go of the action: at once, or when it has run, if it is running.
    ///
    /// - Parameters:
    ///   - date: When the action is queued first.
    ///   - interval: The time from one queueing to the next. At least 0; with `.never`, there is one only.
    ///   - leeway: How much later it may be, so that wake-ups can be put together. At least 0; `.never` counts as 0.
    ///   - action: What is run, on the queue.
    /// - Returns: A disposable that ends the repetition.
    @discardableResult
    @preconcurrency
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        date.requireNumber()
        interval.requireNonnegative("interval")
        leeway.requireNonnegative("leeway")
        let entry = TimerEntry(
            action, at: TimePoint(date), every: interval.wholeNanoseconds, leeway: leeway.leewayNanoseconds, on: queue)
        entry.start()
        return entry
    }
}

extension DispatchTimeInterval {
    /// In nanoseconds, if it is at least 0; more than a lifetime if it is `.never`.
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

    /// The same of a leeway. One without a bound counts as 0: it allows a timer to be late, and doesn't ask for it.
    var leewayNanoseconds: UInt64 {
        let nanoseconds = wholeNanoseconds
        return nanoseconds == .max ? 0 : nanoseconds
    }

    private static func product(_ count: Int, _ factor: UInt64) -> UInt64 {
        let (product, overflow) = UInt64(count).multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
