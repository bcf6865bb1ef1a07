/// A container for one disposable. Replacing it disposes of the old one.
///
/// ## Concurrency
/// All members are thread-safe. A disposable that is set after the disposal of the container is disposed of at once.
public final class SerialDisposable: Disposable {
    private enum State: Sendable {
        case holding((any Disposable)?)
        case disposed
    }

    private let state: AtomicReference<State>

    /// Creates one that holds `disposable`.
    public init(_ disposable: (any Disposable)? = nil) {
        state = AtomicReference(.holding(disposable))
    }

    /// Whether it has been disposed of.
    public var isDisposed: Bool {
        if case .disposed = state.load() { true } else { false }
    }

    /// The disposable that it holds; nil after its disposal.
    public var inner: (any Disposable)? {
        get {
            if case .holding(let inner) = state.load() { inner } else { nil }
        }
        set {
            let old = state.update { old in
                if case .holding = old { .holding(newValue) } else { nil }
            }
            switch old {
            case .holding(let previous): if previous !== newValue { previous?.dispose() }
            case .disposed: newValue?.dispose()
            }
        }
    }

    /// Disposes of the disposable that it holds, and of every disposable set later.
    public func dispose() {
        if case .holding(let inner) = state.exchange(.disposed) { inner?.dispose() }
    }
}
