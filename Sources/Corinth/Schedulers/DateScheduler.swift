public import Dispatch
public import CorinthEssentials

/// A scheduler with a clock.
public protocol DateScheduler: Scheduler {
    /// The scheduler's current time.
    var currentDate: Date { get }

    /// Queues an action at a date. A past date queues it at once; a date in the distant future never comes. NaN stops the
    /// program.
    ///
    /// The library's schedulers convert the date to the monotonic clock during this call. Setting the time of day afterwards
    /// doesn't affect the waiting action.
    ///
    /// - Returns: A disposable that cancels the action if it has not begun.
    @discardableResult
    func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)?

    /// Queues an action at a date, and again after each interval.
    ///
    /// - Parameters:
    ///   - date: When the action is queued first.
    ///   - interval: The time between two queueings. At least 0; with `.never`, the action is queued only once.
    ///   - leeway: How much later it may be, so that wake-ups can be combined. At least 0; `.never` counts as 0.
    ///   - action: Runs on this scheduler.
    /// - Returns: A disposable that ends the repetition.
    @discardableResult
    func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)?
}

extension DateScheduler {
    /// Queues an action after a delay, and again after each interval.
    ///
    /// - Parameters:
    ///   - delay: The time until the action is queued first. Less than 0 queues it at once; `.never` never queues it.
    ///   - interval: The time between two queueings. At least 0; with `.never`, the action is queued only once.
    ///   - leeway: How much later it may be, so that wake-ups can be combined. At least 0; `.never` counts as 0.
    ///   - action: Runs on this scheduler.
    /// - Returns: A disposable that ends the repetition.
    @discardableResult
    public func schedule(
        after delay: DispatchTimeInterval, interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .seconds(0),
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        schedule(after: currentDate.adding(delay), interval: interval, leeway: leeway, action: action)
    }
}
