/// An action that waits for its queue. Disposing of it lets go of the action at once.
final class ScheduledAction: Disposable, @unchecked Sendable {  // The flag settles who may touch the action.
    private var flagStorage: UInt64 = 0

    /// Owned by whoever raises the flag.
    private var action: (() -> Void)?

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    private var flag: DisposalFlag { DisposalFlag(of: self) }

    var isDisposed: Bool { flag.isRaised }

    /// Runs the action, once, unless it has been disposed of.
    func runOnce() {
        guard flag.raise() else { return }
        action.take()?()
    }

    func dispose() {
        guard flag.raise() else { return }
        _ = action.take()
    }
}
