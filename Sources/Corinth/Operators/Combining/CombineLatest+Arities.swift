// Tests/arities writes this file. Change the templates there, and run `Tests/arities --write`.

extension Signal {
    /// Sends the latest values of 2 signals as a tuple. See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B>(
        _ a: Signal<Value, Error>, _ b: Signal<B, Error>
    ) -> Signal<(Value, B), Error> {
        .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b) }
    }

    /// Sends the latest values of 3 signals as a tuple. See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C>(
        _ a: Signal<Value, Error>, _ b: Signal<B, Error>, _ c: Signal<C, Error>
    ) -> Signal<(Value, B, C), Error> {
        .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c) }
    }

    /// Sends the latest values of 4 signals as a tuple. See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C, D>(
        _ a: Signal<Value, Error>, _ b: Signal<B, Error>, _ c: Signal<C, Error>, _ d: Signal<D, Error>
    ) -> Signal<(Value, B, C, D), Error> {
        .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c, d) }
    }

    /// Sends the latest values of 5 signals as a tuple. See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E>(
        _ a: Signal<Value, Error>, _ b: Signal<B, Error>, _ c: Signal<C, Error>, _ d: Signal<D, Error>,
        _ e: Signal<E, Error>
    ) -> Signal<(Value, B, C, D, E), Error> {
        .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c, d, e) }
    }

    /// Sends the latest values of 6 signals as a tuple. See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F>(
        _ a: Signal<Value, Error>, _ b: Signal<B, Error>, _ c: Signal<C, Error>, _ d: Signal<D, Error>,
        _ e: Signal<E, Error>, _ f: Signal<F, Error>
    ) -> Signal<(Value, B, C, D, E, F), Error> {
        .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c, d, e, f) }
    }

    /// Sends the latest values of 7 signals as a tuple. See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F, G>(
        _ a: Signal<Value, Error>, _ b: Signal<B, Error>, _ c: Signal<C, Error>, _ d: Signal<D, Error>,
        _ e: Signal<E, Error>, _ f: Signal<F, Error>, _ g: Signal<G, Error>
    ) -> Signal<(Value, B, C, D, E, F, G), Error> {
        .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c, d, e, f, g) }
    }

    /// Sends the latest values of 8 signals as a tuple. See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F, G, H>(
        _ a: Signal<Value, Error>, _ b: Signal<B, Error>, _ c: Signal<C, Error>, _ d: Signal<D, Error>,
        _ e: Signal<E, Error>, _ f: Signal<F, Error>, _ g: Signal<G, Error>, _ h: Signal<H, Error>
    ) -> Signal<(Value, B, C, D, E, F, G, H), Error> {
        .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c, d, e, f, g, h) }
    }

    /// Sends the latest values of 9 signals as a tuple. See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F, G, H, I>(
        _ a: Signal<Value, Error>, _ b: Signal<B, Error>, _ c: Signal<C, Error>, _ d: Signal<D, Error>,
        _ e: Signal<E, Error>, _ f: Signal<F, Error>, _ g: Signal<G, Error>, _ h: Signal<H, Error>,
        _ i: Signal<I, Error>
    ) -> Signal<(Value, B, C, D, E, F, G, H, I), Error> {
        .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c, d, e, f, g, h, i) }
    }

    /// Sends the latest values of 10 signals as a tuple. See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F, G, H, I, J>(
        _ a: Signal<Value, Error>, _ b: Signal<B, Error>, _ c: Signal<C, Error>, _ d: Signal<D, Error>,
        _ e: Signal<E, Error>, _ f: Signal<F, Error>, _ g: Signal<G, Error>, _ h: Signal<H, Error>,
        _ i: Signal<I, Error>, _ j: Signal<J, Error>
    ) -> Signal<(Value, B, C, D, E, F, G, H, I, J), Error> {
        .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c, d, e, f, g, h, i, j) }
    }
}

extension SignalProducer {
    /// Starts 2 producers in their order, and sends their latest values as a tuple.
    /// See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B>(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<B, Error>
    ) -> SignalProducer<(Value, B), Error> {
        let a = a.producer
        let b = b.producer
        return .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b) }
    }

    /// Starts 3 producers in their order, and sends their latest values as a tuple.
    /// See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C>(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<B, Error>,
        _ c: some SignalProducerConvertible<C, Error>
    ) -> SignalProducer<(Value, B, C), Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        return .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c) }
    }

    /// Starts 4 producers in their order, and sends their latest values as a tuple.
    /// See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C, D>(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<B, Error>,
        _ c: some SignalProducerConvertible<C, Error>, _ d: some SignalProducerConvertible<D, Error>
    ) -> SignalProducer<(Value, B, C, D), Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        let d = d.producer
        return .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c, d) }
    }

    /// Starts 5 producers in their order, and sends their latest values as a tuple.
    /// See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E>(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<B, Error>,
        _ c: some SignalProducerConvertible<C, Error>, _ d: some SignalProducerConvertible<D, Error>,
        _ e: some SignalProducerConvertible<E, Error>
    ) -> SignalProducer<(Value, B, C, D, E), Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        let d = d.producer
        let e = e.producer
        return .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c, d, e) }
    }

    /// Starts 6 producers in their order, and sends their latest values as a tuple.
    /// See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F>(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<B, Error>,
        _ c: some SignalProducerConvertible<C, Error>, _ d: some SignalProducerConvertible<D, Error>,
        _ e: some SignalProducerConvertible<E, Error>, _ f: some SignalProducerConvertible<F, Error>
    ) -> SignalProducer<(Value, B, C, D, E, F), Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        let d = d.producer
        let e = e.producer
        let f = f.producer
        return .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c, d, e, f) }
    }

    /// Starts 7 producers in their order, and sends their latest values as a tuple.
    /// See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F, G>(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<B, Error>,
        _ c: some SignalProducerConvertible<C, Error>, _ d: some SignalProducerConvertible<D, Error>,
        _ e: some SignalProducerConvertible<E, Error>, _ f: some SignalProducerConvertible<F, Error>,
        _ g: some SignalProducerConvertible<G, Error>
    ) -> SignalProducer<(Value, B, C, D, E, F, G), Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        let d = d.producer
        let e = e.producer
        let f = f.producer
        let g = g.producer
        return .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c, d, e, f, g) }
    }

    /// Starts 8 producers in their order, and sends their latest values as a tuple.
    /// See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F, G, H>(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<B, Error>,
        _ c: some SignalProducerConvertible<C, Error>, _ d: some SignalProducerConvertible<D, Error>,
        _ e: some SignalProducerConvertible<E, Error>, _ f: some SignalProducerConvertible<F, Error>,
        _ g: some SignalProducerConvertible<G, Error>, _ h: some SignalProducerConvertible<H, Error>
    ) -> SignalProducer<(Value, B, C, D, E, F, G, H), Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        let d = d.producer
        let e = e.producer
        let f = f.producer
        let g = g.producer
        let h = h.producer
        return .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c, d, e, f, g, h) }
    }

    /// Starts 9 producers in their order, and sends their latest values as a tuple.
    /// See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F, G, H, I>(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<B, Error>,
        _ c: some SignalProducerConvertible<C, Error>, _ d: some SignalProducerConvertible<D, Error>,
        _ e: some SignalProducerConvertible<E, Error>, _ f: some SignalProducerConvertible<F, Error>,
        _ g: some SignalProducerConvertible<G, Error>, _ h: some SignalProducerConvertible<H, Error>,
        _ i: some SignalProducerConvertible<I, Error>
    ) -> SignalProducer<(Value, B, C, D, E, F, G, H, I), Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        let d = d.producer
        let e = e.producer
        let f = f.producer
        let g = g.producer
        let h = h.producer
        let i = i.producer
        return .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c, d, e, f, g, h, i) }
    }

    /// Starts 10 producers in their order, and sends their latest values as a tuple.
    /// See ``combineLatest(_:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F, G, H, I, J>(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<B, Error>,
        _ c: some SignalProducerConvertible<C, Error>, _ d: some SignalProducerConvertible<D, Error>,
        _ e: some SignalProducerConvertible<E, Error>, _ f: some SignalProducerConvertible<F, Error>,
        _ g: some SignalProducerConvertible<G, Error>, _ h: some SignalProducerConvertible<H, Error>,
        _ i: some SignalProducerConvertible<I, Error>, _ j: some SignalProducerConvertible<J, Error>
    ) -> SignalProducer<(Value, B, C, D, E, F, G, H, I, J), Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        let d = d.producer
        let e = e.producer
        let f = f.producer
        let g = g.producer
        let h = h.producer
        let i = i.producer
        let j = j.producer
        return .joining { AggregateBuilder(CombineLatestStrategy.self, $0).connect(a, b, c, d, e, f, g, h, i, j) }
    }
}
