/// A value that may be changed at any time, by anybody, and that tells of its changes.
///
/// ```swift
/// let name = MutableProperty("Ada")
/// name.producer.startWithValues { print($0) }  // prints Ada
/// name.value = "Grace"                         // prints Grace
/// ```
///
/// As a property wrapper it gives the value, and itself as `$name`.
///
/// When the last reference to it goes, its ``lifetime`` ends, and its ``signal`` and every start of its ``producer``
/// complete (law R2).
///
/// ## Concurrency
/// Any thread may read and change it at any time, also from inside the callbacks of its own observers. Readers wait for
/// nobody, and see at once what was last set (law R1). Observers get the changes in the order in which they were made, one
/// at a time (law R3), on the thread that made the change; on a property that another thread is delivering, or from inside
/// a callback, a change queues its notification there, and returns (law R4).
///
/// - Complexity: Of values that fit a word and need no reference counting, reading is one atomic load, and setting while
///   nobody else does is four atomic read-modify-writes and the observers' closures: no lock, no allocation, no system
///   call. Other values are kept in a box, which costs an allocation for each change.
@propertyWrapper
public final class MutableProperty<Value>: ComposableMutablePropertyProtocol, @unchecked Sendable {  // As the engine.
    @usableFromInline let engine: PropertyEngine<Value>

    /// The changes of the value. Completes when the property is gone.
    public let signal: Signal<Value, Never>

    /// Ends when the property is gone.
    public let lifetime: Lifetime

    @usableFromInline let token: Lifetime.Token

    /// Makes a property of its first value.
    @inlinable
    public init(_ initialValue: Value) {
        let core = SignalCore<Value, Never>(strand: Strand(), resources: nil)
        engine = PropertyEngine(initialValue, core)
        signal = Signal(core)
        (lifetime, token) = Lifetime.make()
    }

    /// Makes a property of its first value.
    @inlinable
    public convenience init(wrappedValue: Value) {
        self.init(wrappedValue)
    }

    @inlinable
    deinit {
        engine.core.send(.completed)
    }

    /// The value. Reading never waits; setting returns when the change is delivered, or queued where somebody delivers.
    @inlinable
    public var value: Value {
        get { engine.cell.value }
        set { engine.set(newValue) }
    }

    /// The value.
    @inlinable
    public var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }

    /// The property itself.
    @inlinable
    public var projectedValue: MutableProperty<Value> { self }

    /// The current value, then every change.
    ///
    /// Each start gets the value at once, even from inside a callback of an observer of this. Completes when the property is
    /// gone; started after that, it sends the last value and completes. It doesn't keep the property.
    @inlinable
    public var producer: SignalProducer<Value, Never> { engine.producer(of: signal) }

    /// Replaces the value and returns the one that was there.
    @inlinable
    @discardableResult
    public func swap(_ newValue: Value) -> Value { engine.swap(newValue) }

    /// Changes the value in place: one change, whatever the closure does to it.
    ///
    /// The closure may change other properties. Where it does, every thread must take them in the same order, or two threads
    /// wait for each other (law R4). A debug build stops the program then, and says who waits for what.
    ///
    /// - Parameter action: Runs exactly once, while other changes wait; readers go on with the value from before. What it
    ///   throws is thrown on; what it changed until then is kept, and delivered. It must not change the same property.
    /// - Returns: What the closure returned.
    @inlinable
    @discardableResult
    public func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result {
        try engine.modify(action)
    }

    /// Gives the value to a closure, with nothing held: the value may change meanwhile.
    @inlinable
    @discardableResult
    public func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result {
        try action(value)
    }
}
