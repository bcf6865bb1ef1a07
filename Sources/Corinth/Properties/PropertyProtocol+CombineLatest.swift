extension PropertyProtocol {
    /// A property of the latest values of two properties.
    ///
    /// Changes when either of them changes. Completes when both have completed.
    @inlinable
    public func combineLatest<P: PropertyProtocol>(with other: P) -> Property<(Value, P.Value)> {
        Property(following: producer.combineLatest(with: other.producer))
    }

    /// A property of the values of all the properties, in their order; nil if there are none. See ``combineLatest(with:)``.
    @inlinable
    public static func combineLatest<Properties: Sequence>(
        _ properties: Properties
    ) -> Property<[Properties.Element.Value]>? where Properties.Element: PropertyProtocol {
        let producers = properties.map { $0.producer }
        return producers.isEmpty ? nil : Property(following: SignalProducer.combineLatest(producers))
    }

    /// A property of the values of all the properties, in their order. See ``combineLatest(with:)``.
    ///
    /// - Parameters:
    ///   - properties: The properties. They aren't kept.
    ///   - emptySentinel: The value, for ever, if there are no properties.
    @inlinable
    public static func combineLatest<Properties: Sequence>(
        _ properties: Properties, emptySentinel: [Properties.Element.Value]
    ) -> Property<[Properties.Element.Value]> where Properties.Element: PropertyProtocol {
        combineLatest(properties) ?? Property(value: emptySentinel)
    }
}
