extension SignalProducer {
    /// This, started on whichever scheduler of a pool has the least to do by then.
    @inlinable
    func starting(on pool: QueueSchedulerPool) -> SignalProducer {
        starting { action in pool.leastLoaded.schedule(action) }
    }
}

extension JoinOutput {
    /// Connects an outer stream with a strategy whose inner streams are started on a pool.
    @inlinable
    func flatten<Outer: JoinSource>(
        _ outer: Outer, _ strategy: FlattenStrategy, buffering: Buffering<Next.Error> = .unbounded,
        on pool: QueueSchedulerPool, _ mapError: @escaping (Outer.JoinedError) -> Next.Error,
        _ transform: @escaping (Outer.JoinedValue) -> Inner
    ) {
        let (strand, resources) = (strand, resources)
        // The strand's owner alone uses it.
        nonisolated(unsafe) let next = next
        // Inner streams whose start the pool refuses wait until then.
        pool.atEnd(until: resources) {
            unsafe strand.performAtOnce(on: resources, with: next) { _, next in next.terminate(.interrupted) }
        }
        flatten(outer, strategy, buffering: buffering, mapError) { transform($0).starting(on: pool) }
    }
}

extension Signal {
    @inlinable
    func flattening<U, F>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool, _ mapError: @escaping (Error) -> F,
        _ transform: @escaping (Value) -> SignalProducer<U, F>
    ) -> Signal<U, F> {
        .joining { $0.flatten(self, strategy, on: pool, mapError, transform) }
    }

    /// Makes a stream of each value, starts it on a pool, and makes one of those streams, as a strategy says.
    ///
    /// ```swift
    /// files.flatMap(.concurrent(limit: 4), on: pool) { file in
    ///     SignalProducer { checksum(of: file) }
    /// }
    /// ```
    ///
    /// Differs from ``flatMap(_:_:)-1szey`` in where inner streams are started: each on the scheduler of the pool that has the
    /// least to do by then. When the pool is shut down, the result is interrupted: see
    /// ``QueueSchedulerPool/shutDown(_:completion:)``; what inner streams do elsewhere is not waited for.
    ///
    /// - Parameters:
    ///   - strategy: Which of the inner streams run, and what becomes of the others.
    ///   - pool: Where they are started.
    ///   - transform: Makes an inner stream of a value. Runs once for each value, on the thread that delivers it: work belongs
    ///     into the stream that it makes.
    /// - Complexity: As of ``flatMap(_:_:)-1szey``; an action of a scheduler for each inner stream.
    /// ## Concurrency
    /// The result has a strand of its own: inner streams may send on different threads at once. One that is disposed of
    /// before the scheduler comes to it isn't started. With ``FlattenStrategy/merge`` there is no bound on how many wait for
    /// the pool; with ``FlattenStrategy/concurrent(limit:)``, which has one, those that are not handed to the pool wait
    /// without a bound, unless `flatMap(_:on:bufferingPolicy:statistics:_:)` sets one.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Error> where Inner.Error == Error {
        flattening(strategy, on: pool, { $0 }) { transform($0).producer }
    }

    /// Makes a stream that can't fail of each value, starts it on a pool, and makes one of those streams.
    /// See ``flatMap(_:on:_:)-3astq``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Error> where Inner.Error == Never {
        flattening(strategy, on: pool, { $0 }) { transform($0).producer.promoted() }
    }
}

extension Signal where Error == Never {
    /// Makes a stream of each value, starts it on a pool, and makes one of those streams.
    /// See ``flatMap(_:on:_:)-3astq``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Error> {
        flattening(strategy, on: pool, absurd) { transform($0).producer }
    }

    /// Makes a stream that can't fail of each value, starts it on a pool, and makes one of those streams.
    /// See ``flatMap(_:on:_:)-3astq``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Never> where Inner.Error == Never {
        flattening(strategy, on: pool, absurd) { transform($0).producer }
    }
}

extension SignalProducer {
    @inlinable
    func flattening<U, F>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool, _ mapError: @escaping @Sendable (Error) -> F,
        _ transform: @escaping @Sendable (Value) -> SignalProducer<U, F>
    ) -> SignalProducer<U, F> {
        .joining { $0.flatten(self, strategy, on: pool, mapError, transform) }
    }

    /// Makes a stream of each value, starts it on a pool, and makes one of those streams, as a strategy says.
    /// See ``Signal/flatMap(_:on:_:)-3astq``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Error> where Inner.Error == Error {
        flattening(strategy, on: pool, { $0 }) { transform($0).producer }
    }

    /// Makes a stream that can't fail of each value, starts it on a pool, and makes one of those streams.
    /// See ``Signal/flatMap(_:on:_:)-3astq``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Error> where Inner.Error == Never {
        flattening(strategy, on: pool, { $0 }) { transform($0).producer.promoted() }
    }
}

extension SignalProducer where Error == Never {
    /// Makes a stream of each value, starts it on a pool, and makes one of those streams.
    /// See ``Signal/flatMap(_:on:_:)-3astq``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Error> {
        flattening(strategy, on: pool, absurd) { transform($0).producer }
    }

    /// Makes a stream that can't fail of each value, starts it on a pool, and makes one of those streams.
    /// See ``Signal/flatMap(_:on:_:)-3astq``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Never> where Inner.Error == Never {
        flattening(strategy, on: pool, absurd) { transform($0).producer }
    }
}
