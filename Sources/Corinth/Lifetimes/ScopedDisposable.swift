/// Disposes of another disposable when the last reference to this goes.
public final class ScopedDisposable<Inner: Disposable>: Disposable {
    /// What it disposes of.
    public let inner: Inner

    /// Makes the owner of `disposable`.
    public init(_ disposable: Inner) {
        inner = disposable
    }

    deinit { dispose() }

    /// Whether the inner one has been disposed of.
    public var isDisposed: Bool { inner.isDisposed }

    /// Disposes of the inner one.
    public func dispose() { inner.dispose() }
}

extension ScopedDisposable where Inner == AnyDisposable {
    /// Makes the owner of a disposable of any type.
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
    @preconcurrency
    public static func += (
        left: ScopedDisposable, right: sending @escaping () -> Void
    ) -> (any Disposable)? {
        left.inner.add(right)
    }
}

extension ScopedDisposable where Inner == SerialDisposable {
    /// What the serial disposable holds: putting another one in its place disposes of the one before.
    public var inner: (any Disposable)? {
        get { (inner as SerialDisposable).inner }
        set { (inner as SerialDisposable).inner = newValue }
    }
}
