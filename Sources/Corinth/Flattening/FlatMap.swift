/// Converts an error that can't exist to any error type.
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

// All overloads but one are disfavoured: with two of equal rank, the compile time of a chain doubles with each `flatMap`.
// The exception takes producers with the errors of the outer stream, so that `SignalProducer(value: $0)` has those errors.

extension Signal {
    /// Transforms each value into a stream, and flattens these inner streams with a strategy.
    ///
    /// ```swift
    /// words.flatMap(.latest) { word in search(for: word) }
    /// ```
    ///
    /// - Parameters:
    ///   - strategy: Decides which inner streams run, and what happens to the others.
    ///   - transform: Makes an inner stream from a value. Runs once for each value, on the thread that delivers it.
    /// - Complexity: O(1) and no allocation per value of an inner stream. Its start costs two or three allocations and those
    ///   of its recipe, but none for a producer of one value, of no value or of a failure.
    /// ## Concurrency
    /// The result has its own strand. Inner streams may send on different threads at the same time. An inner stream is
    /// started on the thread that delivers the value, before the delivery ends. A queued inner stream is started on the
    /// thread on which the previous one has ended (law [P6](doc:Contracts#P6-The-delivering-thread-starts-an-inner-stream)).
    @_disfavoredOverload
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Error> where Inner.Error == Error {
        flattening(strategy, { $0 }) { transform($0).producer }
    }

    /// Transforms each value into a stream that can't fail, and flattens these. See ``flatMap(_:_:)-1szey``.
    @_disfavoredOverload
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Error> where Inner.Error == Never {
        flattening(strategy, { $0 }) { transform($0).producer.promoted() }
    }

    /// Transforms each value into a producer, and flattens these. See ``flatMap(_:_:)-1szey``.
    @inlinable
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> SignalProducer<U, Error>
    ) -> Signal<U, Error> {
        flattening(strategy, { $0 }, transform)
    }

    /// Transforms each value into a producer that can't fail, and flattens these. See ``flatMap(_:_:)-1szey``.
    @_disfavoredOverload
    @inlinable
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> SignalProducer<U, Never>
    ) -> Signal<U, Error> {
        flattening(strategy, { $0 }) { transform($0).promoted() }
    }
}

extension Signal where Error == Never {
    /// Transforms each value into a stream, and flattens these. See ``flatMap(_:_:)-1szey``.
    @_disfavoredOverload
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Error> {
        flattening(strategy, absurd) { transform($0).producer }
    }

    /// Transforms each value into a stream that can't fail, and flattens these. See ``flatMap(_:_:)-1szey``.
    @_disfavoredOverload
    @inlinable
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Never> where Inner.Error == Never {
        flattening(strategy, absurd) { transform($0).producer }
    }

    /// Transforms each value into a producer, and flattens these. See ``flatMap(_:_:)-1szey``.
    @_disfavoredOverload
    @inlinable
    public func flatMap<U, F>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> SignalProducer<U, F>
    ) -> Signal<U, F> {
        flattening(strategy, absurd, transform)
    }

    /// Transforms each value into a producer that can't fail, and flattens these. See ``flatMap(_:_:)-1szey``.
    @_disfavoredOverload
    @inlinable
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: sending @escaping (Value) -> SignalProducer<U, Never>
    ) -> Signal<U, Never> {
        flattening(strategy, absurd, transform)
    }
}
