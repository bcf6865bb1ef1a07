extension Signal {
    /// Sends the first values of both signals, then the second values, and so on, with an overflow policy.
    ///
    /// ```swift
    /// requests.zip(with: responses, bufferingPolicy: .failing(capacity: 1_000, with: .outOfStep))
    /// ```
    ///
    /// Differs from ``zip(with:)`` if one signal sends faster than the other. After a dropped value, later values are
    /// paired differently.
    ///
    /// - Parameters:
    ///   - other: The signal that sends the second value of each pair.
    ///   - policy: The overflow policy. Its capacity applies to each of the two signals. A failure drops waiting values
    ///     (law [E6](doc:Contracts#E6-Three-ways-to-end)). Any policy except `.blocking`: a blocked sender may be the one that has
    ///     to send the missing values.
    ///   - statistics: Counts the values of both signals as sent, delivered and dropped.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func zip<U>(
        with other: Signal<U, Error>, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> Signal<(Value, U), Error> {
        let buffering = policy.buffering(in: "zip", counting: statistics)
        return .joining { AggregateBuilder(ZipStrategy.self, $0, buffering).connect(self, other) }
    }

    /// Sends the first values of all signals, in the order of the signals, then the second values, and so on, with an
    /// overflow policy for each signal. See ``zip(with:bufferingPolicy:statistics:)``.
    ///
    /// Without signals, it completes at once.
    ///
    /// - Complexity: O(signals) per value, and one array for each value that is sent.
    @inlinable
    public static func zip<Signals: Sequence>(
        _ signals: Signals, bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil
    ) -> Signal<[Value], Error> where Signals.Element == Signal<Value, Error> {
        let buffering = policy.buffering(in: "zip", counting: statistics)
        let signals = Array(signals)
        return signals.isEmpty
            ? .empty
            : .joining { AggregateBuilder(ZipStrategy.self, $0, buffering).connect(signals) }
    }
}

extension SignalProducer {
    /// Starts both producers and sends the first values of both, then the second values, and so on, with an overflow policy
    /// for each start. See ``Signal/zip(with:bufferingPolicy:statistics:)``.
    @inlinable
    public func zip<Other: SignalProducerConvertible>(
        with other: Other, bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil
    ) -> SignalProducer<(Value, Other.Value), Error> where Other.Error == Error {
        let buffering = policy.buffering(in: "zip", counting: statistics)
        return .joining { [other = other.producer] in
            AggregateBuilder(ZipStrategy.self, $0, buffering).connect(self, other)
        }
    }

    /// Starts all producers and sends the first values of all, then the second values, and so on, with an overflow policy
    /// for each start. See ``Signal/zip(with:bufferingPolicy:statistics:)``.
    ///
    /// Without producers, it completes at once.
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
            : .joining { AggregateBuilder(ZipStrategy.self, $0, buffering).connect(producers) }
    }
}
