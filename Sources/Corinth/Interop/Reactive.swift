/// A type that provides streams under `reactive`.
///
/// ```swift
/// extension Player: ReactiveExtensionsProvider {}
/// extension Reactive where Base == Player {
///     var volume: BindingTarget<Double> { self[\.volume] }
/// }
/// ```
public protocol ReactiveExtensionsProvider {}

extension ReactiveExtensionsProvider {
    /// The streams of this value.
    public var reactive: Reactive<Self> { Reactive(self) }

    /// The streams of the type.
    public static var reactive: Reactive<Self>.Type { Reactive<Self>.self }
}

/// The streams of a value or an object: a namespace for extensions.
public struct Reactive<Base> {
    /// The value or object that the streams belong to.
    public let base: Base

    init(_ base: Base) {
        self.base = base
    }
}

extension Reactive: Sendable where Base: Sendable {}

extension Reactive where Base: AnyObject & Sendable {
    /// A target that sets a property of the object, on the thread that sends the value.
    ///
    /// It doesn't keep the object. After the object has been released, the next value ends the binding.
    ///
    /// The compiler refuses a property that belongs to an actor. For those of the main actor, there is
    /// ``subscript(_:on:)``.
    ///
    /// - Parameter keyPath: The key path of a property that any thread may set.
    public subscript<Value>(
        keyPath: any ReferenceWritableKeyPath<Base, Value> & Sendable
    ) -> BindingTarget<Value> {
        let (lifetime, token) = Lifetime.make()
        return BindingTarget(lifetime: lifetime) { [weak base] value in
            if let base { base[keyPath: keyPath] = value } else { token.dispose() }
        }
    }

    /// A target that sets a property of the object on the main actor, through a ``UIScheduler``: at once on the main thread, if
    /// nothing is queued.
    ///
    /// ```swift
    /// model.reactive[\.text, on: MainActor.self] <~ texts
    /// ```
    ///
    /// It doesn't keep the object. After the object has been released, the next value ends the binding.
    ///
    /// - Parameters:
    ///   - keyPath: The key path of the property.
    ///   - actor: `MainActor.self`.
    @MainActor
    public subscript<Value: Sendable>(
        keyPath: ReferenceWritableKeyPath<Base, Value>, on actor: MainActor.Type
    ) -> BindingTarget<Value> {
        let (lifetime, token) = Lifetime.make()
        let property = MainActorProperty(of: base, at: keyPath)
        return BindingTarget(on: UIScheduler(), lifetime: lifetime) { value in
            if !property.set(value) { token.dispose() }
        }
    }
}
