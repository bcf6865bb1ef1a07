extension PropertyProtocol {
    /// A property of the values of two properties, paired by their number: the first ones, then the second ones, and so on.
    ///
    /// Changes when both have changed. Completes when one that has completed has no value left to pair.
    @inlinable
    public func zip<P: PropertyProtocol>(with other: P) -> Property<(Value, P.Value)> {
        Property(following: producer.zip(with: other.producer))
    }

    /// A property of the values of all the properties, in their order; nil if there are none. See ``zip(with:)``.
    @inlinable
    public static func zip<Properties: Sequence>(
        _ properties: Properties
    ) -> Property<[Properties.Element.Value]>? where Properties.Element: PropertyProtocol {
        let producers = properties.map { $0.producer }
        return producers.isEmpty ? nil : Property(following: SignalProducer.zip(producers))
    }

    /// A property of the values of all the properties, in their order. See ``zip(with:)``.
    ///
    /// - Parameters:
    ///   - properties: The properties. They aren't kept.
    ///   - emptySentinel: The value, for ever, if there are no properties.
    @inlinable
    public static func zip<Properties: Sequence>(
        _ properties: Properties, emptySentinel: [Properties.Element.Value]
    ) -> Property<[Properties.Element.Value]> where Properties.Element: PropertyProtocol {
        zip(properties) ?? Property(value: emptySentinel)
    }

    /// A property of the values of both properties, paired by their number. See ``zip(with:)``.
    @inlinable
    public static func zip<A: PropertyProtocol, B: PropertyProtocol>(
        _ a: A,
        _ b: B
    ) -> Property<(Value, B.Value)> where A.Value == Value {
        Property(following: SignalProducer.zip(a.producer, b.producer))
    }

    /// A property of the values of 3 properties. See ``zip(with:)``.
    @inlinable
    public static func zip<A: PropertyProtocol, B: PropertyProtocol, C: PropertyProtocol>(
        _ a: A,
        _ b: B,
        _ c: C
    ) -> Property<(Value, B.Value, C.Value)> where A.Value == Value {
        Property(following: SignalProducer.zip(a.producer, b.producer, c.producer))
    }

    /// A property of the values of 4 properties. See ``zip(with:)``.
    @inlinable
    public static func zip<A: PropertyProtocol, B: PropertyProtocol, C: PropertyProtocol, D: PropertyProtocol>(
        _ a: A,
        _ b: B,
        _ c: C,
        _ d: D
    ) -> Property<(Value, B.Value, C.Value, D.Value)> where A.Value == Value {
        Property(following: SignalProducer.zip(a.producer, b.producer, c.producer, d.producer))
    }

    /// A property of the values of 5 properties. See ``zip(with:)``.
    @inlinable
    public static func zip<
        A: PropertyProtocol, B: PropertyProtocol, C: PropertyProtocol, D: PropertyProtocol, E: PropertyProtocol
    >(
        _ a: A,
        _ b: B,
        _ c: C,
        _ d: D,
        _ e: E
    ) -> Property<(Value, B.Value, C.Value, D.Value, E.Value)> where A.Value == Value {
        Property(following: SignalProducer.zip(a.producer, b.producer, c.producer, d.producer, e.producer))
    }

    /// A property of the values of 6 properties. See ``zip(with:)``.
    @inlinable
    public static func zip<
        A: PropertyProtocol, B: PropertyProtocol, C: PropertyProtocol, D: PropertyProtocol, E: PropertyProtocol,
        F: PropertyProtocol
    >(
        _ a: A,
        _ b: B,
        _ c: C,
        _ d: D,
        _ e: E,
        _ f: F
    ) -> Property<(Value, B.Value, C.Value, D.Value, E.Value, F.Value)> where A.Value == Value {
        Property(following: SignalProducer.zip(a.producer, b.producer, c.producer, d.producer, e.producer, f.producer))
    }

    /// A property of the values of 7 properties. See ``zip(with:)``.
    @inlinable
    public static func zip<
        A: PropertyProtocol, B: PropertyProtocol, C: PropertyProtocol, D: PropertyProtocol, E: PropertyProtocol,
        F: PropertyProtocol, G: PropertyProtocol
    >(
        _ a: A,
        _ b: B,
        _ c: C,
        _ d: D,
        _ e: E,
        _ f: F,
        _ g: G
    ) -> Property<(Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value)> where A.Value == Value {
        Property(
            following: SignalProducer.zip(
                a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer))
    }

    /// A property of the values of 8 properties. See ``zip(with:)``.
    @inlinable
    public static func zip<
        A: PropertyProtocol, B: PropertyProtocol, C: PropertyProtocol, D: PropertyProtocol, E: PropertyProtocol,
        F: PropertyProtocol, G: PropertyProtocol, H: PropertyProtocol
    >(
        _ a: A,
        _ b: B,
        _ c: C,
        _ d: D,
        _ e: E,
        _ f: F,
        _ g: G,
        _ h: H
    ) -> Property<(Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value)> where A.Value == Value {
        Property(
            following: SignalProducer.zip(
                a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer, h.producer))
    }

    /// A property of the values of 9 properties. See ``zip(with:)``.
    @inlinable
    public static func zip<
        A: PropertyProtocol, B: PropertyProtocol, C: PropertyProtocol, D: PropertyProtocol, E: PropertyProtocol,
        F: PropertyProtocol, G: PropertyProtocol, H: PropertyProtocol, I: PropertyProtocol
    >(
        _ a: A,
        _ b: B,
        _ c: C,
        _ d: D,
        _ e: E,
        _ f: F,
        _ g: G,
        _ h: H,
        _ i: I
    ) -> Property<(Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value, I.Value)>
    where A.Value == Value {
        Property(
            following: SignalProducer.zip(
                a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer, h.producer,
                i.producer))
    }

    /// A property of the values of 10 properties. See ``zip(with:)``.
    @inlinable
    public static func zip<
        A: PropertyProtocol, B: PropertyProtocol, C: PropertyProtocol, D: PropertyProtocol, E: PropertyProtocol,
        F: PropertyProtocol, G: PropertyProtocol, H: PropertyProtocol, I: PropertyProtocol, J: PropertyProtocol
    >(
        _ a: A,
        _ b: B,
        _ c: C,
        _ d: D,
        _ e: E,
        _ f: F,
        _ g: G,
        _ h: H,
        _ i: I,
        _ j: J
    ) -> Property<(Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value, I.Value, J.Value)>
    where A.Value == Value {
        Property(
            following: SignalProducer.zip(
                a.producer, b.producer, c.producer, d.producer, e.producer, f.producer, g.producer, h.producer,
                i.producer, j.producer))
    }
}
