/// Holds one disposable at a time: putting another in its place disposes of the one before.
///
/// ## Concurrency
/// Any thread may call anything. What is put in after this was disposed of is disposed of at once.
public final class SerialDisposable: Disposable {
    private enum State: Sendable {
        case holding((any Disposable)?)
        case disposed
    }

    private let state: AtomicReference<State>

    /// Makes one that holds `disposable`.
    public init(_ disposable: (any Disposable)? = nil) {
        state = AtomicReference(.holding(disposable))
    }

    /// Whether it has been disposed of.
    public var isDisposed: Bool {
        if case .disposed = state.load() { true } else { false }
    }

    /// What it holds; nil once it has been disposed of.
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

    /// Disposes of what it holds, and of whatever is put in from here on.
    public func dispose() {
        if case .holding(let inner) = state.exchange(.disposed) { inner?.dispose() }
    }
}
