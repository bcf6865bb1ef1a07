extension Signal {
    /// Sends the first values of all signals, in their order, then the second ones, and so on.
    ///
    /// Completes when a completed signal has no value left. Fails or is interrupted when one of them does. Without signals,
    /// it completes at once.
    ///
    /// - Complexity: O(signals) and one array per sent value. The overloads for 2 to 10 signals send tuples: O(1) and no
    ///   allocation per value.
    /// ## Concurrency
    /// The result has its own strand: the signals may send on different threads at the same time.
    @inlinable
    public static func zip<Signals: Sequence>(_ signals: Signals) -> Signal<[Value], Error>
    where Signals.Element == Signal<Value, Error> {
        let signals = Array(signals)
        return signals.isEmpty
            ? .empty : .joining { AggregateBuilder(ZipStrategy.self, $0).connect(signals) }
    }

    /// Sends the first values of both, then the second ones, and so on. See ``zip(_:)``.
    @inlinable
    public func zip<U>(with other: Signal<U, Error>) -> Signal<(Value, U), Error> {
        Signal.zip(self, other)
    }

    /// Not available: the signals fail with different errors.
    @_disfavoredOverload
    @available(
        *, unavailable, message: "The errors of the signals differ: use promoteError() or mapError(_:)."
    )
    public static func zip<each U, each F>(
        _ signals: repeat Signal<each U, each F>
    ) -> Signal<(repeat each U), any Swift.Error>
    where Value == (repeat each U), Error == any Swift.Error {
        fatalError()
    }
}

extension SignalProducer {
    /// Starts all producers and sends their first values, then the second ones, and so on.
    ///
    /// Completes when a completed producer has no value left. Fails or is interrupted when one of them does, which cancels
    /// the others. Without producers, it completes at once.
    @inlinable
    public static func zip<Producers: Sequence>(_ producers: Producers) -> SignalProducer<[Value], Error>
    where
        Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Error
    {
        let producers = producers.map(\.producer)
        return producers.isEmpty
            ? .empty : .joining { AggregateBuilder(ZipStrategy.self, $0).connect(producers) }
    }

    /// Starts all producers and sends their first values, then the second ones, and so on. Without producers, sends
    /// `emptySentinel` and completes. See ``zip(_:)``.
    @inlinable
    public static func zip<Producers: Sequence>(
        _ producers: Producers, emptySentinel: [Producers.Element.Value]
    ) -> SignalProducer<[Value], Error>
    where
        Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Error
    {
        let producers = producers.map(\.producer)
        return producers.isEmpty ? SignalProducer<[Value], Error>(value: emptySentinel) : zip(producers)
    }

    /// Starts both, and sends the first values of both, then the second ones, and so on. See ``zip(_:)``.
    @inlinable
    public func zip<U>(with other: SignalProducer<U, Error>) -> SignalProducer<(Value, U), Error> {
        SignalProducer.zip(self, other)
    }

    /// Starts both, and sends the first values of both, then the second ones, and so on. See ``zip(_:)``.
    @inlinable
    public func zip<Other: SignalProducerConvertible>(
        with other: Other
    ) -> SignalProducer<(Value, Other.Value), Error>
    where Other.Error == Error {
        SignalProducer.zip(self, other)
    }

    /// Not available: the producers fail with different errors.
    @_disfavoredOverload
    @available(
        *, unavailable, message: "The errors of the producers differ: use promoteError() or mapError(_:)."
    )
    public static func zip<each Producer: SignalProducerConvertible>(
        _ producers: repeat each Producer
    ) -> SignalProducer<(repeat (each Producer).Value), any Swift.Error>
    where Value == (repeat (each Producer).Value), Error == any Swift.Error {
        fatalError()
    }
}
