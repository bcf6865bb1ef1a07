extension PropertyProtocol where Value: PropertyProtocol {
    /// A property of the values of the properties that this one has had.
    ///
    /// - Parameter strategy: What becomes of the properties before the latest one.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> Property<Value.Value> {
        lift { $0.flatMap(strategy) { $0.producer } }
    }
}

extension PropertyProtocol {
    /// A property of the values of the properties that `transform` makes of this one's values.
    ///
    /// - Parameters:
    ///   - strategy: What becomes of the properties before the latest one.
    ///   - transform: Makes a property: of the value that there is, and of each change.
    @inlinable
    @preconcurrency
    public func flatMap<P: PropertyProtocol>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> P
    ) -> Property<P.Value> {
        lift { $0.flatMap(strategy) { transform($0).producer } }
    }
}
