extension QueueSchedulerPool {
    /// Runs `interrupt` when the pool drops its work or has ended, unless `resources` are disposed of before.
    @usableFromInline
    func atEnd(until resources: CompositeDisposable, _ interrupt: @escaping @Sendable () -> Void) {
        resources.add(core.interrupting.add(interrupt))
    }

    /// What the source of an operator is connected until: disposed of with `resources`, or when the pool is shut down.
    @usableFromInline
    func connection(within resources: CompositeDisposable) -> CompositeDisposable {
        let connection = CompositeDisposable()
        resources.add(connection)
        resources.add(core.closing.add(connection))
        return connection
    }

    /// So many schedulers that follow one another, beginning with another one each time, for an operator that holds the pool
    /// for what it has in hand.
    @usableFromInline
    func continuing(_ count: Int) -> [any Scheduler] {
        let first = nextIndex
        return (0..<min(count, self.count)).map { ContinuingScheduler(schedulers[(first + $0) % self.count]) }
    }
}
