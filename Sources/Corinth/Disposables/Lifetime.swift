/// The lifetime of an object: the actions to run when it ends.
///
/// ```swift
/// let (lifetime, token) = Lifetime.make()
/// lifetime.observeEnded { print("gone") }
/// token.dispose()
/// ```
///
/// What ends before the lifetime doesn't stay in it: see ``CompositeDisposable``.
///
/// ## Concurrency
/// All members are thread-safe. Registered actions run once, in order, on the thread that ends the lifetime. An action
/// registered after the end runs at once, on the calling thread.
public final class Lifetime: Sendable {
    let disposables: CompositeDisposable

    /// Creates the lifetime of a composite: it ends when the composite is disposed of.
    @usableFromInline
    init(_ disposables: CompositeDisposable) {
        self.disposables = disposables
    }

    /// Creates a lifetime that its owner ends.
    @usableFromInline
    convenience init() { self.init(CompositeDisposable()) }

    /// Ends the lifetime.
    @usableFromInline
    func end() { disposables.dispose() }

    /// Creates a lifetime that ends when `token` is disposed of or deinitialised.
    public convenience init(_ token: Token) {
        self.init(token.disposables)
    }

    /// Creates a lifetime and the token that ends it.
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

    /// Runs `action` when the lifetime ends, or at once if it has ended.
    ///
    /// - Returns: A disposable that cancels the action; nil if it ran at once.
    @discardableResult
    public func observeEnded(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        disposables.add(action)
    }

    /// Disposes of `right` when `left` ends, or at once if it has ended.
    @discardableResult
    public static func += (left: Lifetime, right: (any Disposable)?) -> (any Disposable)? {
        left.disposables.add(right)
    }

    /// Ends a ``Lifetime`` when it is disposed of or deinitialised.
    public final class Token: Sendable {
        fileprivate let disposables = CompositeDisposable()

        /// Creates a token.
        public init() {}

        deinit { dispose() }

        /// Ends the lifetime.
        public func dispose() { disposables.dispose() }
    }
}
