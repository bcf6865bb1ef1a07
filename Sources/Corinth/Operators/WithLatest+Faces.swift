extension Signal {
    /// Sends each value together with the latest one of another signal, once that has sent.
    ///
    /// Ends as this signal does; how the other one ends makes no difference, and its latest value stays.
    ///
    /// - Parameter samplee: Let go of when the result ends. Its values send nothing by themselves.
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has a strand of its own: both may send on different threads at once.
    @inlinable
    public func withLatest<U>(from samplee: Signal<U, Never>) -> Signal<(Value, U), Error> {
        .joining { WithLatest.connect(self, from: samplee, to: $0, startsLast: false) }
    }

    /// Sends each value together with the latest one of a producer, which starts at once, and is cancelled when the result
    /// ends. Otherwise as with a signal.
    @inlinable
    public func withLatest<U>(from samplee: SignalProducer<U, Never>) -> Signal<(Value, U), Error> {
        .joining { WithLatest.connect(self, from: samplee, to: $0, startsLast: false) }
    }

    /// Sends each value together with the latest one of another stream, as with a producer.
    @inlinable
    public func withLatest<Samplee: SignalProducerConvertible>(
        from samplee: Samplee
    ) -> Signal<(Value, Samplee.Value), Error>
    where Samplee.Error == Never {
        withLatest(from: samplee.producer)
    }

    /// Sends each value together with the latest ones of two other streams, once both have sent.
    ///
    /// Ends as this signal does; how the others end makes no difference. The values form one flat tuple, where
    /// `withLatest(from: b).withLatest(from: c)` would nest one in another, and would be two operators.
    ///
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has a strand of its own: all may send on different threads at once.
    @inlinable
    public func withLatest<B: SignalProducerConvertible, C: SignalProducerConvertible>(
        from b: B, _ c: C
    ) -> Signal<(Value, B.Value, C.Value), Error>
    where B.Error == Never, C.Error == Never {
        .joining { WithLatest.connect(self, from: b.producer, c.producer, to: $0, startsLast: false) }
    }

    /// Sends each value together with the latest ones of three other streams. See ``withLatest(from:_:)``.
    @inlinable
    public func withLatest<B: SignalProducerConvertible, C: SignalProducerConvertible, D: SignalProducerConvertible>(
        from b: B, _ c: C, _ d: D
    ) -> Signal<(Value, B.Value, C.Value, D.Value), Error>
    where B.Error == Never, C.Error == Never, D.Error == Never {
        .joining { WithLatest.connect(self, from: b.producer, c.producer, d.producer, to: $0, startsLast: false) }
    }

    /// Sends each value together with the latest ones of four other streams. See ``withLatest(from:_:)``.
    @inlinable
    public func withLatest<
        B: SignalProducerConvertible, C: SignalProducerConvertible, D: SignalProducerConvertible,
        E: SignalProducerConvertible
    >(
        from b: B, _ c: C, _ d: D, _ e: E
    ) -> Signal<(Value, B.Value, C.Value, D.Value, E.Value), Error>
    where B.Error == Never, C.Error == Never, D.Error == Never, E.Error == Never {
        .joining {
            WithLatest.connect(self, from: b.producer, c.producer, d.producer, e.producer, to: $0, startsLast: false)
        }
    }
}

extension SignalProducer {
    /// Sends each value together with the latest one of another producer, once that has sent. See `withLatest(from:)` of
    /// ``Signal``.
    ///
    /// - Parameter samplee: Starts first, and is cancelled when the result ends.
    @inlinable
    public func withLatest<U>(from samplee: SignalProducer<U, Never>) -> SignalProducer<(Value, U), Error> {
        .joining { WithLatest.connect(self, from: samplee, to: $0, startsLast: true) }
    }

    /// Sends each value together with the latest one of another stream, once that has sent. See `withLatest(from:)` of
    /// ``Signal``.
    @inlinable
    public func withLatest<Samplee: SignalProducerConvertible>(
        from samplee: Samplee
    ) -> SignalProducer<(Value, Samplee.Value), Error>
    where Samplee.Error == Never {
        withLatest(from: samplee.producer)
    }

    /// Sends each value together with the latest ones of two other streams, which start first, in their order. See
    /// ``Signal/withLatest(from:_:)``.
    @inlinable
    public func withLatest<B: SignalProducerConvertible, C: SignalProducerConvertible>(
        from b: B, _ c: C
    ) -> SignalProducer<(Value, B.Value, C.Value), Error>
    where B.Error == Never, C.Error == Never {
        .joining { [b = b.producer, c = c.producer] in
            WithLatest.connect(self, from: b, c, to: $0, startsLast: true)
        }
    }

    /// Sends each value together with the latest ones of three other streams, which start first, in their order. See
    /// ``Signal/withLatest(from:_:_:)``.
    @inlinable
    public func withLatest<B: SignalProducerConvertible, C: SignalProducerConvertible, D: SignalProducerConvertible>(
        from b: B, _ c: C, _ d: D
    ) -> SignalProducer<(Value, B.Value, C.Value, D.Value), Error>
    where B.Error == Never, C.Error == Never, D.Error == Never {
        .joining { [b = b.producer, c = c.producer, d = d.producer] in
            WithLatest.connect(self, from: b, c, d, to: $0, startsLast: true)
        }
    }

    /// Sends each value together with the latest ones of four other streams, which start first, in their order. See
    /// ``Signal/withLatest(from:_:_:_:)``.
    @inlinable
    public func withLatest<
        B: SignalProducerConvertible, C: SignalProducerConvertible, D: SignalProducerConvertible,
        E: SignalProducerConvertible
    >(
        from b: B, _ c: C, _ d: D, _ e: E
    ) -> SignalProducer<(Value, B.Value, C.Value, D.Value, E.Value), Error>
    where B.Error == Never, C.Error == Never, D.Error == Never, E.Error == Never {
        .joining { [b = b.producer, c = c.producer, d = d.producer, e = e.producer] in
            WithLatest.connect(self, from: b, c, d, e, to: $0, startsLast: true)
        }
    }
}
