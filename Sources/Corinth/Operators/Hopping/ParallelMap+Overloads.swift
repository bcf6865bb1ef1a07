extension JoinOutput {
    @inlinable
    func parallelMap<Source: JoinSource>(
        _ source: Source, on pool: QueueSchedulerPool, limit: Int, ordered: Bool,
        _ policy: BufferingPolicy<Next.Error>, counting statistics: BufferStatistics?,
        _ transform: @escaping (Source.JoinedValue) -> Next.Value
    ) where Source.JoinedError == Next.Error {
        precondition(limit >= 1, "limit is \(limit), but must be at least 1")
        let map = ParallelMap(
            self, on: pool, limit: limit, isOrdered: ordered, policy, counting: statistics, transform)
        pool.atEnd(until: resources) { map.interrupt() }
        resources.add { map.interrupt() }
        let connection = pool.connection(within: resources)
        source.connect(to: map.input(until: connection), until: connection)
    }
}

extension Signal where Value: Sendable {
    /// Maps several values concurrently on the schedulers of a pool.
    ///
    /// ```swift
    /// images.parallelMap(on: pool) { thumbnail(of: $0) }.observeValues { show($0) }
    /// ```
    ///
    /// Completes when the results of all values have been delivered. A failure or an interruption of the source is
    /// delivered at once, and values without a result are dropped. When the pool is shut down, the result is interrupted:
    /// see ``QueueSchedulerPool/shutDown(_:completion:)``.
    ///
    /// - Parameters:
    ///   - pool: The pool on which `transform` runs.
    ///   - limit: The maximum number of values that are mapped at the same time. At least 1. The effective limit is at most
    ///     the number of schedulers in the pool, which is the default.
    ///   - ordered: If true, results have the order of their values. If false, a result is sent as soon as it is ready. In
    ///     order, a late result delays at most 32 results for each value that is mapped at the same time. Further values
    ///     wait until it arrives.
    ///   - transform: Maps a value. Runs on several threads at the same time, once for each value.
    /// - Complexity: O(`limit`) per value. A result that arrives while another thread delivers a result or hands out a
    ///   value costs an allocation.
    /// ## Concurrency
    /// The pool's threads deliver the results. The thread that sends the termination delivers it. A scheduler that maps a
    /// value has at most one more value queued. The other values wait in one queue with the default bound of
    /// ``observe(on:)``. For another bound, or none, see ``parallelMap(on:limit:ordered:bufferingPolicy:statistics:_:)``.
    @inlinable
    public func parallelMap<U: Sendable>(
        on pool: QueueSchedulerPool, limit: Int = .max, ordered: Bool = true,
        _ transform: @escaping @Sendable (Value) -> U
    ) -> Signal<U, Error> {
        parallelMap(
            on: pool, limit: limit, ordered: ordered, bufferingPolicy: .usual(on: pool.schedulers[0]), transform)
    }

    /// Maps several values concurrently on the schedulers of a pool, with an overflow policy for waiting values. See
    /// ``parallelMap(on:limit:ordered:_:)``.
    ///
    /// - Parameters:
    ///   - pool: The pool on which `transform` runs.
    ///   - limit: The maximum number of values that are mapped at the same time. At least 1.
    ///   - ordered: If true, results have the order of their values. If false, a result is sent as soon as it is ready.
    ///   - policy: The overflow policy of the queue. A failure drops the values without a result (law
    ///     [E6](doc:Contracts#E6-Three-ways-to-end)).
    ///   - statistics: Counts values as sent, as delivered when a scheduler of the pool receives them, and as dropped.
    ///   - transform: Maps a value. Runs on several threads at the same time, once for each value that isn't dropped.
    /// - Complexity: See ``parallelMap(on:limit:ordered:_:)``.
    @inlinable
    public func parallelMap<U: Sendable>(
        on pool: QueueSchedulerPool, limit: Int = .max, ordered: Bool = true,
        bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil,
        _ transform: @escaping @Sendable (Value) -> U
    ) -> Signal<U, Error> {
        .joining {
            $0.parallelMap(
                self, on: pool, limit: limit, ordered: ordered, policy, counting: statistics, transform)
        }
    }
}

extension SignalProducer where Value: Sendable {
    /// Maps several values concurrently on the schedulers of a pool. See ``Signal/parallelMap(on:limit:ordered:_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func parallelMap<U: Sendable>(
        on pool: QueueSchedulerPool, limit: Int = .max, ordered: Bool = true,
        _ transform: @escaping @Sendable (Value) -> U
    ) -> SignalProducer<U, Error> {
        parallelMap(
            on: pool, limit: limit, ordered: ordered, bufferingPolicy: .usual(on: pool.schedulers[0]), transform)
    }

    /// Maps several values concurrently on the schedulers of a pool, with an overflow policy for waiting values in each
    /// start. See ``Signal/parallelMap(on:limit:ordered:bufferingPolicy:statistics:_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func parallelMap<U: Sendable>(
        on pool: QueueSchedulerPool, limit: Int = .max, ordered: Bool = true,
        bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil,
        _ transform: @escaping @Sendable (Value) -> U
    ) -> SignalProducer<U, Error> {
        precondition(limit >= 1, "limit is \(limit), but must be at least 1")
        return .joining {
            $0.parallelMap(
                self, on: pool, limit: limit, ordered: ordered, policy, counting: statistics, transform)
        }
    }
}
