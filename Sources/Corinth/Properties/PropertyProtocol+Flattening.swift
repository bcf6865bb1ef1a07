extension PropertyProtocol where Value: PropertyProtocol {
    /// A property that flattens the properties that are this property's values.
    ///
    /// - Parameter strategy: Decides which of these properties are observed.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> Property<Value.Value> {
        lift { $0.flatMap(strategy) { $0.producer } }
    }
}

extension PropertyProtocol {
    /// A property that flattens the properties that `transform` makes from this property's values.
    ///
    /// - Parameters:
    ///   - strategy: Decides which of these properties are observed.
    ///   - transform: Makes a property from a value: from the current value, and from each change.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMap<P: PropertyProtocol>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> P
    ) -> Property<P.Value> {
        lift { $0.flatMap(strategy) { transform($0).producer } }
    }
}
