extension PropertyProtocol {
    /// A property of what an operator on producers makes of this one's.
    ///
    /// - Parameter transform: Its producer sends a value as soon as it is started.
    @inlinable
    func lift<U>(_ transform: (SignalProducer<Value, Never>) -> SignalProducer<U, Never>) -> Property<U> {
        Property(following: transform(producer))
    }

    /// A property of the transformed value.
    ///
    /// - Parameter transform: Runs once for the value that there is, and once for each change, whoever reads.
    @inlinable
    @preconcurrency
    public func map<U>(_ transform: @escaping @Sendable (Value) -> U) -> Property<U> {
        lift { $0.map(transform) }
    }

    /// A property of always the same value, which changes to that whenever this one changes.
    // Or else a trailing closure could be taken for the value.
    @_disfavoredOverload
    @inlinable
    public func map<U>(value: U) -> Property<U> {
        nonisolated(unsafe) let value = value
        return lift { $0.map { _ in unsafe value } }
    }

    /// A property of a property of the value.
    // Disfavoured: long chains of closures would take the compiler too long.
    @_disfavoredOverload
    @inlinable
    public func map<U>(_ keyPath: KeyPath<Value, U>) -> Property<U> {
        nonisolated(unsafe) let keyPath = keyPath
        return lift { $0.map { unsafe $0[keyPath: keyPath] } }
    }

    /// A property of the values that pass a test.
    ///
    /// - Parameters:
    ///   - initial: The value until one passes.
    ///   - predicate: The test: of the value that there is, and of each change.
    @inlinable
    @preconcurrency
    public func filter(initial: Value, _ predicate: @escaping @Sendable (Value) -> Bool) -> Property<Value> {
        Property(initial: initial, then: producer.filter(predicate))
    }

    /// A property of the value before the last change, and the value after it.
    ///
    /// - Parameter initial: What was before the value that there is.
    @inlinable
    public func combinePrevious(_ initial: Value) -> Property<(Value, Value)> {
        lift { $0.scan((initial, initial)) { ($0.1, $1) } }
    }
}

extension PropertyProtocol where Value == Bool {
    /// A property of the opposite.
    @inlinable
    public func negate() -> Property<Bool> {
        lift { $0.map { !$0 } }
    }

    /// A property of whether both are true.
    @inlinable
    public func and<P: PropertyProtocol>(_ property: P) -> Property<Value> where P.Value == Value {
        lift { $0.combineLatest(with: property.producer).map { $0.0 && $0.1 } }
    }

    /// A property of whether one of both is true, or both.
    @inlinable
    public func or<P: PropertyProtocol>(_ property: P) -> Property<Value> where P.Value == Value {
        lift { $0.combineLatest(with: property.producer).map { $0.0 || $0.1 } }
    }

    /// A property of whether all are true. Of none, they are.
    @inlinable
    public static func all<P: PropertyProtocol, Properties: Collection>(_ properties: Properties) -> Property<Value>
    where P.Value == Value, Properties.Element == P {
        combineLatest(properties, emptySentinel: []).map { $0.allSatisfy { $0 } }
    }

    /// A property of whether all are true. See ``all(_:)``.
    @inlinable
    public static func all<P: PropertyProtocol>(_ properties: P...) -> Property<Value> where P.Value == Value {
        all(properties)
    }

    /// A property of whether one of them is true, or several. Of none, it isn't.
    @inlinable
    public static func any<P: PropertyProtocol, Properties: Collection>(_ properties: Properties) -> Property<Value>
    where P.Value == Value, Properties.Element == P {
        combineLatest(properties, emptySentinel: []).map { $0.contains(true) }
    }

    /// A property of whether one of them is true, or several. See ``any(_:)``.
    @inlinable
    public static func any<P: PropertyProtocol>(_ properties: P...) -> Property<Value> where P.Value == Value {
        any(properties)
    }
}
