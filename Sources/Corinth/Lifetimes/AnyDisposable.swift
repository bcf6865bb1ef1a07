/// A disposable that runs a closure when it is disposed of.
///
/// The closure runs on the thread that disposes, once, and is released at once afterwards. A disposable that is let go of
/// without having been disposed of doesn't run it.
///
/// - Complexity: `dispose()` is one atomic exchange and the closure.
public final class AnyDisposable: Disposable, @unchecked Sendable {  // The flag settles who may touch the action.
    private var flagStorage: UInt64 = 0

    /// Owned by whoever raises the flag.
    private var action: (() -> Void)?

    /// Makes a disposable that does nothing but remember that it was disposed of.
    public init() {
        action = nil
    }

    /// Makes a disposable that runs `action` when it is disposed of.
    @preconcurrency
    public init(_ action: sending @escaping () -> Void) {
        self.action = action
    }

    /// Makes a disposable that disposes of another one.
    public init(_ disposable: any Disposable) {
        action = disposable.dispose
    }

    private var flag: DisposalFlag { DisposalFlag(of: self) }

    /// Whether it has been disposed of.
    public var isDisposed: Bool { flag.isRaised }

    /// Runs the closure, if nobody has disposed of this before.
    public func dispose() {
        guard flag.raise() else { return }
        let action = self.action
        self.action = nil
        action?()
    }
}
