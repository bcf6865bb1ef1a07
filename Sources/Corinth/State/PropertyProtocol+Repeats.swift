extension PropertyProtocol {
    /// A property that changes only to values that differ from the one before.
    ///
    /// - Parameter isEquivalent: Whether two values, one after the other, count as the same.
    @inlinable
    @preconcurrency
    public func skipRepeats(_ isEquivalent: @escaping @Sendable (Value, Value) -> Bool) -> Property<Value> {
        lift { $0.skipRepeats(isEquivalent) }
    }

    /// A property that changes only to values whose identity it has never had.
    ///
    /// - Parameter transform: The identity of a value.
    /// - Complexity: Memory for every identity that there has been.
    @inlinable
    @preconcurrency
    public func uniqueValues<Identity: Hashable>(
        _ transform: @escaping @Sendable (Value) -> Identity
    ) -> Property<Value> {
        lift { $0.uniqueValues(transform) }
    }
}

extension PropertyProtocol where Value: Equatable {
    /// A property that changes only to values that differ from the one before. See ``skipRepeats(_:)``.
    @inlinable
    public func skipRepeats() -> Property<Value> {
        lift { $0.skipRepeats() }
    }
}

extension PropertyProtocol where Value: Hashable {
    /// A property that changes only to values that it has never had. See ``uniqueValues(_:)``.
    @inlinable
    public func uniqueValues() -> Property<Value> {
        lift { $0.uniqueValues() }
    }
}
