extension SignalProducer {
    @inlinable
    func flattening<U, F>(
        _ strategy: FlattenStrategy, _ mapError: @escaping @Sendable (Error) -> F,
        _ transform: @escaping @Sendable (Value) -> SignalProducer<U, F>
    ) -> SignalProducer<U, F> {
        if case .value(let value) = origin {
            // With every strategy, a single inner stream needs no flattening: it replaces this producer.
            nonisolated(unsafe) let value = value
            let passesInterruption = strategy.passesInterruption
            return SignalProducer<U, F>(boundary: { _, sink, run in
                let inner = unsafe transform(value)
                if inner.needsNoRun { return inner.begin(sink, run) }
                let sink = passesInterruption ? sink.behindBoundary(in: run) : sink.behindList(in: run)
                sink.goOn(withLast: inner, in: run)
            })
        }
        return .joining { $0.flatten(self, strategy, mapError, transform) }
    }
}

extension SignalProducer {
    /// Transforms each value into a stream, and flattens these with a strategy. See ``Signal/flatMap(_:_:)-1szey``.
    @_disfavoredOverload
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Error> where Inner.Error == Error {
        flattening(strategy, { $0 }) { transform($0).producer }
    }

    /// Transforms each value into a stream that can't fail, and flattens these. See ``Signal/flatMap(_:_:)-1szey``.
    @_disfavoredOverload
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Error> where Inner.Error == Never {
        flattening(strategy, { $0 }) { transform($0).producer.promoted() }
    }

    /// Transforms each value into a producer, and flattens these. See ``Signal/flatMap(_:_:)-1szey``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, Error>
    ) -> SignalProducer<U, Error> {
        flattening(strategy, { $0 }, transform)
    }

    /// Transforms each value into a producer that can't fail, and flattens these. See ``Signal/flatMap(_:_:)-1szey``.
    @_disfavoredOverload
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, Never>
    ) -> SignalProducer<U, Error> {
        flattening(strategy, { $0 }) { transform($0).promoted() }
    }
}

extension SignalProducer where Error == Never {
    /// Transforms each value into a stream, and flattens these. See ``Signal/flatMap(_:_:)-1szey``.
    @_disfavoredOverload
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Error> {
        flattening(strategy, absurd) { transform($0).producer }
    }

    /// Transforms each value into a stream that can't fail, and flattens these. See ``Signal/flatMap(_:_:)-1szey``.
    @_disfavoredOverload
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Never> where Inner.Error == Never {
        flattening(strategy, absurd) { transform($0).producer }
    }

    /// Transforms each value into a producer, and flattens these. See ``Signal/flatMap(_:_:)-1szey``.
    @_disfavoredOverload
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<U, F>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, F>
    ) -> SignalProducer<U, F> {
        flattening(strategy, absurd, transform)
    }

    /// Transforms each value into a producer that can't fail, and flattens these. See ``Signal/flatMap(_:_:)-1szey``.
    @_disfavoredOverload
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, Never>
    ) -> SignalProducer<U, Never> {
        flattening(strategy, absurd, transform)
    }
}
