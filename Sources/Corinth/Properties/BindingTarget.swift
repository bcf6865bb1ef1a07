/// The destination of a binding: an action, and a lifetime that ends the binding.
///
/// ```swift
/// let title = BindingTarget<String>(lifetime: lifetime) { print($0) }
/// title <~ name
/// ```
public struct BindingTarget<Value>: BindingTargetProvider, Sendable {
    /// When it ends, the bindings end (law B1).
    public let lifetime: Lifetime

    /// Receives each value, on the thread that sends it.
    public let action: @Sendable (Value) -> Void

    /// Makes a target.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which the action runs. By default the immediate one: the action runs on the sending
    ///     thread.
    ///   - lifetime: When it ends, the bindings end.
    ///   - action: Receives each value.
    @inlinable
    @preconcurrency
    public init(
        on scheduler: any Scheduler = ImmediateScheduler(), lifetime: Lifetime,
        action: @escaping @Sendable (Value) -> Void
    ) {
        self.lifetime = lifetime
        if scheduler is ImmediateScheduler {
            self.action = action
        } else {
            self.action = { value in
                // Ownership moves to the scheduler.
                nonisolated(unsafe) let work = { action(value) }
                scheduler.scheduleInOrder { unsafe work() }
            }
        }
    }

    /// Makes a target that sets a property of an object while the object exists. It doesn't keep the object.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which the property is set.
    ///   - lifetime: When it ends, the bindings end.
    ///   - object: The object.
    ///   - keyPath: The key path of the property.
    @inlinable
    public init<Object: AnyObject>(
        on scheduler: any Scheduler = ImmediateScheduler(), lifetime: Lifetime, object: Object,
        keyPath: WritableKeyPath<Object, Value>
    ) {
        // The caller chooses the scheduler on which the object is changed. A key path is immutable.
        nonisolated(unsafe) let set = { [weak object] (value: Value) -> Void in
            guard var object else { return }
            object[keyPath: keyPath] = value
        }
        self.init(on: scheduler, lifetime: lifetime) { value in unsafe set(value) }
    }

    /// This target itself.
    @inlinable
    public var bindingTarget: BindingTarget<Value> { self }
}

/// A type that can be bound to a source: a property, an action, a target.
public protocol BindingTargetProvider<Value> {
    /// The type of its values.
    associatedtype Value

    /// The target.
    var bindingTarget: BindingTarget<Value> { get }
}

extension Optional: BindingTargetProvider where Wrapped: BindingTargetProvider {
    /// The type of its values.
    public typealias Value = Wrapped.Value

    /// The wrapped provider's target. For nil, a target whose lifetime has ended.
    @inlinable
    public var bindingTarget: BindingTarget<Wrapped.Value> {
        switch self {
        case .some(let provider): provider.bindingTarget
        case .none: BindingTarget(lifetime: .empty) { _ in }
        }
    }
}
