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
    /// most one more that waits for it; the other values wait in one queue, whose bound is that of ``observe(on:)``. To have
    /// another one, or none, see ``parallelMap(on:limit:ordered:bufferingPolicy:statistics:_:)``.
    @inlinable
    public func parallelMap<U>(
        on pool: QueueSchedulerPool, limit: Int = .max, ordered: Bool = true,
        _ transform: @escaping @Sendable (Value) -> U
    ) -> Signal<U, Error> {
        parallelMap(
            on: pool, limit: limit, ordered: ordered, bufferingPolicy: .usual(on: pool.schedulers[0]), transform)
    }

    /// Maps several values at the same time, on the schedulers of a pool, with a bound on what waits for them.
    /// See ``parallelMap(on:limit:ordered:_:)``.
    ///
    /// - Parameters:
    ///   - pool: Where `transform` runs.
    ///   - limit: How many values are worked on at the same time. At least 1.
    ///   - ordered: Whether results come in the order of the values; else they come as they are done.
    ///   - policy: What happens to values that find no room in the queue. A failure drops what has no result yet (law E6).
    ///   - statistics: Where values are counted as sent, delivered, which is to say handed to a scheduler of the pool, and
    ///     dropped.
    ///   - transform: Maps a value. Runs on several threads at the same time, once for each value that isn't dropped.
    /// - Complexity: As of ``parallelMap(on:limit:ordered:_:)``.
    /// ## Concurrency
    /// As of ``parallelMap(on:limit:ordered:_:)``.
    @inlinable
    public func parallelMap<U>(
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

extension SignalProducer {
    /// Maps several values at the same time, on the schedulers of a pool. See ``Signal/parallelMap(on:limit:ordered:_:)``.
    @inlinable
    @preconcurrency
    public func parallelMap<U>(
        on pool: QueueSchedulerPool, limit: Int = .max, ordered: Bool = true,
        _ transform: @escaping @Sendable (Value) -> U
    ) -> SignalProducer<U, Error> {
        parallelMap(
            on: pool, limit: limit, ordered: ordered, bufferingPolicy: .usual(on: pool.schedulers[0]), transform)
    }

    /// Maps several values at the same time, on the schedulers of a pool, with a bound on what waits for them in each start.
    /// See ``Signal/parallelMap(on:limit:ordered:bufferingPolicy:statistics:_:)``.
    @inlinable
    @preconcurrency
    public func parallelMap<U>(
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
