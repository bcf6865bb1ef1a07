extension Signal {
    /// Sends the first values of both, then the second ones, and so on, with a bound on how many wait for the other.
    ///
    /// ```swift
    /// requests.zip(with: responses, bufferingPolicy: .failing(capacity: 1_000, with: .outOfStep))
    /// ```
    ///
    /// Differs from ``zip(with:)`` in what happens when one of them runs ahead. Where values are dropped, those that come
    /// after them have other partners.
    ///
    /// - Parameters:
    ///   - other: Where the second halves come from.
    ///   - policy: What happens to values that find no room: the capacity is that of each of the two, and a failure drops
    ///     what waits (law E6). Anything but `.blocking`: nobody can wait here who sends what is waited for.
    ///   - statistics: Where the values of both are counted as sent, delivered and dropped.
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// As of ``zip(with:)``.
    @inlinable
    public func zip<U>(
        with other: Signal<U, Error>, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> Signal<(Value, U), Error> {
        let buffering = policy.buffering(in: "zip", counting: statistics)
        return .joining { Gathering(SingleUse.self, $0, buffering).connect(self, other) }
    }

    /// Sends the first values of all of them, in their order, then the second ones, and so on, with a bound on how many of
    /// each wait for the others. See ``zip(with:bufferingPolicy:statistics:)``.
    ///
    /// Without any it completes at once.
    ///
    /// - Complexity: O(signals) per value, and an array for each that is sent.
    @inlinable
    public static func zip<Signals: Sequence>(
        _ signals: Signals, bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil
    ) -> Signal<[Value], Error> where Signals.Element == Signal<Value, Error> {
        let buffering = policy.buffering(in: "zip", counting: statistics)
        let signals = Array(signals)
        return signals.isEmpty
            ? .empty
            : .joining { Gathering(SingleUse.self, $0, buffering).connect(signals) }
    }
}

extension SignalProducer {
    /// Starts both, and sends the first values of both, then the second ones, and so on, with a bound on how many of each
    /// wait for the other in each start. See ``Signal/zip(with:bufferingPolicy:statistics:)``.
    @inlinable
    public func zip<Other: SignalProducerConvertible>(
        with other: Other, bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil
    ) -> SignalProducer<(Value, Other.Value), Error> where Other.Error == Error {
        let buffering = policy.buffering(in: "zip", counting: statistics)
        return .joining { [other = other.producer] in
            Gathering(SingleUse.self, $0, buffering).connect(self, other)
        }
    }

    /// Starts all the producers, and sends the first values of all of them, then the second ones, and so on, with a bound on
    /// how many of each wait for the others in each start. See ``Signal/zip(with:bufferingPolicy:statistics:)``.
    ///
    /// Without any it completes at once.
    @inlinable
    public static func zip<Producers: Sequence>(
        _ producers: Producers, bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil
    ) -> SignalProducer<[Value], Error>
    where
        Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Error
    {
        let buffering = policy.buffering(in: "zip", counting: statistics)
        let producers = producers.map(\.producer)
        return producers.isEmpty
            ? .empty
            : .joining { Gathering(SingleUse.self, $0, buffering).connect(producers) }
    }
}
