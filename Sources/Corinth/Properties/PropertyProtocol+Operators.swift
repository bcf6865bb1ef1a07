extension PropertyProtocol {
    /// A property of the result of an operator on this property's producer.
    ///
    /// - Parameter transform: Applies the operator. The resulting producer must send a value during its start.
    @inlinable
    func lift<U>(_ transform: (SignalProducer<Value, Never>) -> SignalProducer<U, Never>) -> Property<U> {
        Property(following: transform(producer))
    }

    /// A property of the transformed value.
    ///
    /// - Parameter transform: Transforms a value. Runs once for the current value, and once for each change.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func map<U>(_ transform: @escaping @Sendable (Value) -> U) -> Property<U> {
        lift { $0.map(transform) }
    }

    /// A property of what the transformation returns or throws. Without this, the compiler would pass a closure that throws to
    /// ``map(value:)``, which sends it.
    @_disfavoredOverload
    @available(*, deprecated, message: "This closure throws: make a Result of each value.")
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func map<U>(
        _ transform: @escaping @Sendable (Value) throws -> U
    ) -> Property<Result<U, any Swift.Error>> {
        map { value in Result { try transform(value) } }
    }

    /// A property with a constant value, which it sends again whenever this one changes.
    // Disfavoured: otherwise a trailing closure could be taken for the value.
    @_disfavoredOverload
    @inlinable
    public func map<U>(value: U) -> Property<U> {
        nonisolated(unsafe) let value = value
        return lift { $0.map { _ in unsafe value } }
    }

    /// A property of the value at a key path.
    // Disfavoured: the compiler would take too long for long chains of closures.
    @_disfavoredOverload
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func map<U>(_ keyPath: any KeyPath<Value, U> & Sendable) -> Property<U> {
        lift { $0.map { $0[keyPath: keyPath] } }
    }

    /// A property of the values that satisfy a predicate.
    ///
    /// - Parameters:
    ///   - initial: The value until a value satisfies the predicate.
    ///   - predicate: Tests a value: the current value, and each change.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func filter(initial: Value, _ predicate: @escaping @Sendable (Value) -> Bool) -> Property<Value> {
        Property(initial: initial, then: producer.filter(predicate))
    }

    /// A property of the previous value and the current value, as a pair.
    ///
    /// - Parameter initial: The value that precedes the current one.
    @inlinable
    public func combinePrevious(_ initial: Value) -> Property<(Value, Value)> {
        lift { $0.scan((initial, initial)) { ($0.1, $1) } }
    }
}

extension PropertyProtocol where Value == Bool {
    /// A property of the negated value.
    @inlinable
    public func negate() -> Property<Bool> {
        lift { $0.map { !$0 } }
    }

    /// A property that is true while both properties are true.
    @inlinable
    public func and<P: PropertyProtocol>(_ property: P) -> Property<Value> where P.Value == Value {
        lift { $0.combineLatest(with: property.producer).map { $0.0 && $0.1 } }
    }

    /// A property that is true while at least one of both properties is true.
    @inlinable
    public func or<P: PropertyProtocol>(_ property: P) -> Property<Value> where P.Value == Value {
        lift { $0.combineLatest(with: property.producer).map { $0.0 || $0.1 } }
    }

    /// A property that is true while all properties are true. Without properties, it is true.
    @inlinable
    public static func all<P: PropertyProtocol, Properties: Collection>(_ properties: Properties) -> Property<Value>
    where P.Value == Value, Properties.Element == P {
        combineLatest(properties, emptySentinel: []).map { $0.allSatisfy { $0 } }
    }

    /// A property that is true while all properties are true. See ``all(_:)``.
    @inlinable
    public static func all<P: PropertyProtocol>(_ properties: P...) -> Property<Value> where P.Value == Value {
        all(properties)
    }

    /// A property that is true while at least one property is true. Without properties, it is false.
    @inlinable
    public static func any<P: PropertyProtocol, Properties: Collection>(_ properties: Properties) -> Property<Value>
    where P.Value == Value, Properties.Element == P {
        combineLatest(properties, emptySentinel: []).map { $0.contains(true) }
    }

    /// A property that is true while at least one property is true. See ``any(_:)``.
    @inlinable
    public static func any<P: PropertyProtocol>(_ properties: P...) -> Property<Value> where P.Value == Value {
        any(properties)
    }
}
