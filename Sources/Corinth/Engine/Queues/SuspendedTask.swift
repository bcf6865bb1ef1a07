/// The task that takes the elements of a ``TaskQueue``, while it is suspended.
///
/// To the engine it is a scheduler: a queue that has work for it wakes it, as it would schedule a drain.
@usableFromInline
@safe final class SuspendedTask: WorkItemScheduler, @unchecked Sendable {  // The queue's stage decides who resumes it.
    /// Raised when the task is woken.
    private let woken = AtomicFlag()

    /// Written by the task before it rests. Taken by the thread that wakes it.
    @safe @exclusivity(unchecked)
    private var continuation: UnsafeContinuation<Void, Never>?

    @usableFromInline
    init() {
        continuation = nil
    }

    @usableFromInline
    var context: SerialContext? { TaskContext.any }

    @usableFromInline
    func post(_ workItem: WorkItem) { wake() }

    @usableFromInline
    func perform(_ action: @escaping @Sendable () -> Void) { wake() }

    /// Resumes the task. Called once for each wait.
    @usableFromInline
    func wake() {
        guard let continuation else { preconditionFailure("a task is woken that doesn't wait") }
        self.continuation = nil
        // release: the task may write the next continuation. The runtime orders both, too, but not in a way that tools see.
        woken.store(.raised, .release)
        unsafe continuation.resume()
    }

    /// Suspends the calling task until it is woken.
    ///
    /// - Parameter rest: Lets other threads wake the task. Returns false if there is work; then the task goes on.
    @usableFromInline
    nonisolated(nonsending) func wait(unless rest: () -> Bool) async {
        await unsafe withUnsafeContinuation { continuation in
            // Two calls of `next()` at a time would leave one of them suspended for ever.
            precondition(unsafe self.continuation == nil, "two tasks wait for the same iterator, but only one may")
            unsafe self.continuation = continuation
            if !rest() { wake() }
        }
        // acquire: pairs with the store in `wake()`.
        _ = woken.isRaised(.acquire)
    }
}
