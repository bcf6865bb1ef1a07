/// Runs work, one action at a time, in order (law C1); ``ImmediateScheduler``, which has no queue, only as far as its
/// callers do.
public protocol Scheduler: AnyObject, Sendable {
    /// Queues an action.
    ///
    /// - Returns: A disposable that makes the action not run if it has not begun; nil if there is nothing to cancel.
    @discardableResult
    @preconcurrency
    func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)?
}
