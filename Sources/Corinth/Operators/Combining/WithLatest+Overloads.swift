extension Signal {
    /// Sends each value together with the latest value of another signal, as soon as that has sent one.
    ///
    /// The result ends with this signal. The end of the other signal has no effect, and its latest value stays.
    ///
    /// - Parameter samplee: The other signal. Released when the result ends. Its events send nothing.
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has its own strand. Both signals may send on different threads at the same time.
    @inlinable
    public func withLatest<U>(from samplee: Signal<U, Never>) -> Signal<(Value, U), Error> {
        .joining { WithLatest.connect(self, to: $0, startsLast: false, from: samplee) }
    }

    /// Sends each value together with the latest value of a producer. The producer is started at once, and disposed of when
    /// the result ends. See `withLatest(from:)` with a signal.
    @inlinable
    public func withLatest<U>(from samplee: SignalProducer<U, Never>) -> Signal<(Value, U), Error> {
        .joining { WithLatest.connect(self, to: $0, startsLast: false, from: samplee) }
    }

    /// Sends each value together with the latest value of another stream. See `withLatest(from:)` with a producer.
    @inlinable
    public func withLatest<Samplee: SignalProducerConvertible>(
        from samplee: Samplee
    ) -> Signal<(Value, Samplee.Value), Error>
    where Samplee.Error == Never {
        withLatest(from: samplee.producer)
    }
}

extension SignalProducer {
    /// Sends each value together with the latest value of another producer, as soon as that has sent one.
    /// See `withLatest(from:)` of ``Signal``.
    ///
    /// - Parameter samplee: The other producer. It is started first, and disposed of when the result ends.
    @inlinable
    public func withLatest<U>(from samplee: SignalProducer<U, Never>) -> SignalProducer<(Value, U), Error> {
        .joining { WithLatest.connect(self, to: $0, startsLast: true, from: samplee) }
    }

    /// Sends each value together with the latest value of another stream, as soon as that has sent one.
    /// See `withLatest(from:)` of ``Signal``.
    @inlinable
    public func withLatest<Samplee: SignalProducerConvertible>(
        from samplee: Samplee
    ) -> SignalProducer<(Value, Samplee.Value), Error>
    where Samplee.Error == Never {
        withLatest(from: samplee.producer)
    }
}
