extension Signal {
    /// Sends the latest values of all signals, in their order, whenever one sends and all have sent.
    ///
    /// Completes when all have completed. Fails or is interrupted when one of them does. Without signals, it completes at
    /// once.
    ///
    /// - Complexity: O(1) and no allocation per sent value, unless an observer has kept the array before it, as a property does:
    ///   then O(signals) and one array. The overloads for 2 to 10 signals send tuples.
    /// ## Concurrency
    /// The result has its own strand: the signals may send on different threads at the same time.
    @inlinable
    public static func combineLatest<Signals: Sequence>(_ signals: Signals) -> Signal<[Value], Error>
    where Signals.Element == Signal<Value, Error> {
        let signals = Array(signals)
        return signals.isEmpty
            ? .empty : .joining { CombineLatestMany.connect(signals, to: $0) }
    }

    /// Sends the latest values of both. See ``combineLatest(_:)``.
    @inlinable
    public func combineLatest<U>(with other: Signal<U, Error>) -> Signal<(Value, U), Error> {
        Signal.combineLatest(self, other)
    }

    /// Not available: the signals fail with different errors.
    @_disfavoredOverload
    @available(
        *, unavailable, message: "The errors of the signals differ: use promoteError() or mapError(_:)."
    )
    public static func combineLatest<each U, each F>(
        _ signals: repeat Signal<each U, each F>
    ) -> Signal<(repeat each U), any Swift.Error>
    where Value == (repeat each U), Error == any Swift.Error {
        fatalError()
    }
}

extension SignalProducer {
    /// Starts all producers and sends their latest values whenever one sends and all have sent.
    ///
    /// Completes when all have completed. Fails or is interrupted when one of them does, which cancels the others. Without
    /// producers, it completes at once.
    @inlinable
    public static func combineLatest<Producers: Sequence>(_ producers: Producers) -> SignalProducer<[Value], Error>
    where
        Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Error
    {
        let producers = producers.map(\.producer)
        return producers.isEmpty
            ? .empty : .joining { CombineLatestMany.connect(producers, to: $0) }
    }

    /// Starts all producers and sends their latest values whenever one sends and all have sent. Without producers, sends
    /// `emptySentinel` and completes. See ``combineLatest(_:)``.
    @inlinable
    public static func combineLatest<Producers: Sequence>(
        _ producers: Producers, emptySentinel: [Producers.Element.Value]
    ) -> SignalProducer<[Value], Error>
    where
        Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Error
    {
        let producers = producers.map(\.producer)
        return producers.isEmpty ? SignalProducer<[Value], Error>(value: emptySentinel) : combineLatest(producers)
    }

    /// Starts both, and sends the latest values of both. See ``combineLatest(_:)``.
    @inlinable
    public func combineLatest<U>(with other: SignalProducer<U, Error>) -> SignalProducer<(Value, U), Error> {
        SignalProducer.combineLatest(self, other)
    }

    /// Starts both, and sends the latest values of both. See ``combineLatest(_:)``.
    @inlinable
    public func combineLatest<Other: SignalProducerConvertible>(
        with other: Other
    ) -> SignalProducer<(Value, Other.Value), Error>
    where Other.Error == Error {
        SignalProducer.combineLatest(self, other)
    }

    /// Not available: the producers fail with different errors.
    @_disfavoredOverload
    @available(
        *, unavailable, message: "The errors of the producers differ: use promoteError() or mapError(_:)."
    )
    public static func combineLatest<each Producer: SignalProducerConvertible>(
        _ producers: repeat each Producer
    ) -> SignalProducer<(repeat (each Producer).Value), any Swift.Error>
    where Value == (repeat (each Producer).Value), Error == any Swift.Error {
        fatalError()
    }
}
