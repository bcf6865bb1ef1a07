/// A one-time event that one task may wait for.
@usableFromInline
@safe final class TaskLatch: @unchecked Sendable {  // The word decides which thread resumes the task.
    private var stateStorage = LatchState.closed.bits

    /// Written by the task before it waits. Taken by the thread that opens the latch.
    @safe @exclusivity(unchecked)
    private var continuation: UnsafeContinuation<Void, Never>?

    @usableFromInline
    init() {
        continuation = nil
        assert(state.isStored(in: &stateStorage))
    }

    private var state: AtomicState<LatchState> { AtomicState(of: self) }

    /// Opens the latch for ever, and resumes the task. Called once.
    @usableFromInline
    func open() {
        if markOpen() { resume() }
    }

    /// Suspends the calling task until the latch is open.
    @usableFromInline
    nonisolated(nonsending) func wait() async {
        if isOpen { return }
        await unsafe withUnsafeContinuation { continuation in
            unsafe self.continuation = continuation
            if !beginWaiting() { resume() }
        }
    }

    /// Whether it is open.
    // acquire: sees the writes made before. Pairs with the exchange in `markOpen()`.
    @usableFromInline var isOpen: Bool { state.load(.acquire) == .open }

    /// - Returns: Whether a task waits. The caller resumes it.
    func markOpen() -> Bool {
        // release: publishes the writes made before. acquire: sees the continuation.
        state.exchange(.open, .acquireRelease) == .awaited
    }

    /// - Returns: Whether the task waits. False if the latch is open.
    func beginWaiting() -> Bool {
        // release: publishes the continuation. acquire: sees what the latch publishes, if it is open.
        state.tryUpdate(from: .closed, .acquireRelease) { $0.waiting() }.won
    }

    private func resume() {
        let continuation = continuation
        self.continuation = nil
        unsafe continuation?.resume()
    }
}
