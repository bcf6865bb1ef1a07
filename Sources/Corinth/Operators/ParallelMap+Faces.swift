extension JoinOutput {
    @inlinable
    func parallelMap<Source: JoinSource>(
        _ source: Source, on pool: QueueSchedulerPool, limit: Int, ordered: Bool,
        _ transform: @escaping (Source.JoinedValue) -> Next.Value
    ) where Source.JoinedError == Next.Error {
        precondition(limit >= 1, "limit is \(limit), but must be at least 1")
        let map = ParallelMap(self, on: pool, limit: limit, isOrdered: ordered, transform)
        pool.atEnd(until: resources) { map.interrupt() }
        resources.add { map.interrupt() }
        let connection = pool.connection(within: resources)
        source.connect(to: map.port(until: connection), until: connection)
    }
}

extension Signal {
    /// Maps several values at the same time, on the schedulers of a pool.
    ///
    /// ```swift
    /// images.parallelMap(on: pool) { thumbnail(of: $0) }.observeValues { show($0) }
    /// ```
    ///
    /// Completes when the results of all values have been delivered. A failure or an interruption of the source is delivered
    /// at once, and what has no result yet is dropped. When the pool is shut down, the result is interrupted: see
    /// ``QueueSchedulerPool/shutDown(_:completion:)``.
    ///
    /// - Parameters:
    ///   - pool: Where `transform` runs.
    ///   - limit: How many values are worked on at the same time. At least 1; as many as the pool has schedulers at most,
    ///     which is also what you get if nothing is said.
    ///   - ordered: Whether results come in the order of the values; else they come as they are done. In order, a result that
    ///     is late holds up others, at most 32 for each of those values that are worked on at the same time: no value is begun
    ///     that could bring more.
    ///   - transform: Maps a value. Runs on several threads at the same time, once for each value.
    /// - Complexity: O(`limit`) per value. A result that comes while another thread delivers one, or hands out a value, takes
    ///   an allocation.
    /// ## Concurrency
    /// Results are delivered by the threads of the pool, the end by whoever brings it. A scheduler that works on a value has at
    /// most one more that waits for it; the other values wait in one queue, which is not bounded, as in ``observe(on:)``.
    @inlinable
    public func parallelMap<U>(
        on pool: QueueSchedulerPool, limit: Int = .max, ordered: Bool = true,
        _ transform: @escaping @Sendable (Value) -> U
    ) -> Signal<U, Error> {
        .joining { $0.parallelMap(self, on: pool, limit: limit, ordered: ordered, transform) }
    }
}

extension SignalProducer {
    /// Maps several values at the same time, on the schedulers of a pool. See ``Signal/parallelMap(on:limit:ordered:_:)``.
    @inlinable
    @preconcurrency
    public func parallelMap<U>(
        on pool: QueueSchedulerPool, limit: Int = .max, ordered: Bool = true,
        _ transform: @escaping @Sendable (Value) -> U
    ) -> SignalProducer<U, Error> {
        precondition(limit >= 1, "limit is \(limit), but must be at least 1")
        return .joining { $0.parallelMap(self, on: pool, limit: limit, ordered: ordered, transform) }
    }
}
