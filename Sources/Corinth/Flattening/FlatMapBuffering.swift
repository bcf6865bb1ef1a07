extension JoinOutput {
    /// Connects an outer stream to a strategy with a buffer for inner streams, which its statistics count.
    @inlinable
    func flattenCounting<Outer: JoinSource>(
        _ outer: Outer, _ strategy: FlattenStrategy, _ buffering: Buffering<Next.Error>,
        _ mapError: @escaping (Outer.JoinedError) -> Next.Error, _ transform: @escaping (Outer.JoinedValue) -> Inner
    ) {
        var counted = transform
        if !strategy.queues, let statistics = buffering.statistics {
            // With this strategy, inner streams never wait.
            counted = { value in
                statistics.countSent()
                statistics.countDelivered()
                return transform(value)
            }
        }
        flatten(outer, strategy, buffering: buffering, mapError, counted)
    }
}

extension Signal {
    @inlinable
    func flattening<U, F>(
        _ strategy: FlattenStrategy, _ policy: BufferingPolicy<F>,
        counting statistics: BufferStatistics?, _ mapError: @escaping (Error) -> F,
        _ transform: @escaping (Value) -> SignalProducer<U, F>
    ) -> Signal<U, F> {
        let buffering = policy.buffering(in: "flatten", counting: statistics)
        return .joining { $0.flattenCounting(self, strategy, buffering, mapError, transform) }
    }
}

extension Signal {
    /// Transforms each value into a stream, and flattens these with a strategy and an overflow policy for waiting streams.
    ///
    /// ```swift
    /// uploads.flatMap(.concurrent(limit: 4), bufferingPolicy: .dropOldest(capacity: 100)) { send($0) }
    /// ```
    ///
    /// Differs from ``flatMap(_:_:)-1szey`` in the bound on waiting inner streams. The bound doesn't include running ones.
    /// A dropped inner stream is never started. Inner streams wait with ``FlattenStrategy/concat``,
    /// ``FlattenStrategy/concurrent(limit:)`` and ``FlattenStrategy/concatEager(limit:)``. With the other strategies, none
    /// waits, and nothing is dropped on overflow. `concatEager` also buffers the values of each inner stream that runs
    /// before its turn. The same policy applies to each of these buffers.
    ///
    /// - Parameters:
    ///   - strategy: Decides which inner streams run, and what happens to the others.
    ///   - policy: The overflow policy. A failure ends the result at once, and drops waiting inner streams (law
    ///     [E6](doc:Contracts#E6-Three-ways-to-end)). Any policy except `.blocking`: a blocked sender may be the one that has to
    ///     end the running streams.
    ///   - statistics: Counts inner streams as sent, as delivered when they may run, and as dropped. With `concatEager`,
    ///     also counts buffered values.
    ///   - transform: Makes an inner stream from a value. Runs once for each value, on the thread that delivers it.
    /// - Complexity: See ``flatMap(_:_:)-1szey``.
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Error> where Inner.Error == Error {
        flattening(strategy, policy, counting: statistics, { $0 }) { transform($0).producer }
    }

    /// Transforms each value into a stream that can't fail, and flattens these with an overflow policy.
    /// See ``flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Error> where Inner.Error == Never {
        flattening(strategy, policy, counting: statistics, { $0 }) { transform($0).producer.promoted() }
    }
}

extension Signal where Error == Never {
    /// Transforms each value into a stream, and flattens these with an overflow policy.
    /// See ``flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Inner.Error>,
        statistics: BufferStatistics? = nil, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Error> {
        flattening(strategy, policy, counting: statistics, absurd) { transform($0).producer }
    }

    /// Transforms each value into a stream that can't fail, and flattens these with an overflow policy.
    /// See ``flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Never>,
        statistics: BufferStatistics? = nil, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Never> where Inner.Error == Never {
        flattening(strategy, policy, counting: statistics, absurd) { transform($0).producer }
    }
}

extension SignalProducer {
    @inlinable
    func flattening<U, F>(
        _ strategy: FlattenStrategy, _ policy: BufferingPolicy<F>,
        counting statistics: BufferStatistics?, _ mapError: @escaping @Sendable (Error) -> F,
        _ transform: @escaping @Sendable (Value) -> SignalProducer<U, F>
    ) -> SignalProducer<U, F> {
        let buffering = policy.buffering(in: "flatten", counting: statistics)
        return .joining { $0.flattenCounting(self, strategy, buffering, mapError, transform) }
    }
}

extension SignalProducer {
    /// Transforms each value into a stream, and flattens these with an overflow policy.
    /// See ``Signal/flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Error> where Inner.Error == Error {
        flattening(strategy, policy, counting: statistics, { $0 }) { transform($0).producer }
    }

    /// Transforms each value into a stream that can't fail, and flattens these with an overflow policy.
    /// See ``Signal/flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Error> where Inner.Error == Never {
        flattening(strategy, policy, counting: statistics, { $0 }) { transform($0).producer.promoted() }
    }
}

extension SignalProducer where Error == Never {
    /// Transforms each value into a stream, and flattens these with an overflow policy.
    /// See ``Signal/flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Inner.Error>,
        statistics: BufferStatistics? = nil, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Error> {
        flattening(strategy, policy, counting: statistics, absurd) { transform($0).producer }
    }

    /// Transforms each value into a stream that can't fail, and flattens these with an overflow policy.
    /// See ``Signal/flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Never>,
        statistics: BufferStatistics? = nil, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Never> where Inner.Error == Never {
        flattening(strategy, policy, counting: statistics, absurd) { transform($0).producer }
    }
}
