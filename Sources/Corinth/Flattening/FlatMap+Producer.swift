extension SignalProducer {
    @inlinable
    func flattening<U, F>(
        _ strategy: FlattenStrategy, _ mapError: @escaping @Sendable (Error) -> F,
        _ transform: @escaping @Sendable (Value) -> SignalProducer<U, F>
    ) -> SignalProducer<U, F> {
        if case .value(let value) = origin {
            // Whatever the strategy, there is nothing to flatten: the inner stream takes the place of this one.
            nonisolated(unsafe) let value = value
            let passesInterruption = strategy.passesInterruption
            return SignalProducer<U, F>(recipe: { sink, run in
                unsafe transform(value).relay(to: passesInterruption ? sink : sink.absorbing(in: run), in: run)
            })
        }
        return .joining { $0.flatten(self, strategy, mapError, transform) }
    }
}

extension SignalProducer {
    /// Makes a stream of each value, and one of those streams, as a strategy says. See ``Signal/flatMap(_:_:)-1szey``.
    @_disfavoredOverload
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Error> where Inner.Error == Error {
        flattening(strategy, { $0 }) { transform($0).producer }
    }

    /// Makes a stream that can't fail of each value, and one of those streams. See ``FlattenStrategy``.
    @_disfavoredOverload
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Error> where Inner.Error == Never {
        flattening(strategy, { $0 }) { transform($0).producer.promoted() }
    }

    /// Makes a producer of each value, and one stream of those. See ``FlattenStrategy``.
    @inlinable
    @preconcurrency
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, Error>
    ) -> SignalProducer<U, Error> {
        flattening(strategy, { $0 }, transform)
    }

    /// Makes a producer that can't fail of each value, and one stream of those. See ``FlattenStrategy``.
    @_disfavoredOverload
    @inlinable
    @preconcurrency
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, Never>
    ) -> SignalProducer<U, Error> {
        flattening(strategy, { $0 }) { transform($0).promoted() }
    }
}

extension SignalProducer where Error == Never {
    /// Makes a stream of each value, and one of those streams. See ``FlattenStrategy``.
    @_disfavoredOverload
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Error> {
        flattening(strategy, absurd) { transform($0).producer }
    }

    /// Makes a stream that can't fail of each value, and one of those streams. See ``FlattenStrategy``.
    @_disfavoredOverload
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Never> where Inner.Error == Never {
        flattening(strategy, absurd) { transform($0).producer }
    }

    /// Makes a producer of each value, and one stream of those. See ``FlattenStrategy``.
    @_disfavoredOverload
    @inlinable
    @preconcurrency
    public func flatMap<U, F>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, F>
    ) -> SignalProducer<U, F> {
        flattening(strategy, absurd, transform)
    }

    /// Makes a producer that can't fail of each value, and one stream of those. See ``FlattenStrategy``.
    @_disfavoredOverload
    @inlinable
    @preconcurrency
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, Never>
    ) -> SignalProducer<U, Never> {
        flattening(strategy, absurd, transform)
    }
}
