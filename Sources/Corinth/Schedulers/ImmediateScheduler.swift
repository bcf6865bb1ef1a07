/// A scheduler that runs each action at once, on the calling thread.
///
/// It runs every action before `schedule` returns, on any thread (law [C2](doc:Contracts#C2-Not-before-schedule-returns)). Actions
/// scheduled by several threads, or nested actions, aren't serialised.
public final class ImmediateScheduler: Scheduler {
    /// Creates an immediate scheduler. All instances are equivalent.
    public init() {}

    /// Runs `action`, and returns nil.
    @discardableResult
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        action()
        return nil
    }
}
