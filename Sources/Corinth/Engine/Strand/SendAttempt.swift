/// How an input sends a value without blocking.
@frozen
@usableFromInline
enum SendMode {
    /// For a caller that is never suspended.
    case trying
    /// For a task. It is suspended if its value exceeds a bound. If it has a waiter, this waits for a permit.
    case suspending(TaskWaiter?)

    /// Waits for a permit; nil if no task waits.
    @inlinable
    var waiter: TaskWaiter? {
        @inline(__always)
        get { if case .suspending(let waiter) = self { waiter } else { nil } }
    }

    @inlinable
    var suspends: Bool {
        @inline(__always)
        get { if case .suspending = self { true } else { false } }
    }
}

/// What became of a value that is sent without blocking.
@frozen
@usableFromInline
enum SendAttempt: Sendable {
    case sent
    /// It was sent, and has exceeded a bound. The task waits.
    case stopped(StoppingTask)
    /// There is no permit. If there is a waiter, it waits for one.
    case refused
}
