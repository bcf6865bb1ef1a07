/// A disposable that disposes of another one when its last reference is released.
public final class ScopedDisposable<Inner: Disposable>: Disposable {
    /// The disposable that it owns.
    public let inner: Inner

    /// Creates the owner of `disposable`.
    public init(_ disposable: Inner) {
        inner = disposable
    }

    deinit { dispose() }

    /// Whether the inner disposable has been disposed of.
    public var isDisposed: Bool { inner.isDisposed }

    /// Disposes of the inner disposable.
    public func dispose() { inner.dispose() }
}

extension ScopedDisposable where Inner == AnyDisposable {
    /// Creates the owner of a disposable of any type.
    public convenience init(_ disposable: any Disposable) {
        self.init(AnyDisposable(disposable))
    }
}

extension ScopedDisposable where Inner == CompositeDisposable {
    /// Adds a disposable to the composite.
    @discardableResult
    public static func += (left: ScopedDisposable, right: (any Disposable)?) -> (any Disposable)? {
        left.inner.add(right)
    }

    /// Adds a closure to the composite.
    @discardableResult
    public static func += (
        left: ScopedDisposable, right: sending @escaping () -> Void
    ) -> (any Disposable)? {
        left.inner.add(right)
    }
}

extension ScopedDisposable where Inner == SerialDisposable {
    /// The disposable in the serial disposable. Replacing it disposes of the old one.
    public var inner: (any Disposable)? {
        get { (inner as SerialDisposable).inner }
        set { (inner as SerialDisposable).inner = newValue }
    }
}
