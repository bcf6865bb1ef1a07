extension PropertyProtocol {
    /// A property of the paired values of two properties: the first ones, then the second ones, and so on.
    ///
    /// Changes when both have changed. Completes when a completed property has no value left to pair.
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
}
