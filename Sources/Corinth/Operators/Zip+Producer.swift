extension SignalProducer {
    /// Starts all the producers, and sends the first values of all of them, then the second ones, and so on.
    ///
    /// Completes when one that has completed has nothing left; fails or is interrupted when one does. That cancels the others.
    /// Without any it completes at once.
    @inlinable
    public static func zip<Producers: Sequence>(_ producers: Producers) -> SignalProducer<[Value], Error>
    where
        Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Error
    {
        let producers = producers.map(\.producer)
        return producers.isEmpty
            ? .empty : .joining { Gathering(SingleUse.self, $0).connect(producers) }
    }

    /// Starts all the producers, and sends the first values of all of them, then the second ones, and so on; without any, sends
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

    /// Starts both, and sends the first values of both, then the second ones, and so on. See ``zip(_:_:)``.
    @inlinable
    public func zip<U>(with other: SignalProducer<U, Error>) -> SignalProducer<(Value, U), Error> {
        SignalProducer.zip(self, other)
    }

    /// Starts both, and sends the first values of both, then the second ones, and so on. See ``zip(_:_:)``.
    @inlinable
    public func zip<Other: SignalProducerConvertible>(
        with other: Other
    ) -> SignalProducer<(Value, Other.Value), Error>
    where Other.Error == Error {
        SignalProducer.zip(self, other)
    }

    /// Starts both, in their order, and sends the first values of all of them, then the second ones, and so on.
    ///
    /// Completes when one that has completed has nothing left; fails or is interrupted when one does. That cancels the others.
    @inlinable
    public static func zip<A: SignalProducerConvertible, B: SignalProducerConvertible>(
        _ a: A, _ b: B
    ) -> SignalProducer<(Value, B.Value), Error>
    where A.Value == Value, A.Error == Error, B.Error == Error {
        .joining { [a = a.producer, b = b.producer] in
            Gathering(SingleUse.self, $0).connect(a, b)
        }
    }

    /// Starts 3 of them, and sends their values together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C
    ) -> SignalProducer<(Value, B.Value, C.Value), Error>
    where A.Value == Value, A.Error == Error, B.Error == Error, C.Error == Error {
        .joining { [a = a.producer, b = b.producer, c = c.producer] in
            Gathering(SingleUse.self, $0).connect(a, b, c)
        }
    }

    /// Starts 4 of them, and sends their values together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
        D: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C, _ d: D
    ) -> SignalProducer<(Value, B.Value, C.Value, D.Value), Error>
    where A.Value == Value, A.Error == Error, B.Error == Error, C.Error == Error, D.Error == Error {
        .joining { [a = a.producer, b = b.producer, c = c.producer, d = d.producer] in
            Gathering(SingleUse.self, $0).connect(a, b, c, d)
        }
    }

    /// Starts 5 of them, and sends their values together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
        D: SignalProducerConvertible, E: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
    ) -> SignalProducer<(Value, B.Value, C.Value, D.Value, E.Value), Error>
    where
        A.Value == Value, A.Error == Error, B.Error == Error, C.Error == Error, D.Error == Error,
        E.Error == Error
    {
        .joining { [a = a.producer, b = b.producer, c = c.producer, d = d.producer, e = e.producer] in
            Gathering(SingleUse.self, $0).connect(a, b, c, d, e)
        }
    }

    /// Starts 6 of them, and sends their values together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
        D: SignalProducerConvertible, E: SignalProducerConvertible, F: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
    ) -> SignalProducer<(Value, B.Value, C.Value, D.Value, E.Value, F.Value), Error>
    where
        A.Value == Value, A.Error == Error, B.Error == Error, C.Error == Error, D.Error == Error,
        E.Error == Error, F.Error == Error
    {
        .joining {
            [
                a = a.producer, b = b.producer, c = c.producer, d = d.producer, e = e.producer,
                f = f.producer
            ] in
            Gathering(SingleUse.self, $0).connect(a, b, c, d, e, f)
        }
    }

    /// Starts 7 of them, and sends their values together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
        D: SignalProducerConvertible, E: SignalProducerConvertible, F: SignalProducerConvertible,
        G: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
    ) -> SignalProducer<(Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value), Error>
    where
        A.Value == Value, A.Error == Error, B.Error == Error, C.Error == Error, D.Error == Error,
        E.Error == Error, F.Error == Error, G.Error == Error
    {
        .joining {
            [
                a = a.producer, b = b.producer, c = c.producer, d = d.producer, e = e.producer,
                f = f.producer, g = g.producer
            ] in
            Gathering(SingleUse.self, $0).connect(a, b, c, d, e, f, g)
        }
    }

    /// Starts 8 of them, and sends their values together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
        D: SignalProducerConvertible, E: SignalProducerConvertible, F: SignalProducerConvertible,
        G: SignalProducerConvertible, H: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    ) -> SignalProducer<(Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value), Error>
    where
        A.Value == Value, A.Error == Error, B.Error == Error, C.Error == Error, D.Error == Error,
        E.Error == Error, F.Error == Error, G.Error == Error, H.Error == Error
    {
        .joining {
            [
                a = a.producer, b = b.producer, c = c.producer, d = d.producer, e = e.producer,
                f = f.producer, g = g.producer, h = h.producer
            ] in
            Gathering(SingleUse.self, $0).connect(a, b, c, d, e, f, g, h)
        }
    }

    /// Starts 9 of them, and sends their values together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
        D: SignalProducerConvertible, E: SignalProducerConvertible, F: SignalProducerConvertible,
        G: SignalProducerConvertible, H: SignalProducerConvertible, I: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I
    ) -> SignalProducer<(Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value, I.Value), Error>
    where
        A.Value == Value, A.Error == Error, B.Error == Error, C.Error == Error, D.Error == Error,
        E.Error == Error, F.Error == Error, G.Error == Error, H.Error == Error, I.Error == Error
    {
        .joining {
            [
                a = a.producer, b = b.producer, c = c.producer, d = d.producer, e = e.producer,
                f = f.producer, g = g.producer, h = h.producer, i = i.producer
            ] in
            Gathering(SingleUse.self, $0).connect(a, b, c, d, e, f, g, h, i)
        }
    }

    /// Starts 10 of them, and sends their values together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
        D: SignalProducerConvertible, E: SignalProducerConvertible, F: SignalProducerConvertible,
        G: SignalProducerConvertible, H: SignalProducerConvertible, I: SignalProducerConvertible,
        J: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J
    ) -> SignalProducer<(Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value, I.Value, J.Value), Error>
    where
        A.Value == Value, A.Error == Error, B.Error == Error, C.Error == Error, D.Error == Error,
        E.Error == Error, F.Error == Error, G.Error == Error, H.Error == Error, I.Error == Error,
        J.Error == Error
    {
        .joining {
            [
                a = a.producer, b = b.producer, c = c.producer, d = d.producer, e = e.producer,
                f = f.producer, g = g.producer, h = h.producer, i = i.producer, j = j.producer
            ] in
            Gathering(SingleUse.self, $0).connect(a, b, c, d, e, f, g, h, i, j)
        }
    }
}
