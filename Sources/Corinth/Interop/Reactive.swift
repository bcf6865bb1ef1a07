/// What has streams under `reactive`.
///
/// ```swift
/// extension Player: ReactiveExtensionsProvider {}
/// extension Reactive where Base == Player {
///     var volume: BindingTarget<Double> { self[\.volume] }
/// }
/// ```
public protocol ReactiveExtensionsProvider {}

extension ReactiveExtensionsProvider {
    /// The streams of this.
    public var reactive: Reactive<Self> { Reactive(self) }

    /// The streams of the type.
    public static var reactive: Reactive<Self>.Type { Reactive<Self>.self }
}

/// The streams of a value or an object: a name space, to be extended.
public struct Reactive<Base> {
    /// What the streams are of.
    public let base: Base

    init(_ base: Base) {
        self.base = base
    }
}

extension Reactive: Sendable where Base: Sendable {}

extension Reactive where Base: AnyObject {
    /// The target that sets a property of the object.
    ///
    /// It doesn't keep the object. A binding to it ends with the first value that comes when the object is gone.
    ///
    /// - Parameter keyPath: The property.
    /// ## Concurrency
    /// The property is set on whatever thread a value comes on.
    public subscript<Value>(keyPath: ReferenceWritableKeyPath<Base, Value>) -> BindingTarget<Value> {
        let (lifetime, token) = Lifetime.make()
        // The object is changed where the caller asks for it, and a key path is immutable.
        nonisolated(unsafe) let set = { [weak base] (value: Value) -> Void in
            if let base { base[keyPath: keyPath] = value } else { token.dispose() }
        }
        return BindingTarget(lifetime: lifetime) { value in unsafe set(value) }
    }
}
