/// The destination of a binding: an action, and a lifetime that ends the binding.
///
/// ```swift
/// let title = BindingTarget<String>(lifetime: lifetime) { print($0) }
/// title <~ name
/// ```
public struct BindingTarget<Value>: BindingTargetProvider {
    /// When it ends, the bindings end (law [B1](doc:Contracts#B1-Until-one-of-them-ends)).
    public let lifetime: Lifetime

    /// Receives each value, on the thread that sends it.
    public let action: @Sendable (Value) -> Void

    /// Makes a target whose action runs on the thread that sends the value.
    ///
    /// - Parameters:
    ///   - lifetime: When it ends, the bindings end.
    ///   - action: Receives each value.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public init(lifetime: Lifetime, action: @escaping @Sendable (Value) -> Void) {
        self.lifetime = lifetime
        self.action = action
    }

    /// Makes a target whose action runs on a scheduler.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which the action runs.
    ///   - lifetime: When it ends, the bindings end.
    ///   - action: Receives each value.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public init(on scheduler: any Scheduler, lifetime: Lifetime, action: @escaping @Sendable (Value) -> Void)
    where Value: Sendable {
        if scheduler is ImmediateScheduler {
            self.init(lifetime: lifetime, action: action)
        } else {
            self.init(lifetime: lifetime) { value in scheduler.scheduleInOrder { action(value) } }
        }
    }

    /// Makes a target that sets a property of an object, on the thread that sends the value, while the object exists. It doesn't
    /// keep the object.
    ///
    /// The compiler refuses a property that belongs to an actor. For those of the main actor, there is
    /// ``init(on:lifetime:object:keyPath:)-(MainActor.Type,_,_,_)``.
    ///
    /// - Parameters:
    ///   - lifetime: When it ends, the bindings end.
    ///   - object: The object.
    ///   - keyPath: The key path of a property that any thread may set.
    @inlinable
    public init<Object: AnyObject & Sendable>(
        lifetime: Lifetime, object: Object, keyPath: any WritableKeyPath<Object, Value> & Sendable
    ) {
        self.init(lifetime: lifetime) { [weak object] value in
            guard var object else { return }
            object[keyPath: keyPath] = value
        }
    }

    /// Makes a target that sets a property of an object on a scheduler, while the object exists. It doesn't keep the object.
    /// See ``init(lifetime:object:keyPath:)``.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which the property is set.
    ///   - lifetime: When it ends, the bindings end.
    ///   - object: The object.
    ///   - keyPath: The key path of a property that any thread may set.
    @inlinable
    public init<Object: AnyObject & Sendable>(
        on scheduler: any Scheduler, lifetime: Lifetime, object: Object,
        keyPath: any WritableKeyPath<Object, Value> & Sendable
    ) where Value: Sendable {
        let target = BindingTarget(lifetime: lifetime, object: object, keyPath: keyPath)
        self.init(on: scheduler, lifetime: lifetime, action: target.action)
    }

    /// Makes a target that sets a property of an object on the main actor, through a ``UIScheduler``, while the object exists. It
    /// doesn't keep the object.
    ///
    /// - Parameters:
    ///   - actor: `MainActor.self`.
    ///   - lifetime: When it ends, the bindings end.
    ///   - object: The object.
    ///   - keyPath: The key path of the property.
    @MainActor
    public init<Object: AnyObject & Sendable>(
        on actor: MainActor.Type, lifetime: Lifetime, object: Object, keyPath: WritableKeyPath<Object, Value>
    ) where Value: Sendable {
        let property = MainActorProperty(of: object, at: keyPath)
        self.init(on: UIScheduler(), lifetime: lifetime) { value in _ = property.set(value) }
    }

    /// This target itself.
    @inlinable
    public var bindingTarget: BindingTarget<Value> { self }
}

extension BindingTarget: Sendable where Value: Sendable {}

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
