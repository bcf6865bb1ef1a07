/// A one-time event that one task may wait for.
///
/// A subclass adds what the event publishes, so that both need one allocation.
@usableFromInline
@safe class TaskLatch: @unchecked Sendable {  // The word decides which thread resumes the task.
    private final let state = AtomicState<LatchState>(.closed)

    /// Written by the task before it waits. Resumed by the thread that opens the latch, or by the task if the latch is open.
    @safe @exclusivity(unchecked)
    private final var continuation: UnsafeContinuation<Void, Never>?

    @usableFromInline
    init() {
        continuation = nil
    }

    /// Opens the latch for ever, and resumes the task. Called once.
    @usableFromInline
    final func open() {
        if markOpen() { resume() }
    }

    /// Suspends the calling task until the latch is open.
    @usableFromInline
    nonisolated(nonsending) final func wait() async {
        if isOpen { return }
        await unsafe withUnsafeContinuation { continuation in
            unsafe self.continuation = continuation
            if !beginWaiting() { resume() }
        }
    }

    /// Whether it is open.
    // acquire: sees the writes made before. Pairs with the exchange in `markOpen()`.
    @usableFromInline final var isOpen: Bool { state.load(.acquire) == .open }

    /// - Returns: Whether a task waits. The caller resumes it.
    final func markOpen() -> Bool {
        // release: publishes the writes made before. acquire: sees the continuation.
        state.exchange(.open, .acquireRelease) == .awaited
    }

    /// - Returns: Whether the task waits. False if the latch is open.
    final func beginWaiting() -> Bool {
        // release: publishes the continuation. acquire: sees what the latch publishes, if it is open.
        state.tryUpdate(from: .closed, .acquireRelease) { $0.waiting() }.won
    }

    private final func resume() { unsafe continuation?.resume() }
}
