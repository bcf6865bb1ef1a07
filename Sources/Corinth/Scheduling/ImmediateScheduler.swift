/// Runs each action at once, on the calling thread.
///
/// The one scheduler that runs an action before `schedule` returns whatever the thread (law C2). Actions scheduled from
/// several threads, or from inside one another, are not kept apart.
public final class ImmediateScheduler: Scheduler {
    /// Makes one. They are all alike.
    public init() {}

    /// Runs `action`, and returns nil.
    @discardableResult
    @preconcurrency
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        action()
        return nil
    }
}
