/// A disposable that runs a closure when it is disposed of.
///
/// The closure runs once, on the disposing thread, and is released at once afterwards. If the disposable is released without
/// being disposed of, the closure doesn't run.
///
/// - Complexity: `dispose()` is one atomic exchange and the closure.
public final class AnyDisposable: Disposable, @unchecked Sendable {  // The flag decides who owns the action.
    private let flag = AtomicFlag()

    /// Owned by the thread that raises the flag.
    private var action: (() -> Void)?

    /// Creates a disposable without an action. It only records its disposal.
    public init() {
        action = nil
    }

    /// Creates a disposable that runs `action` when it is disposed of.
    public init(_ action: sending @escaping () -> Void) {
        self.action = action
    }

    /// Creates a disposable that disposes of another one.
    public init(_ disposable: any Disposable) {
        action = disposable.dispose
    }

    /// Whether it has been disposed of.
    // acquire: sees the writes made before the disposal. Pairs with `dispose()`.
    public var isDisposed: Bool { flag.isRaised(.acquire) }

    /// Runs the closure, on the first call only.
    public func dispose() {
        // acquireRelease: the action was written before, and the winner owns it from here on.
        guard flag.tryRaise(.acquireRelease) else { return }
        let action = self.action
        self.action = nil
        action?()
    }
}
