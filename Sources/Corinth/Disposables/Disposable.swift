/// A resource that can be cancelled or freed once, from any thread.
public protocol Disposable: AnyObject, Sendable {
    /// Whether it has been disposed of. May be true also if there is nothing left to dispose of. Once true, it stays so: what is
    /// disposed of is let go by composites and lifetimes.
    var isDisposed: Bool { get }

    /// Disposes of it. Idempotent.
    func dispose()
}
