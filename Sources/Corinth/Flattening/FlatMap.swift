/// An error that can't exist, as one of any type.
@inlinable
func absurd<Error>(_ never: Never) -> Error {}

extension Signal {
    @inlinable
    func flattening<U, F>(
        _ strategy: FlattenStrategy, _ mapError: @escaping (Error) -> F,
        _ transform: @escaping (Value) -> SignalProducer<U, F>
    ) -> Signal<U, F> {
        .joining { $0.flatten(self, strategy, mapError, transform) }
    }
}

// All overloads but one are disfavoured: with two on a par, the time that the compiler takes for a chain doubles with each
// `flatMap`. The one is that for producers with the errors of the outer stream, so that `SignalProducer(value: $0)` has them.

extension Signal {
    /// Makes a stream of each value, and one of those streams, as a strategy says.
    ///
    /// ```swift
    /// words.flatMap(.latest) { word in search(for: word) }
    /// ```
    ///
    /// - Parameters:
    ///   - strategy: Which of the inner streams run, and what becomes of the others.
    ///   - transform: Makes an inner stream of a value. Runs once for each value, on the thread that delivers it.
    /// - Complexity: O(1) per value of an inner stream, without allocation; starting one takes some allocations, but none if
    ///   it is a producer of one value, of none or of a failure.
    /// ## Concurrency
    /// The result has a strand of its own: inner streams may send on different threads at once. They are started on the
    /// thread that delivers the value, before it has been delivered, or, where they had to wait, on that on which the one before
    /// them has ended (law P6).
    @_disfavoredOverload
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Error> where Inner.Error == Error {
        flattening(strategy, { $0 }) { transform($0).producer }
    }

    /// Makes a stream that can't fail of each value, and one of those streams. See ``FlattenStrategy``.
    @_disfavoredOverload
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Error> where Inner.Error == Never {
        flattening(strategy, { $0 }) { transform($0).producer.promoted() }
    }

    /// Makes a producer of each value, and one stream of those. See ``FlattenStrategy``.
    @inlinable
    @preconcurrency
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> SignalProducer<U, Error>
    ) -> Signal<U, Error> {
        flattening(strategy, { $0 }, transform)
    }

    /// Makes a producer that can't fail of each value, and one stream of those. See ``FlattenStrategy``.
    @_disfavoredOverload
    @inlinable
    @preconcurrency
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> SignalProducer<U, Never>
    ) -> Signal<U, Error> {
        flattening(strategy, { $0 }) { transform($0).promoted() }
    }
}

extension Signal where Error == Never {
    /// Makes a stream of each value, and one of those streams. See ``FlattenStrategy``.
    @_disfavoredOverload
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Error> {
        flattening(strategy, absurd) { transform($0).producer }
    }

    /// Makes a stream that can't fail of each value, and one of those streams. See ``FlattenStrategy``.
    @_disfavoredOverload
    @inlinable
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Never> where Inner.Error == Never {
        flattening(strategy, absurd) { transform($0).producer }
    }

    /// Makes a producer of each value, and one stream of those. See ``FlattenStrategy``.
    @_disfavoredOverload
    @inlinable
    @preconcurrency
    public func flatMap<U, F>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> SignalProducer<U, F>
    ) -> Signal<U, F> {
        flattening(strategy, absurd, transform)
    }

    /// Makes a producer that can't fail of each value, and one stream of those. See ``FlattenStrategy``.
    @_disfavoredOverload
    @inlinable
    @preconcurrency
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> SignalProducer<U, Never>
    ) -> Signal<U, Never> {
        flattening(strategy, absurd, transform)
    }
}
