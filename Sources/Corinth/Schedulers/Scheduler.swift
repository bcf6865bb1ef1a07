/// Runs work, one action at a time, in FIFO order (law [C1](doc:Contracts#C1-One-at-a-time)). ``ImmediateScheduler`` has no queue:
/// its callers determine the order.
public protocol Scheduler: AnyObject, Sendable {
    /// Queues an action.
    ///
    /// - Returns: A disposable that cancels the action if it has not begun; nil if there is nothing to cancel.
    @discardableResult
    func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)?
}
