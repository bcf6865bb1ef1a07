/// A resource that can be cancelled or freed once, from any thread.
public protocol Disposable: AnyObject, Sendable {
    /// Whether it has been disposed of.
    var isDisposed: Bool { get }

    /// Disposes of it. Idempotent.
    func dispose()
}
