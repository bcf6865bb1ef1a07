public import Dispatch
public import Foundation

extension QueueScheduler: DateScheduler {
    /// The time of day, as the system has it.
    public var currentDate: Date { Date() }

    /// Queues `action` when a time of day has come; at once, if it has passed.
    ///
    /// Disposing of the result before that lets go of the action, and leaves nothing behind in the queue.
    /// - Complexity: O(1); a timer of the system's, unless the time has passed.
    @discardableResult
    public func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        guard date > currentDate else { return schedule(action) }
        let scheduled = ScheduledAction(action)
        scheduled.start(on: queue, at: DispatchWallTime(date))
        return scheduled
    }

    /// Queues `action` when a time of day has come, and again after each interval, with a leeway of a tenth of it.
    ///
    /// - Parameters:
    ///   - date: When the action is queued first.
    ///   - interval: The time from one queueing to the next. At least 0.
    ///   - action: What is run, on the queue.
    /// - Returns: A disposable that ends the repetition.
    @discardableResult
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        schedule(after: date, interval: interval, leeway: interval.usualLeeway, action: action)
    }

    /// Queues `action` when a time of day has come, and again after each interval. Times that pass while the queue is busy
    /// are made up for by one run.
    ///
    /// - Parameters:
    ///   - date: When the action is queued first.
    ///   - interval: The time from one queueing to the next. At least 0.
    ///   - leeway: How much later it may be, so that wake-ups can be put together. At least 0.
    ///   - action: What is run, on the queue.
    /// - Returns: A disposable that ends the repetition.
    @discardableResult
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        interval.requireNonnegative("interval")
        leeway.requireNonnegative("leeway")
        return RepeatedAction(action, on: queue, at: DispatchWallTime(date), interval: interval, leeway: leeway)
    }
}

extension DispatchWallTime {
    /// The same moment, or a little later; never, if it is a century away.
    fileprivate init(_ date: Date) {
        let seconds = date.timeIntervalSinceNow
        self = seconds < 3e9 ? .now() + max(seconds, 0) : .distantFuture
    }
}
