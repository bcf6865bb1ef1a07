/// The span of something's life: what is to be done when it ends.
///
/// ```swift
/// let (lifetime, token) = Lifetime.make()
/// lifetime.observeEnded { print("gone") }
/// token.dispose()
/// ```
///
/// ## Concurrency
/// Any thread may call anything. What was registered runs on the thread that ends the lifetime, once, in order; what is
/// registered after the end runs at once, on the calling thread.
public final class Lifetime: Sendable {
    private let disposables: CompositeDisposable

    /// The lifetime that ends with a composite.
    @usableFromInline
    init(_ disposables: CompositeDisposable) {
        self.disposables = disposables
    }

    /// The lifetime that ends when `token` is disposed of, or when the last reference to it goes.
    public convenience init(_ token: Token) {
        self.init(token.disposables)
    }

    /// Makes a lifetime and the token that ends it.
    public static func make() -> (lifetime: Lifetime, token: Token) {
        let token = Token()
        return (Lifetime(token), token)
    }

    /// A lifetime that has ended.
    public static let empty: Lifetime = {
        let disposables = CompositeDisposable()
        disposables.dispose()
        return Lifetime(disposables)
    }()

    /// Whether it has ended.
    public var hasEnded: Bool { disposables.isDisposed }

    /// A signal that completes when this ends; on one that has ended, it completes at once.
    public var ended: Signal<Never, Never> {
        Signal { observer, signalLifetime in
            signalLifetime += disposables.add { observer.sendCompleted() }
        }
    }

    /// Runs `action` when this ends, or at once if it has.
    ///
    /// - Returns: A disposable that makes it not run; nil if it ran at once.
    @discardableResult
    @preconcurrency
    public func observeEnded(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        disposables.add(action)
    }

    /// Disposes of `right` when `left` ends, or at once if it has.
    @discardableResult
    public static func += (left: Lifetime, right: (any Disposable)?) -> (any Disposable)? {
        left.disposables.add(right)
    }

    /// Ends a ``Lifetime``, when it is disposed of or let go of.
    public final class Token: Sendable {
        fileprivate let disposables = CompositeDisposable()

        /// Makes a token.
        public init() {}

        deinit { dispose() }

        /// Ends the lifetime.
        public func dispose() { disposables.dispose() }
    }
}
