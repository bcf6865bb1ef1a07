public import Dispatch
public import Foundation

extension ThreadScheduler: DateScheduler {
    /// The time of day, as the system has it.
    public var currentDate: Date { Date() }

    /// Queues `action` when a date has come; at once, if it has passed. `.distantFuture` never comes. How long that is counts from this call, by the
    /// monotonic clock: if the time of day is set afterwards, the action comes neither earlier nor later.
    ///
    /// The thread itself waits for the time. While it has something to run, it looks at the clock after each 32 actions. If
    /// it sleeps, the system wakes it up.
    ///
    /// Disposing of the result before that lets go of the action at once. What is left of it takes a few words until its
    /// time has come, or until half of what waits has been disposed of.
    /// - Complexity: O(log *n*), with *n* delayed actions; two allocations.
    @discardableResult
    @preconcurrency
    public func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        date.requireNumber()
        guard date > currentDate else { return schedule(action) }
        return post(DelayedAction(action, at: TimePoint(date), every: nil, on: loop))
    }

    /// Queues `action` when a date has come, and again after each interval. Times that pass while the thread is busy are made
    /// up for by one run. All of it goes by the monotonic clock, from this call on.
    ///
    /// - Parameters:
    ///   - date: When the action is queued first.
    ///   - interval: The time from one queueing to the next. At least 0; with `.never`, there is one only.
    ///   - leeway: At least 0. Without effect: the thread is there anyway.
    ///   - action: What is run, on the thread.
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
        return post(DelayedAction(action, at: TimePoint(date), every: interval.wholeNanoseconds, on: loop))
    }

    private func post(_ action: DelayedAction) -> any Disposable {
        loop.post(action) { action.drop() }
        return action
    }
}
