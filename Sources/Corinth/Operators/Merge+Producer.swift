extension SignalProducer {
    /// Starts all the producers, and passes on their values in the order in which they come.
    ///
    /// Completes when all have ended; fails when one fails, which cancels the others.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public static func merge<Producers: Sequence>(_ producers: Producers) -> SignalProducer<Value, Error>
    where
        Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Error
    {
        let producers = producers.map(\.producer)
        return joining { output in
            let merge = Merge(output, sources: producers.count)
            for producer in producers { producer.connect(to: merge.port, until: output.resources, afterDisposal: true) }
        }
    }

    /// Starts both producers, and passes on their values. See ``merge(_:)``.
    @inlinable
    public func merge(with other: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        SignalProducer.merge([self, other])
    }

    /// Starts both, and passes on their values. See ``merge(_:)``.
    @inlinable
    public func merge<Other: SignalProducerConvertible>(with other: Other) -> SignalProducer<Value, Error>
    where Other.Value == Value, Other.Error == Error {
        merge(with: other.producer)
    }

    /// Starts both, and passes on their values. See ``merge(_:)``.
    @inlinable
    public static func merge<A: SignalProducerConvertible, B: SignalProducerConvertible>(
        _ a: A, _ b: B
    ) -> SignalProducer<Value, Error>
    where
        A.Value == Value, A.Error == Error, B.Value == Value, B.Error == Error
    {
        merge([a.producer, b.producer])
    }

    /// Starts 3 of them, and passes on their values. See ``merge(_:)``.
    @inlinable
    public static func merge<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C
    ) -> SignalProducer<Value, Error>
    where
        A.Value == Value, A.Error == Error, B.Value == Value, B.Error == Error, C.Value == Value, C.Error == Error
    {
        merge([a.producer, b.producer, c.producer])
    }

    /// Starts 4 of them, and passes on their values. See ``merge(_:)``.
    @inlinable
    public static func merge<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
        D: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C, _ d: D
    ) -> SignalProducer<Value, Error>
    where
        A.Value == Value, A.Error == Error, B.Value == Value, B.Error == Error, C.Value == Value, C.Error == Error,
        D.Value == Value, D.Error == Error
    {
        merge([a.producer, b.producer, c.producer, d.producer])
    }

    /// Starts 5 of them, and passes on their values. See ``merge(_:)``.
    @inlinable
    public static func merge<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
        D: SignalProducerConvertible, E: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
    ) -> SignalProducer<Value, Error>
    where
        A.Value == Value, A.Error == Error, B.Value == Value, B.Error == Error, C.Value == Value, C.Error == Error,
        D.Value == Value, D.Error == Error, E.Value == Value, E.Error == Error
    {
        merge([a.producer, b.producer, c.producer, d.producer, e.producer])
    }

    /// Starts 6 of them, and passes on their values. See ``merge(_:)``.
    @inlinable
    public static func merge<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
        D: SignalProducerConvertible, E: SignalProducerConvertible, F: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
    ) -> SignalProducer<Value, Error>
    where
        A.Value == Value, A.Error == Error, B.Value == Value, B.Error == Error, C.Value == Value, C.Error == Error,
        D.Value == Value, D.Error == Error, E.Value == Value, E.Error == Error, F.Value == Value, F.Error == Error
    {
        merge([a.producer, b.producer, c.producer, d.producer, e.producer, f.producer])
    }

    /// Starts 7 of them, and passes on their values. See ``merge(_:)``.
    @inlinable
    public static func merge<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
        D: SignalProducerConvertible, E: SignalProducerConvertible, F: SignalProducerConvertible,
        G: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
    ) -> SignalProducer<Value, Error>
    where
        A.Value == Value, A.Error == Error, B.Value == Value, B.Error == Error, C.Value == Value, C.Error == Error,
        D.Value == Value, D.Error == Error, E.Value == Value, E.Error == Error, F.Value == Value, F.Error == Error,
        G.Value == Value, G.Error == Error
    {
        merge([
            a.producer, b.producer, c.producer, d.producer, e.producer, f.producer,
            g.producer,
        ])
    }

    /// Starts 8 of them, and passes on their values. See ``merge(_:)``.
    @inlinable
    public static func merge<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
        D: SignalProducerConvertible, E: SignalProducerConvertible, F: SignalProducerConvertible,
        G: SignalProducerConvertible, H: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    ) -> SignalProducer<Value, Error>
    where
        A.Value == Value, A.Error == Error, B.Value == Value, B.Error == Error, C.Value == Value, C.Error == Error,
        D.Value == Value, D.Error == Error, E.Value == Value, E.Error == Error, F.Value == Value, F.Error == Error,
        G.Value == Value, G.Error == Error, H.Value == Value, H.Error == Error
    {
        merge([
            a.producer, b.producer, c.producer, d.producer, e.producer, f.producer,
            g.producer, h.producer,
        ])
    }

    /// Starts 9 of them, and passes on their values. See ``merge(_:)``.
    @inlinable
    public static func merge<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
        D: SignalProducerConvertible, E: SignalProducerConvertible, F: SignalProducerConvertible,
        G: SignalProducerConvertible, H: SignalProducerConvertible, I: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I
    ) -> SignalProducer<Value, Error>
    where
        A.Value == Value, A.Error == Error, B.Value == Value, B.Error == Error, C.Value == Value, C.Error == Error,
        D.Value == Value, D.Error == Error, E.Value == Value, E.Error == Error, F.Value == Value, F.Error == Error,
        G.Value == Value, G.Error == Error, H.Value == Value, H.Error == Error, I.Value == Value, I.Error == Error
    {
        merge([
            a.producer, b.producer, c.producer, d.producer, e.producer, f.producer,
            g.producer, h.producer, i.producer,
        ])
    }

    /// Starts 10 of them, and passes on their values. See ``merge(_:)``.
    @inlinable
    public static func merge<
        A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
        D: SignalProducerConvertible, E: SignalProducerConvertible, F: SignalProducerConvertible,
        G: SignalProducerConvertible, H: SignalProducerConvertible, I: SignalProducerConvertible,
        J: SignalProducerConvertible
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J
    ) -> SignalProducer<Value, Error>
    where
        A.Value == Value, A.Error == Error, B.Value == Value, B.Error == Error, C.Value == Value, C.Error == Error,
        D.Value == Value, D.Error == Error, E.Value == Value, E.Error == Error, F.Value == Value, F.Error == Error,
        G.Value == Value, G.Error == Error, H.Value == Value, H.Error == Error, I.Value == Value, I.Error == Error,
        J.Value == Value, J.Error == Error
    {
        merge([
            a.producer, b.producer, c.producer, d.producer, e.producer, f.producer,
            g.producer, h.producer, i.producer, j.producer,
        ])
    }
}
