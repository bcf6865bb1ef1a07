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

extension Reactive where Base: AnyObject {
    /// A target that sets a property of the object.
    ///
    /// It doesn't keep the object. After the object has been released, the next value ends the binding.
    ///
    /// - Parameter keyPath: The key path of the property.
    /// ## Concurrency
    /// The property is set on the thread that sends the value.
    public subscript<Value>(keyPath: ReferenceWritableKeyPath<Base, Value>) -> BindingTarget<Value> {
        let (lifetime, token) = Lifetime.make()
        // The caller chooses the thread on which the object is changed. A key path is immutable.
        nonisolated(unsafe) let set = { [weak base] (value: Value) -> Void in
            if let base { base[keyPath: keyPath] = value } else { token.dispose() }
        }
        return BindingTarget(lifetime: lifetime) { value in unsafe set(value) }
    }
}
