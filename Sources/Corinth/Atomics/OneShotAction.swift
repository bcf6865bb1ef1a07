/// An action that runs at most once, on the thread that takes it. Taking it without running it releases it at once.
class OneShotAction: @unchecked Sendable {  // The thread that raises the flag owns the action.
    private final var flagStorage: UInt64 = 0

    /// Owned by the thread that raises the flag.
    private final var action: (() -> Void)?

    init(_ action: @escaping () -> Void) {
        self.action = action
        assert(flag.word.isStored(in: &flagStorage))
    }

    private final var flag: DisposalFlag { DisposalFlag(of: self) }

    /// Whether the action has been taken.
    final var isTaken: Bool { flag.isRaised }

    /// The action, for the first caller; nil for all others.
    final func take() -> (() -> Void)? { flag.raise() ? action.take() : nil }

    /// Runs the action, unless it has been taken.
    final func runOnce() { take()?() }
}
