/// A value that can be observed.
///
/// Only types of Corinth should conform to it: the compiler can't check laws [R1](doc:Contracts#R1-The-value-is-there-at-once) to
/// [R3](doc:Contracts#R3-In-order).
public protocol PropertyProtocol<Value>: AnyObject, BindingSource {
    /// The current value.
    var value: Value { get }

    /// The current value, then every change. Completes when there are no more changes.
    var producer: SignalProducer<Value, Never> { get }

    /// Every change. Completes when there are no more changes.
    var signal: Signal<Value, Never> { get }
}

/// A value that can be observed and set.
public protocol MutablePropertyProtocol<Value>: PropertyProtocol, BindingTargetProvider {
    /// The type of the value.
    associatedtype Value

    /// The current value.
    var value: Value { get set }

    /// Ends when the property is released.
    var lifetime: Lifetime { get }
}

extension MutablePropertyProtocol {
    /// A target that sets the value at once. It doesn't keep the property.
    @inlinable
    public var bindingTarget: BindingTarget<Value> {
        // Properties are thread-safe.
        nonisolated(unsafe) let set = { [weak self] (value: Value) -> Void in self?.value = value }
        return BindingTarget(lifetime: lifetime) { value in unsafe set(value) }
    }
}

/// A value that can be observed, set, and changed in place.
public protocol ComposableMutablePropertyProtocol<Value>: MutablePropertyProtocol {
    /// Passes the value to a closure.
    func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result

    /// Changes the value in place, as one change.
    func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result
}
