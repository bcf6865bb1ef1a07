extension Scheduler {
    /// This scheduler as the engine uses it. O(1); one allocation for a scheduler from outside the library.
    @usableFromInline
    var runningWorkItems: any WorkItemScheduler { self as? any WorkItemScheduler ?? ForeignScheduler(self) }

    /// The order of its actions, as far as a hop can keep it.
    var knownOrder: ScheduleOrder {
        (self as? any WorkItemScheduler)?.order ?? (self is any StepwiseScheduler ? .unknown : .none)
    }

    /// Disposed of when the scheduler has ended or is about to drop its work; nil for a scheduler that doesn't end.
    @inlinable
    var end: CompositeDisposable? {
        (self as? PooledScheduler)?.core.interrupting ?? (self as? ThreadScheduler)?.loop.ended
    }
}

/// A scheduler that runs each value of a hop as an action, in its order with all others: that of `CorinthTesting`.
package protocol StepwiseScheduler: Scheduler {}

/// A scheduler whose actions another scheduler runs.
protocol ForwardingScheduler {
    var target: any Scheduler { get }
}

extension Scheduler {
    /// The scheduler that runs the actions: this one, or the one to which it forwards them.
    var runner: any Scheduler { (self as? any ForwardingScheduler)?.target.runner ?? self }
}

extension WorkItemScheduler where Self: Scheduler {
    @usableFromInline
    func perform(_ action: @escaping @Sendable () -> Void) { scheduleInOrder(action) }
}
