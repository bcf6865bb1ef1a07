public import Corinth

extension Signal where Value: Sendable {
    /// Partitions the values by key over the schedulers of a pool, as `observe(on:by:)` does, and tells each partition its scheduler: for what
    /// a partition delays, paces or times out on the thread that it runs on anyway.
    ///
    /// ```swift
    /// orders.observe(on: pool, by: \.account) { partition, scheduler in
    ///     partition.debounce(0.05, on: scheduler)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - pool: The pool whose schedulers run the partitions.
    ///   - key: Returns the key of a value. Runs once for each value, on the thread on which the source delivers.
    ///   - policy: The overflow policy of each partition. By default that of `observe(on:)`.
    ///   - statistics: Counts the values sent to, delivered to and dropped by the partitions.
    ///   - transform: Makes the result of a partition. Called once for each scheduler, before this method returns.
    /// - Complexity: As `observe(on:by:)`.
    @inlinable
    public func observe<Key: Hashable & Sendable, U, F>(
        on pool: QueueSchedulerPool, by key: sending @escaping (Value) -> Key,
        bufferingPolicy policy: BufferingPolicy<Error>? = nil, statistics: BufferStatistics? = nil,
        _ transform: (_ partition: Signal<Value, Error>, _ scheduler: PooledScheduler) -> Signal<U, F>
    ) -> Signal<U, F> {
        // In the order of the schedulers.
        var schedulers = pool.schedulers.makeIterator()
        return observe(
            on: pool, by: key, bufferingPolicy: policy ?? .usual(on: pool.schedulers[0]), statistics: statistics
        ) { partition in
            guard let scheduler = schedulers.next() else { preconditionFailure("more partitions than schedulers") }
            return transform(partition, scheduler)
        }
    }
}

extension SignalProducer where Value: Sendable {
    /// Partitions the values by key over the schedulers of a pool, and tells each partition its scheduler. See the method of ``Signal``.
    @inlinable
    public func observe<Key: Hashable & Sendable, U, F>(
        on pool: QueueSchedulerPool, by key: @escaping @Sendable (Value) -> Key,
        bufferingPolicy policy: BufferingPolicy<Error>? = nil, statistics: BufferStatistics? = nil,
        _ transform:
            @escaping @Sendable (_ partition: Signal<Value, Error>, _ scheduler: PooledScheduler) -> Signal<U, F>
    ) -> SignalProducer<U, F> {
        lift { $0.observe(on: pool, by: key, bufferingPolicy: policy, statistics: statistics, transform) }
    }
}
