extension PropertyProtocol {
    /// A property that ignores a change to an equivalent value.
    ///
    /// - Parameter isEquivalent: Returns whether two consecutive values are equivalent.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func skipRepeats(_ isEquivalent: @escaping @Sendable (Value, Value) -> Bool) -> Property<Value> {
        lift { $0.skipRepeats(isEquivalent) }
    }

    /// A property that ignores a change to a value whose identity has occurred before.
    ///
    /// - Parameter transform: Returns the identity of a value.
    /// - Complexity: Retains every identity that has occurred.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func uniqueValues<Identity: Hashable>(
        _ transform: @escaping @Sendable (Value) -> Identity
    ) -> Property<Value> {
        lift { $0.uniqueValues(transform) }
    }
}

extension PropertyProtocol where Value: Equatable {
    /// A property that ignores a change to an equal value. See ``skipRepeats(_:)``.
    @inlinable
    public func skipRepeats() -> Property<Value> {
        lift { $0.skipRepeats() }
    }
}

extension PropertyProtocol where Value: Hashable {
    /// A property that ignores a change to a value that has occurred before. See ``uniqueValues(_:)``.
    @inlinable
    public func uniqueValues() -> Property<Value> {
        lift { $0.uniqueValues() }
    }
}
