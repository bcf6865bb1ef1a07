/// Where a binding sends values to: an action, and the lifetime of whatever it acts on.
///
/// ```swift
/// let title = BindingTarget<String>(lifetime: lifetime) { print($0) }
/// title <~ name
/// ```
public struct BindingTarget<Value>: BindingTargetProvider, Sendable {
    /// Ends the bindings when it ends (law B1).
    public let lifetime: Lifetime

    /// Takes each value, on whatever thread it comes.
    public let action: @Sendable (Value) -> Void

    /// Makes a target.
    ///
    /// - Parameters:
    ///   - scheduler: Where the action runs. The immediate one, unless said otherwise: on the thread that sends.
    ///   - lifetime: Ends the bindings when it ends.
    ///   - action: Takes each value.
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
                // Handed over to the scheduler.
                nonisolated(unsafe) let work = { action(value) }
                scheduler.scheduleInOrder { unsafe work() }
            }
        }
    }

    /// Makes a target that sets a property of an object, as long as the object is there. It doesn't keep the object.
    ///
    /// - Parameters:
    ///   - scheduler: Where the property is set.
    ///   - lifetime: Ends the bindings when it ends.
    ///   - object: The object.
    ///   - keyPath: Its property.
    @inlinable
    public init<Object: AnyObject>(
        on scheduler: any Scheduler = ImmediateScheduler(), lifetime: Lifetime, object: Object,
        keyPath: WritableKeyPath<Object, Value>
    ) {
        // The object is changed where the caller asks for it, and a key path is immutable.
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

/// What can be bound to a source: a property, an action, a target.
public protocol BindingTargetProvider<Value> {
    /// The values that it takes.
    associatedtype Value

    /// The target.
    var bindingTarget: BindingTarget<Value> { get }
}

extension Optional: BindingTargetProvider where Wrapped: BindingTargetProvider {
    /// The values that it takes.
    public typealias Value = Wrapped.Value

    /// The target of what is wrapped; of nil, one whose lifetime has ended.
    @inlinable
    public var bindingTarget: BindingTarget<Wrapped.Value> {
        switch self {
        case .some(let provider): provider.bindingTarget
        case .none: BindingTarget(lifetime: .empty) { _ in }
        }
    }
}
