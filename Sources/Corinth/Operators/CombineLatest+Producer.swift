extension SignalProducer {
    /// Starts all the producers, and sends the latest values of all of them, in their order, whenever one sends and all have sent.
    ///
    /// Completes when all have completed; fails or is interrupted when one does, which cancels the others. Without any it completes at once.
    @inlinable
    public static func combineLatest<Producers: Sequence>(_ producers: Producers) -> SignalProducer<
        [Value], Error
    >
    where Producers.Element == SignalProducer<Value, Error> {
        let producers = Array(producers)
        return producers.isEmpty
            ? .empty : .joining { Gathering(takesOnce: false, $0).connect(producers) }
    }

    /// Starts both, and sends the latest values of both. See ``combineLatest(_:_:)``.
    @inlinable
    public func combineLatest<U>(with other: SignalProducer<U, Error>) -> SignalProducer<(Value, U), Error> {
        SignalProducer.combineLatest(self, other)
    }

    /// Starts both producers, and sends the latest values of all of them, in their order, whenever one sends and all have sent.
    ///
    /// Completes when all have completed; fails or is interrupted when one does, which cancels the others.
    @inlinable
    public static func combineLatest<B>(
        _ a: SignalProducer<Value, Error>,
        _ b: SignalProducer<B, Error>
    ) -> SignalProducer<(Value, B), Error> {
        .joining { Gathering(takesOnce: false, $0).connect(a, b) }
    }

    /// Starts 3 producers, and sends their values together. See ``combineLatest(_:_:)``.
    @inlinable
    public static func combineLatest<B, C>(
        _ a: SignalProducer<Value, Error>,
        _ b: SignalProducer<B, Error>,
        _ c: SignalProducer<C, Error>
    ) -> SignalProducer<(Value, B, C), Error> {
        .joining { Gathering(takesOnce: false, $0).connect(a, b, c) }
    }

    /// Starts 4 producers, and sends their values together. See ``combineLatest(_:_:)``.
    @inlinable
    public static func combineLatest<B, C, D>(
        _ a: SignalProducer<Value, Error>,
        _ b: SignalProducer<B, Error>,
        _ c: SignalProducer<C, Error>,
        _ d: SignalProducer<D, Error>
    ) -> SignalProducer<(Value, B, C, D), Error> {
        .joining { Gathering(takesOnce: false, $0).connect(a, b, c, d) }
    }

    /// Starts 5 producers, and sends their values together. See ``combineLatest(_:_:)``.
    @inlinable
    public static func combineLatest<B, C, D, E>(
        _ a: SignalProducer<Value, Error>,
        _ b: SignalProducer<B, Error>,
        _ c: SignalProducer<C, Error>,
        _ d: SignalProducer<D, Error>,
        _ e: SignalProducer<E, Error>
    ) -> SignalProducer<(Value, B, C, D, E), Error> {
        .joining { Gathering(takesOnce: false, $0).connect(a, b, c, d, e) }
    }

    /// Starts 6 producers, and sends their values together. See ``combineLatest(_:_:)``.
    @inlinable
    public static func combineLatest<B, C, D, E, F>(
        _ a: SignalProducer<Value, Error>,
        _ b: SignalProducer<B, Error>,
        _ c: SignalProducer<C, Error>,
        _ d: SignalProducer<D, Error>,
        _ e: SignalProducer<E, Error>,
        _ f: SignalProducer<F, Error>
    ) -> SignalProducer<(Value, B, C, D, E, F), Error> {
        .joining { Gathering(takesOnce: false, $0).connect(a, b, c, d, e, f) }
    }

    /// Starts 7 producers, and sends their values together. See ``combineLatest(_:_:)``.
    @inlinable
    public static func combineLatest<B, C, D, E, F, G>(
        _ a: SignalProducer<Value, Error>,
        _ b: SignalProducer<B, Error>,
        _ c: SignalProducer<C, Error>,
        _ d: SignalProducer<D, Error>,
        _ e: SignalProducer<E, Error>,
        _ f: SignalProducer<F, Error>,
        _ g: SignalProducer<G, Error>
    ) -> SignalProducer<(Value, B, C, D, E, F, G), Error> {
        .joining { Gathering(takesOnce: false, $0).connect(a, b, c, d, e, f, g) }
    }

    /// Starts 8 producers, and sends their values together. See ``combineLatest(_:_:)``.
    @inlinable
    public static func combineLatest<B, C, D, E, F, G, H>(
        _ a: SignalProducer<Value, Error>,
        _ b: SignalProducer<B, Error>,
        _ c: SignalProducer<C, Error>,
        _ d: SignalProducer<D, Error>,
        _ e: SignalProducer<E, Error>,
        _ f: SignalProducer<F, Error>,
        _ g: SignalProducer<G, Error>,
        _ h: SignalProducer<H, Error>
    ) -> SignalProducer<(Value, B, C, D, E, F, G, H), Error> {
        .joining { Gathering(takesOnce: false, $0).connect(a, b, c, d, e, f, g, h) }
    }

    /// Starts 9 producers, and sends their values together. See ``combineLatest(_:_:)``.
    @inlinable
    public static func combineLatest<B, C, D, E, F, G, H, I>(
        _ a: SignalProducer<Value, Error>,
        _ b: SignalProducer<B, Error>,
        _ c: SignalProducer<C, Error>,
        _ d: SignalProducer<D, Error>,
        _ e: SignalProducer<E, Error>,
        _ f: SignalProducer<F, Error>,
        _ g: SignalProducer<G, Error>,
        _ h: SignalProducer<H, Error>,
        _ i: SignalProducer<I, Error>
    ) -> SignalProducer<(Value, B, C, D, E, F, G, H, I), Error> {
        .joining { Gathering(takesOnce: false, $0).connect(a, b, c, d, e, f, g, h, i) }
    }

    /// Starts 10 producers, and sends their values together. See ``combineLatest(_:_:)``.
    @inlinable
    public static func combineLatest<B, C, D, E, F, G, H, I, J>(
        _ a: SignalProducer<Value, Error>,
        _ b: SignalProducer<B, Error>,
        _ c: SignalProducer<C, Error>,
        _ d: SignalProducer<D, Error>,
        _ e: SignalProducer<E, Error>,
        _ f: SignalProducer<F, Error>,
        _ g: SignalProducer<G, Error>,
        _ h: SignalProducer<H, Error>,
        _ i: SignalProducer<I, Error>,
        _ j: SignalProducer<J, Error>
    ) -> SignalProducer<(Value, B, C, D, E, F, G, H, I, J), Error> {
        .joining { Gathering(takesOnce: false, $0).connect(a, b, c, d, e, f, g, h, i, j) }
    }
}
