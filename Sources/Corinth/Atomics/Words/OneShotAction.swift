/// An action that runs at most once, on the thread that takes it. Taking it without running it releases it at once.
class OneShotAction: RunNode, @unchecked Sendable {  // The thread that raises the flag owns the action.
    private final let flag = AtomicFlag()

    /// Owned by the thread that raises the flag.
    private final var action: (() -> Void)?

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    /// Whether the action has been taken.
    // acquire: sees the writes made before `take()`.
    final var isTaken: Bool { flag.isRaised(.acquire) }

    /// The action, for the first caller; nil for all others.
    // release: a thread that finds it taken sees the writes made before. Pairs with `isTaken`. The action was written before
    // this object was shared, and nobody else accesses it.
    final func take() -> (() -> Void)? { flag.tryRaise(.release) ? action.take() : nil }

    /// Runs the action, unless it has been taken.
    override func run() { take()?() }
}
