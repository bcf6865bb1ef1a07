extension JoinOutput {
    /// Connects an outer stream with a strategy whose inner streams wait in a buffer, and are started on a pool, if there is
    /// one.
    @inlinable
    func flattenCounting<Outer: JoinSource>(
        _ outer: Outer, _ strategy: FlattenStrategy, _ buffering: Buffering<Next.Error>, on pool: QueueSchedulerPool?,
        _ mapError: @escaping (Outer.JoinedError) -> Next.Error, _ transform: @escaping (Outer.JoinedValue) -> Inner
    ) {
        var counted = transform
        if !strategy.queues, let statistics = buffering.statistics {
            // They never wait.
            counted = { value in
                statistics.countSent()
                statistics.countDelivered()
                return transform(value)
            }
        }
        if let pool {
            flatten(outer, strategy, buffering: buffering, on: pool, mapError, counted)
        } else {
            flatten(outer, strategy, buffering: buffering, mapError, counted)
        }
    }
}

extension Signal {
    @inlinable
    func flattening<U, F>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool? = nil, _ policy: BufferingPolicy<F>,
        counting statistics: BufferStatistics?, _ mapError: @escaping (Error) -> F,
        _ transform: @escaping (Value) -> SignalProducer<U, F>
    ) -> Signal<U, F> {
        let buffering = policy.buffering(in: "flatten", counting: statistics)
        return .joining { $0.flattenCounting(self, strategy, buffering, on: pool, mapError, transform) }
    }
}

extension Signal {
    /// Makes a stream of each value, and one of those streams, as a strategy says, with a bound on how many wait for their
    /// turn.
    ///
    /// ```swift
    /// uploads.flatMap(.concurrent(limit: 4), bufferingPolicy: .dropOldest(capacity: 100)) { send($0) }
    /// ```
    ///
    /// Differs from ``flatMap(_:_:)-1szey`` in what happens to inner streams that wait: the bound is on those, and not on those
    /// that run. One that is dropped is never started. With ``FlattenStrategy/concat``,
    /// ``FlattenStrategy/concurrent(limit:)`` and ``FlattenStrategy/concatEager(limit:)`` there are some that wait; with the
    /// other strategies there are none, and nothing is ever dropped for want of room. `concatEager` holds back values, too:
    /// those of each stream that runs before its turn have the same bound, and what finds no room is treated alike.
    ///
    /// - Parameters:
    ///   - strategy: Which of the inner streams run, and what becomes of the others.
    ///   - pool: Where inner streams are started, as with ``flatMap(_:on:_:)-3astq``; nil for the thread on which their turn
    ///     comes.
    ///   - policy: What happens to inner streams that find no room. A failure ends the result at once, and drops those that
    ///     wait (law E6). Anything but `.blocking`: nobody can wait here who sends what is waited for.
    ///   - statistics: Where inner streams are counted as sent, delivered, which is to say that their turn has come, and
    ///     dropped; and values that are held back.
    ///   - transform: Makes an inner stream of a value. Runs once for each value, on the thread that delivers it.
    /// - Complexity: As of ``flatMap(_:_:)-1szey``.
    /// ## Concurrency
    /// As of ``flatMap(_:_:)-1szey``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool? = nil, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Error> where Inner.Error == Error {
        flattening(strategy, on: pool, policy, counting: statistics, { $0 }) { transform($0).producer }
    }

    /// Makes a stream that can't fail of each value, and one of those streams, with a bound on how many wait.
    /// See ``flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool? = nil, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Error> where Inner.Error == Never {
        flattening(strategy, on: pool, policy, counting: statistics, { $0 }) { transform($0).producer.promoted() }
    }
}

extension Signal where Error == Never {
    /// Makes a stream of each value, and one of those streams, with a bound on how many wait.
    /// See ``flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool? = nil,
        bufferingPolicy policy: BufferingPolicy<Inner.Error>,
        statistics: BufferStatistics? = nil, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Error> {
        flattening(strategy, on: pool, policy, counting: statistics, absurd) { transform($0).producer }
    }

    /// Makes a stream that can't fail of each value, and one of those streams, with a bound on how many wait.
    /// See ``flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool? = nil, bufferingPolicy policy: BufferingPolicy<Never>,
        statistics: BufferStatistics? = nil, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Never> where Inner.Error == Never {
        flattening(strategy, on: pool, policy, counting: statistics, absurd) { transform($0).producer }
    }
}

extension SignalProducer {
    @inlinable
    func flattening<U, F>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool? = nil, _ policy: BufferingPolicy<F>,
        counting statistics: BufferStatistics?, _ mapError: @escaping @Sendable (Error) -> F,
        _ transform: @escaping @Sendable (Value) -> SignalProducer<U, F>
    ) -> SignalProducer<U, F> {
        let buffering = policy.buffering(in: "flatten", counting: statistics)
        return .joining { $0.flattenCounting(self, strategy, buffering, on: pool, mapError, transform) }
    }
}

extension SignalProducer {
    /// Makes a stream of each value, and one of those streams, with a bound on how many wait.
    /// See ``Signal/flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool? = nil, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Error> where Inner.Error == Error {
        flattening(strategy, on: pool, policy, counting: statistics, { $0 }) { transform($0).producer }
    }

    /// Makes a stream that can't fail of each value, and one of those streams, with a bound on how many wait.
    /// See ``Signal/flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool? = nil, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Error> where Inner.Error == Never {
        flattening(strategy, on: pool, policy, counting: statistics, { $0 }) { transform($0).producer.promoted() }
    }
}

extension SignalProducer where Error == Never {
    /// Makes a stream of each value, and one of those streams, with a bound on how many wait.
    /// See ``Signal/flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool? = nil,
        bufferingPolicy policy: BufferingPolicy<Inner.Error>,
        statistics: BufferStatistics? = nil, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Error> {
        flattening(strategy, on: pool, policy, counting: statistics, absurd) { transform($0).producer }
    }

    /// Makes a stream that can't fail of each value, and one of those streams, with a bound on how many wait.
    /// See ``Signal/flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, on pool: QueueSchedulerPool? = nil, bufferingPolicy policy: BufferingPolicy<Never>,
        statistics: BufferStatistics? = nil, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Never> where Inner.Error == Never {
        flattening(strategy, on: pool, policy, counting: statistics, absurd) { transform($0).producer }
    }
}
