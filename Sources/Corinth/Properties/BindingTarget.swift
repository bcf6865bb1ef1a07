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
    #if Preconcurrency
        @preconcurrency
    #endif
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
    /// The compiler refuses a property that belongs to an actor. For those of the main actor, there is
    /// ``init(on:lifetime:object:keyPath:)-(MainActor.Type,_,_,_)``.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which the property is set.
    ///   - lifetime: When it ends, the bindings end.
    ///   - object: The object.
    ///   - keyPath: The key path of a property that any thread may set.
    @inlinable
    public init<Object: AnyObject & Sendable>(
        on scheduler: any Scheduler = ImmediateScheduler(), lifetime: Lifetime, object: Object,
        keyPath: any WritableKeyPath<Object, Value> & Sendable
    ) {
        self.init(on: scheduler, lifetime: lifetime) { [weak object] value in
            guard var object else { return }
            object[keyPath: keyPath] = value
        }
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
