public import Dispatch
public import CorinthEssentials

extension ThreadScheduler: DateScheduler {
    /// The system's time of day.
    public var currentDate: Date { Date() }

    /// Queues `action` at a date; at once, if the date has passed. `.distantFuture` never comes. The waiting time is fixed by
    /// this call, on the monotonic clock. Setting the time of day afterwards has no effect.
    ///
    /// The thread itself waits. While it has work, it checks the clock after every 32 actions. If it sleeps, the system wakes
    /// it. Actions that were scheduled before their dates run in the order of the dates, however late the thread is.
    ///
    /// Disposing of the result before that releases the action at once. A few words of memory remain until its time has come,
    /// or until half of the pending actions have been disposed of.
    /// - Complexity: O(log *n*), with *n* delayed actions; two allocations.
    @discardableResult
    public func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        date.requireNumber()
        guard date > currentDate else { return schedule(action) }
        return post(DelayedAction(action, at: TimePoint(date), every: nil, on: loop))
    }

    /// Queues `action` at a date, and again after each interval. One run makes up for all times that pass while the thread is
    /// busy. All times are on the monotonic clock, from this call on. The leeway has no effect: the thread exists anyway.
    /// See ``DateScheduler/schedule(after:interval:leeway:action:)``.
    @discardableResult
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        requireRepetition(after: date, every: interval, leeway)
        return post(DelayedAction(action, at: TimePoint(date), every: interval.wholeNanoseconds, on: loop))
    }

    private func post(_ action: DelayedAction) -> any Disposable {
        loop.post(action) { action.drop() }
        return action
    }
}
