/// An action queued on a dispatch queue. Disposing of it releases the action at once.
final class ScheduledAction: OneShotAction, Disposable, @unchecked Sendable {  // See the superclass.
    var isDisposed: Bool { isTaken }

    func dispose() { _ = take() }
}
