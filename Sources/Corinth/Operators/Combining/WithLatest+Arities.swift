// Tests/arities writes this file. Change the templates there, and run `Tests/arities --write`.

extension WithLatest {
    /// Connects a source, and 1 of latest values.
    ///
    /// - Parameter startsLast: True if the source is a producer. It must not send before the others can have sent.
    @export(implementation)
    static func connect<B>(
        _ source: some JoinSource<Value, Next.Error>,
        to output: JoinOutput<Next>,
        startsLast: Bool,
        from b: some JoinSource<B, Never>
    ) where Next.Value == (Value, B) {
        let state = AggregateState()
        let bCell: AggregateCells<B, CombineLatestStrategy> = state.makeCells()
        let join = WithLatest(state, output) { value in
            (
                value,
                bCell.take()
            )
        }
        if !startsLast { source.connect(to: join.source, until: output.resources) }
        b.connect(to: join.input(for: bCell), until: output.resources)
        if startsLast { source.connect(to: join.source, until: output.resources) }
    }

    /// Connects a source, and 2 of latest values.
    ///
    /// - Parameter startsLast: True if the source is a producer. It must not send before the others can have sent.
    @export(implementation)
    static func connect<B, C>(
        _ source: some JoinSource<Value, Next.Error>,
        to output: JoinOutput<Next>,
        startsLast: Bool,
        from b: some JoinSource<B, Never>, _ c: some JoinSource<C, Never>
    ) where Next.Value == (Value, B, C) {
        let state = AggregateState()
        let bCell: AggregateCells<B, CombineLatestStrategy> = state.makeCells()
        let cCell: AggregateCells<C, CombineLatestStrategy> = state.makeCells()
        let join = WithLatest(state, output) { value in
            (
                value,
                bCell.take(), cCell.take()
            )
        }
        if !startsLast { source.connect(to: join.source, until: output.resources) }
        b.connect(to: join.input(for: bCell), until: output.resources)
        c.connect(to: join.input(for: cCell), until: output.resources)
        if startsLast { source.connect(to: join.source, until: output.resources) }
    }

    /// Connects a source, and 3 of latest values.
    ///
    /// - Parameter startsLast: True if the source is a producer. It must not send before the others can have sent.
    @export(implementation)
    static func connect<B, C, D>(
        _ source: some JoinSource<Value, Next.Error>,
        to output: JoinOutput<Next>,
        startsLast: Bool,
        from b: some JoinSource<B, Never>, _ c: some JoinSource<C, Never>, _ d: some JoinSource<D, Never>
    ) where Next.Value == (Value, B, C, D) {
        let state = AggregateState()
        let bCell: AggregateCells<B, CombineLatestStrategy> = state.makeCells()
        let cCell: AggregateCells<C, CombineLatestStrategy> = state.makeCells()
        let dCell: AggregateCells<D, CombineLatestStrategy> = state.makeCells()
        let join = WithLatest(state, output) { value in
            (
                value,
                bCell.take(), cCell.take(), dCell.take()
            )
        }
        if !startsLast { source.connect(to: join.source, until: output.resources) }
        b.connect(to: join.input(for: bCell), until: output.resources)
        c.connect(to: join.input(for: cCell), until: output.resources)
        d.connect(to: join.input(for: dCell), until: output.resources)
        if startsLast { source.connect(to: join.source, until: output.resources) }
    }

    /// Connects a source, and 4 of latest values.
    ///
    /// - Parameter startsLast: True if the source is a producer. It must not send before the others can have sent.
    @export(implementation)
    static func connect<B, C, D, E>(
        _ source: some JoinSource<Value, Next.Error>,
        to output: JoinOutput<Next>,
        startsLast: Bool,
        from b: some JoinSource<B, Never>, _ c: some JoinSource<C, Never>, _ d: some JoinSource<D, Never>,
        _ e: some JoinSource<E, Never>
    ) where Next.Value == (Value, B, C, D, E) {
        let state = AggregateState()
        let bCell: AggregateCells<B, CombineLatestStrategy> = state.makeCells()
        let cCell: AggregateCells<C, CombineLatestStrategy> = state.makeCells()
        let dCell: AggregateCells<D, CombineLatestStrategy> = state.makeCells()
        let eCell: AggregateCells<E, CombineLatestStrategy> = state.makeCells()
        let join = WithLatest(state, output) { value in
            (
                value,
                bCell.take(), cCell.take(), dCell.take(), eCell.take()
            )
        }
        if !startsLast { source.connect(to: join.source, until: output.resources) }
        b.connect(to: join.input(for: bCell), until: output.resources)
        c.connect(to: join.input(for: cCell), until: output.resources)
        d.connect(to: join.input(for: dCell), until: output.resources)
        e.connect(to: join.input(for: eCell), until: output.resources)
        if startsLast { source.connect(to: join.source, until: output.resources) }
    }
}

extension Signal {
    /// Sends each value together with the latest values of 2 other streams, as soon as all have sent one.
    ///
    /// The result ends with this signal. The end of another stream has no effect. The values form one flat tuple.
    /// `withLatest(from: b).withLatest(from: c)` would send nested tuples, and be two operators.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation)
    public func withLatest<B, C>(
        from b: some SignalProducerConvertible<B, Never>, _ c: some SignalProducerConvertible<C, Never>
    ) -> Signal<(Value, B, C), Error> {
        let b = b.producer
        let c = c.producer
        return .joining { WithLatest.connect(self, to: $0, startsLast: false, from: b, c) }
    }

    /// Sends each value together with the latest values of 3 other streams, as soon as all have sent one.
    ///
    /// The result ends with this signal. The end of another stream has no effect. The values form one flat tuple.
    /// `withLatest(from: b).withLatest(from: c)` would send nested tuples, and be two operators.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation)
    public func withLatest<B, C, D>(
        from b: some SignalProducerConvertible<B, Never>, _ c: some SignalProducerConvertible<C, Never>,
        _ d: some SignalProducerConvertible<D, Never>
    ) -> Signal<(Value, B, C, D), Error> {
        let b = b.producer
        let c = c.producer
        let d = d.producer
        return .joining { WithLatest.connect(self, to: $0, startsLast: false, from: b, c, d) }
    }

    /// Sends each value together with the latest values of 4 other streams, as soon as all have sent one.
    ///
    /// The result ends with this signal. The end of another stream has no effect. The values form one flat tuple.
    /// `withLatest(from: b).withLatest(from: c)` would send nested tuples, and be two operators.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation)
    public func withLatest<B, C, D, E>(
        from b: some SignalProducerConvertible<B, Never>, _ c: some SignalProducerConvertible<C, Never>,
        _ d: some SignalProducerConvertible<D, Never>, _ e: some SignalProducerConvertible<E, Never>
    ) -> Signal<(Value, B, C, D, E), Error> {
        let b = b.producer
        let c = c.producer
        let d = d.producer
        let e = e.producer
        return .joining { WithLatest.connect(self, to: $0, startsLast: false, from: b, c, d, e) }
    }
}

extension SignalProducer {
    /// Sends each value together with the latest values of 2 other streams, as soon as all have sent one.
    /// They are started first, in their order.
    ///
    /// The result ends with this producer. The end of another stream has no effect. The values form one flat tuple.
    /// `withLatest(from: b).withLatest(from: c)` would send nested tuples, and be two operators.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation)
    public func withLatest<B, C>(
        from b: some SignalProducerConvertible<B, Never>, _ c: some SignalProducerConvertible<C, Never>
    ) -> SignalProducer<(Value, B, C), Error> {
        let b = b.producer
        let c = c.producer
        return .joining { WithLatest.connect(self, to: $0, startsLast: true, from: b, c) }
    }

    /// Sends each value together with the latest values of 3 other streams, as soon as all have sent one.
    /// They are started first, in their order.
    ///
    /// The result ends with this producer. The end of another stream has no effect. The values form one flat tuple.
    /// `withLatest(from: b).withLatest(from: c)` would send nested tuples, and be two operators.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation)
    public func withLatest<B, C, D>(
        from b: some SignalProducerConvertible<B, Never>, _ c: some SignalProducerConvertible<C, Never>,
        _ d: some SignalProducerConvertible<D, Never>
    ) -> SignalProducer<(Value, B, C, D), Error> {
        let b = b.producer
        let c = c.producer
        let d = d.producer
        return .joining { WithLatest.connect(self, to: $0, startsLast: true, from: b, c, d) }
    }

    /// Sends each value together with the latest values of 4 other streams, as soon as all have sent one.
    /// They are started first, in their order.
    ///
    /// The result ends with this producer. The end of another stream has no effect. The values form one flat tuple.
    /// `withLatest(from: b).withLatest(from: c)` would send nested tuples, and be two operators.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation)
    public func withLatest<B, C, D, E>(
        from b: some SignalProducerConvertible<B, Never>, _ c: some SignalProducerConvertible<C, Never>,
        _ d: some SignalProducerConvertible<D, Never>, _ e: some SignalProducerConvertible<E, Never>
    ) -> SignalProducer<(Value, B, C, D, E), Error> {
        let b = b.producer
        let c = c.producer
        let d = d.producer
        let e = e.producer
        return .joining { WithLatest.connect(self, to: $0, startsLast: true, from: b, c, d, e) }
    }
}
