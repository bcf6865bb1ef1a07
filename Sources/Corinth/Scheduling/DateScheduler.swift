public import Dispatch
public import Foundation

/// A scheduler that knows the time.
public protocol DateScheduler: Scheduler {
    /// The time, as this scheduler has it.
    var currentDate: Date { get }

    /// Queues an action when a time has come. One in the distant past has, and one in the distant future never does. A date
    /// that is no number stops the program.
    ///
    /// The library's schedulers turn the date into a moment of the monotonic clock when this is called. Setting the time of day
    /// doesn't change for how long an action waits after that.
    ///
    /// - Returns: A disposable that makes the action not run if it has not begun.
    @discardableResult
    @preconcurrency
    func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)?

    /// Queues an action when a time has come, and again after each interval.
    ///
    /// - Parameters:
    ///   - date: When the action is queued first.
    ///   - interval: The time from one queueing to the next. At least 0; with `.never`, there is one only.
    ///   - leeway: How much later it may be, so that wake-ups can be put together. At least 0; `.never` counts as 0.
    ///   - action: What is run, on this scheduler.
    /// - Returns: A disposable that ends the repetition.
    @discardableResult
    @preconcurrency
    func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)?
}

extension DateScheduler {
    /// Queues an action after a delay, and again after each interval.
    ///
    /// - Parameters:
    ///   - delay: From now until the action is queued first: at once, if it is less than 0, and not at all with `.never`.
    ///   - interval: The time from one queueing to the next. At least 0; with `.never`, there is one only.
    ///   - leeway: How much later it may be, so that wake-ups can be put together. At least 0; `.never` counts as 0.
    ///   - action: What is run, on this scheduler.
    /// - Returns: A disposable that ends the repetition.
    @discardableResult
    @preconcurrency
    public func schedule(
        after delay: DispatchTimeInterval, interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .seconds(0),
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        schedule(after: currentDate.adding(delay), interval: interval, leeway: leeway, action: action)
    }
}
