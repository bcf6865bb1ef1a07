extension SignalProducer {
    /// Starts this producer on the least loaded scheduler of a pool. The scheduler is chosen at the start.
    @inlinable
    func starting(on pool: QueueSchedulerPool) -> SignalProducer {
        starting(until: pool.schedulers[0].end, on: nil) { action in pool.leastLoaded.schedule(action) }
    }
}

extension JoinOutput {
    /// Connects an outer stream to a strategy whose inner streams are started on a pool.
    @inlinable
    func flatten<Outer: JoinSource>(
        _ outer: Outer, _ strategy: FlattenStrategy, on pool: QueueSchedulerPool, _ buffering: Buffering<Next.Error>,
        _ mapError: @escaping (Outer.JoinedError) -> Next.Error, _ transform: @escaping (Outer.JoinedValue) -> Inner
    ) {
        let (strand, resources) = (strand, resources)
        // Only the strand's owner uses it.
        nonisolated(unsafe) let next = next
        // An inner stream that the pool refuses to start waits until the pool ends. The result is then interrupted.
        pool.atEnd(until: resources) {
            unsafe strand.performAtOnce(on: resources, with: next) { _, next in next.terminate(.interrupted) }
        }
        flattenCounting(outer, strategy, buffering, mapError) { transform($0).starting(on: pool) }
    }
}

extension Signal {
    @inlinable
    func flattening<U, F>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool, _ policy: BufferingPolicy<F>,
        counting statistics: BufferStatistics?, _ mapError: @escaping (Error) -> F,
        _ transform: @escaping (Value) -> SignalProducer<U, F>
    ) -> Signal<U, F> {
        let buffering = policy.buffering(in: "flatten", counting: statistics)
        return .joining { $0.flatten(self, strategy, on: pool, buffering, mapError, transform) }
    }

    /// Transforms each value into a stream that starts on a pool, and flattens these inner streams with a strategy.
    ///
    /// ```swift
    /// files.flatMap(.concurrent(limit: 4), on: pool) { file in
    ///     SignalProducer { checksum(of: file) }
    /// }
    /// ```
    ///
    /// Differs from ``flatMap(_:_:)-1szey`` in where inner streams are started: each on the least loaded scheduler of the
    /// pool at that time. When the pool is shut down, the result is interrupted: see
    /// ``QueueSchedulerPool/shutDown(_:completion:)``. The shutdown doesn't wait for work that inner streams do elsewhere.
    ///
    /// - Parameters:
    ///   - strategy: Decides which inner streams run, and what happens to the others.
    ///   - pool: The pool on which inner streams are started.
    ///   - policy: The overflow policy of inner streams that wait for their turn, as in
    ///     ``flatMap(_:bufferingPolicy:statistics:_:)-15j1l``.
    ///   - statistics: Counts inner streams, as there.
    ///   - transform: Makes an inner stream from a value. Runs once for each value, on the thread that delivers it.
    ///     Expensive work belongs in the inner stream.
    /// - Complexity: See ``flatMap(_:_:)-1szey``. In addition, one action of a scheduler for each inner stream.
    /// ## Concurrency
    /// The result has its own strand. Inner streams may send on different threads at the same time. An inner stream that is
    /// disposed of before its scheduled start isn't started. With ``FlattenStrategy/merge``, the number of inner streams
    /// that wait for the pool is unbounded. With ``FlattenStrategy/concurrent(limit:)`` it is bounded, and the queue of the
    /// other inner streams is as `policy` says.
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool,
        bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil,
        _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Error> where Inner.Value: Sendable, Inner.Error == Error {
        flattening(strategy, on: pool, policy, counting: statistics, { $0 }) { transform($0).producer }
    }

    /// Transforms each value into a stream that can't fail and starts on a pool, and flattens these.
    /// See ``flatMap(_:on:bufferingPolicy:statistics:_:)-pdft``.
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool,
        bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil,
        _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Error> where Inner.Value: Sendable, Inner.Error == Never {
        flattening(strategy, on: pool, policy, counting: statistics, { $0 }) { transform($0).producer.promoted() }
    }
}

extension Signal where Error == Never {
    /// Transforms each value into a stream that starts on a pool, and flattens these.
    /// See ``flatMap(_:on:bufferingPolicy:statistics:_:)-pdft``.
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool,
        bufferingPolicy policy: BufferingPolicy<Inner.Error> = .unbounded, statistics: BufferStatistics? = nil,
        _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Error> where Inner.Value: Sendable {
        flattening(strategy, on: pool, policy, counting: statistics, absurd) { transform($0).producer }
    }

    /// Transforms each value into a stream that can't fail and starts on a pool, and flattens these.
    /// See ``flatMap(_:on:bufferingPolicy:statistics:_:)-pdft``.
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool,
        bufferingPolicy policy: BufferingPolicy<Never> = .unbounded, statistics: BufferStatistics? = nil,
        _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Never> where Inner.Value: Sendable, Inner.Error == Never {
        flattening(strategy, on: pool, policy, counting: statistics, absurd) { transform($0).producer }
    }
}

extension SignalProducer {
    @inlinable
    func flattening<U, F>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool, _ policy: BufferingPolicy<F>,
        counting statistics: BufferStatistics?, _ mapError: @escaping @Sendable (Error) -> F,
        _ transform: @escaping @Sendable (Value) -> SignalProducer<U, F>
    ) -> SignalProducer<U, F> {
        let buffering = policy.buffering(in: "flatten", counting: statistics)
        return .joining { $0.flatten(self, strategy, on: pool, buffering, mapError, transform) }
    }

    /// Transforms each value into a stream that starts on a pool, and flattens these.
    /// See ``Signal/flatMap(_:on:bufferingPolicy:statistics:_:)-pdft``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool,
        bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Error> where Inner.Value: Sendable, Inner.Error == Error {
        flattening(strategy, on: pool, policy, counting: statistics, { $0 }) { transform($0).producer }
    }

    /// Transforms each value into a stream that can't fail and starts on a pool, and flattens these.
    /// See ``Signal/flatMap(_:on:bufferingPolicy:statistics:_:)-pdft``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool,
        bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Error> where Inner.Value: Sendable, Inner.Error == Never {
        flattening(strategy, on: pool, policy, counting: statistics, { $0 }) { transform($0).producer.promoted() }
    }
}

extension SignalProducer where Error == Never {
    /// Transforms each value into a stream that starts on a pool, and flattens these.
    /// See ``Signal/flatMap(_:on:bufferingPolicy:statistics:_:)-pdft``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool,
        bufferingPolicy policy: BufferingPolicy<Inner.Error> = .unbounded, statistics: BufferStatistics? = nil,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Error> where Inner.Value: Sendable {
        flattening(strategy, on: pool, policy, counting: statistics, absurd) { transform($0).producer }
    }

    /// Transforms each value into a stream that can't fail and starts on a pool, and flattens these.
    /// See ``Signal/flatMap(_:on:bufferingPolicy:statistics:_:)-pdft``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool,
        bufferingPolicy policy: BufferingPolicy<Never> = .unbounded, statistics: BufferStatistics? = nil,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Never> where Inner.Value: Sendable, Inner.Error == Never {
        flattening(strategy, on: pool, policy, counting: statistics, absurd) { transform($0).producer }
    }
}
