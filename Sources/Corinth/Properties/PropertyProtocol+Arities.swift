// Tests/arities writes this file. Change the templates there, and run `Tests/arities --write`.

extension PropertyProtocol {
    /// A property of the latest values of 2 properties as a tuple.
    /// See ``combineLatest(with:)``.
    @export(implementation)
    public static func combineLatest<B>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>
    ) -> Property<(Value, B)> {
        Property(
            following: SignalProducer.combineLatest(
                a.producer, b.producer
            ))
    }

    /// A property of the latest values of 3 properties as a tuple.
    /// See ``combineLatest(with:)``.
    @export(implementation)
    public static func combineLatest<B, C>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>
    ) -> Property<(Value, B, C)> {
        Property(
            following: SignalProducer.combineLatest(
                a.producer, b.producer, c.producer
            ))
    }

    /// A property of the latest values of 4 properties as a tuple.
    /// See ``combineLatest(with:)``.
    @export(implementation)
    public static func combineLatest<B, C, D>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
        _ d: some PropertyProtocol<D>
    ) -> Property<(Value, B, C, D)> {
        Property(
            following: SignalProducer.combineLatest(
                a.producer, b.producer, c.producer, d.producer
            ))
    }

    /// A property of the latest values of 5 properties as a tuple.
    /// See ``combineLatest(with:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
        _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>
    ) -> Property<(Value, B, C, D, E)> {
        Property(
            following: SignalProducer.combineLatest(
                a.producer, b.producer, c.producer, d.producer, e.producer
            ))
    }

    /// A property of the latest values of 6 properties as a tuple.
    /// See ``combineLatest(with:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
        _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>
    ) -> Property<(Value, B, C, D, E, F)> {
        Property(
            following: SignalProducer.combineLatest(
                a.producer, b.producer, c.producer, d.producer, e.producer, f.producer
            ))
    }

    /// A property of the latest values of 7 properties as a tuple.
    /// See ``combineLatest(with:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F, G>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
        _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>,
        _ g: some PropertyProtocol<G>
    ) -> Property<(Value, B, C, D, E, F, G)> {
        Property(
            following: SignalProducer.combineLatest(
                a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer
            ))
    }

    /// A property of the latest values of 8 properties as a tuple.
    /// See ``combineLatest(with:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F, G, H>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
        _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>,
        _ g: some PropertyProtocol<G>, _ h: some PropertyProtocol<H>
    ) -> Property<(Value, B, C, D, E, F, G, H)> {
        Property(
            following: SignalProducer.combineLatest(
                a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer, h.producer
            ))
    }

    /// A property of the latest values of 9 properties as a tuple.
    /// See ``combineLatest(with:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F, G, H, I>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
        _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>,
        _ g: some PropertyProtocol<G>, _ h: some PropertyProtocol<H>, _ i: some PropertyProtocol<I>
    ) -> Property<(Value, B, C, D, E, F, G, H, I)> {
        Property(
            following: SignalProducer.combineLatest(
                a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer, h.producer,
                i.producer
            ))
    }

    /// A property of the latest values of 10 properties as a tuple.
    /// See ``combineLatest(with:)``.
    @export(implementation)
    public static func combineLatest<B, C, D, E, F, G, H, I, J>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
        _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>,
        _ g: some PropertyProtocol<G>, _ h: some PropertyProtocol<H>, _ i: some PropertyProtocol<I>,
        _ j: some PropertyProtocol<J>
    ) -> Property<(Value, B, C, D, E, F, G, H, I, J)> {
        Property(
            following: SignalProducer.combineLatest(
                a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer, h.producer,
                i.producer, j.producer
            ))
    }
}

extension PropertyProtocol {
    /// A property of the first values of 2 properties as a tuple, then the second values, and so on.
    /// See ``zip(with:)``.
    @export(implementation)
    public static func zip<B>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>
    ) -> Property<(Value, B)> {
        Property(
            following: SignalProducer.zip(
                a.producer, b.producer
            ))
    }

    /// A property of the first values of 3 properties as a tuple, then the second values, and so on.
    /// See ``zip(with:)``.
    @export(implementation)
    public static func zip<B, C>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>
    ) -> Property<(Value, B, C)> {
        Property(
            following: SignalProducer.zip(
                a.producer, b.producer, c.producer
            ))
    }

    /// A property of the first values of 4 properties as a tuple, then the second values, and so on.
    /// See ``zip(with:)``.
    @export(implementation)
    public static func zip<B, C, D>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
        _ d: some PropertyProtocol<D>
    ) -> Property<(Value, B, C, D)> {
        Property(
            following: SignalProducer.zip(
                a.producer, b.producer, c.producer, d.producer
            ))
    }

    /// A property of the first values of 5 properties as a tuple, then the second values, and so on.
    /// See ``zip(with:)``.
    @export(implementation)
    public static func zip<B, C, D, E>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
        _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>
    ) -> Property<(Value, B, C, D, E)> {
        Property(
            following: SignalProducer.zip(
                a.producer, b.producer, c.producer, d.producer, e.producer
            ))
    }

    /// A property of the first values of 6 properties as a tuple, then the second values, and so on.
    /// See ``zip(with:)``.
    @export(implementation)
    public static func zip<B, C, D, E, F>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
        _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>
    ) -> Property<(Value, B, C, D, E, F)> {
        Property(
            following: SignalProducer.zip(
                a.producer, b.producer, c.producer, d.producer, e.producer, f.producer
            ))
    }

    /// A property of the first values of 7 properties as a tuple, then the second values, and so on.
    /// See ``zip(with:)``.
    @export(implementation)
    public static func zip<B, C, D, E, F, G>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
        _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>,
        _ g: some PropertyProtocol<G>
    ) -> Property<(Value, B, C, D, E, F, G)> {
        Property(
            following: SignalProducer.zip(
                a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer
            ))
    }

    /// A property of the first values of 8 properties as a tuple, then the second values, and so on.
    /// See ``zip(with:)``.
    @export(implementation)
    public static func zip<B, C, D, E, F, G, H>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
        _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>,
        _ g: some PropertyProtocol<G>, _ h: some PropertyProtocol<H>
    ) -> Property<(Value, B, C, D, E, F, G, H)> {
        Property(
            following: SignalProducer.zip(
                a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer, h.producer
            ))
    }

    /// A property of the first values of 9 properties as a tuple, then the second values, and so on.
    /// See ``zip(with:)``.
    @export(implementation)
    public static func zip<B, C, D, E, F, G, H, I>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
        _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>,
        _ g: some PropertyProtocol<G>, _ h: some PropertyProtocol<H>, _ i: some PropertyProtocol<I>
    ) -> Property<(Value, B, C, D, E, F, G, H, I)> {
        Property(
            following: SignalProducer.zip(
                a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer, h.producer,
                i.producer
            ))
    }

    /// A property of the first values of 10 properties as a tuple, then the second values, and so on.
    /// See ``zip(with:)``.
    @export(implementation)
    public static func zip<B, C, D, E, F, G, H, I, J>(
        _ a: some PropertyProtocol<Value>, _ b: some PropertyProtocol<B>, _ c: some PropertyProtocol<C>,
        _ d: some PropertyProtocol<D>, _ e: some PropertyProtocol<E>, _ f: some PropertyProtocol<F>,
        _ g: some PropertyProtocol<G>, _ h: some PropertyProtocol<H>, _ i: some PropertyProtocol<I>,
        _ j: some PropertyProtocol<J>
    ) -> Property<(Value, B, C, D, E, F, G, H, I, J)> {
        Property(
            following: SignalProducer.zip(
                a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer, h.producer,
                i.producer, j.producer
            ))
    }
}
