extension QueueSchedulerPool {
    /// Runs `interrupt` when the pool drops its work or has ended, unless `resources` are disposed of first.
    @usableFromInline
    func atEnd(until resources: CompositeDisposable, _ interrupt: @escaping @Sendable () -> Void) {
        resources.add(core.interrupting.add(interrupt))
    }

    /// The connection of an operator's source. It is disposed of with `resources`, or when the pool is shut down.
    @usableFromInline
    func connection(within resources: CompositeDisposable) -> CompositeDisposable {
        let connection = CompositeDisposable()
        resources.add(connection)
        resources.add(core.closing.add(connection))
        return connection
    }

    /// At most `count` consecutive schedulers, with a different first one each time, for an operator that holds the pool
    /// while it holds values.
    @usableFromInline
    func continuing(_ count: Int) -> [any Scheduler] {
        let first = nextIndex
        return (0..<min(count, self.count)).map { ContinuingScheduler(schedulers[(first + $0) % self.count]) }
    }
}
