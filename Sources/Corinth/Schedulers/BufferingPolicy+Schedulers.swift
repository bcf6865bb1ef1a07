extension BufferingPolicy {
    /// The default policy of a hop: at most ``Strand/defaultCapacity`` values are buffered for a scheduler that has its own
    /// threads. The user may run any other scheduler, possibly after all values were sent.
    @usableFromInline
    package static func usual(on scheduler: any Scheduler) -> BufferingPolicy {
        Strand.boundsHops && (scheduler as? any WorkItemScheduler)?.runsByItself == true
            ? blocking(capacity: Strand.defaultCapacity) : unbounded
    }

    /// The permits for which senders wait in an operator that delivers on a scheduler; nil if senders don't wait.
    ///
    /// - Parameters:
    ///   - scheduler: The delivering scheduler, which never waits for itself.
    ///   - seconds: The regular delay of the values. It extends the stall timeout.
    @usableFromInline
    func permits(on scheduler: any Scheduler, afterSeconds seconds: Double = 0) -> Permits? {
        guard case .blocking(let bound) = kind else { return nil }
        return Permits(bound.later(by: seconds), servedBy: scheduler.runningWorkItems.context)
    }
}
