/// How a stream ended, for the task that awaits it: the stream's own end, or the cancellation of the task.
@usableFromInline
final class AwaitedEnd<Error: Swift.Error>: @unchecked Sendable {  // The latch publishes the termination.
    /// Raised by whoever decides the end.
    @usableFromInline var decidedStorage = FlagState.lowered.bits

    /// Written by whoever has raised the flag.
    @safe @exclusivity(unchecked)
    @usableFromInline var termination = Termination<Error>.interrupted
    @usableFromInline let latch = TaskLatch()

    @inlinable
    init() { assert(decided.isStored(in: &decidedStorage)) }

    @inlinable
    var decided: AtomicFlag { AtomicFlag(of: self) }

    /// Ends the wait. Of several ends, the first one counts.
    @inlinable
    func end(_ termination: Termination<Error>) {
        // relaxed: the latch publishes the termination.
        guard decided.tryRaise(.relaxed) else { return }
        self.termination = termination
        latch.open()
    }

    /// Whether the end is decided and can be read.
    @inlinable
    var isDecided: Bool { latch.isOpen }

    @inlinable
    nonisolated(nonsending) func wait() async { await latch.wait() }
}

extension SignalProducer {
    /// Starts this producer, passes its values to `receive`, and suspends the task until the end.
    ///
    /// - Parameter receive: Called serially, also after the task was cancelled. What it writes may be read unless the result
    ///   is an interruption.
    /// - Returns: The end. If the task is cancelled, the start is disposed of, and the result is an interruption.
    @inlinable
    nonisolated(nonsending) func awaitEnd(_ receive: @escaping (Value) -> Void) async -> Termination<Error> {
        if Task.isCancelled { return .interrupted }
        let source = CompositeDisposable()
        let end = AwaitedEnd<Error>()
        // Called by the stream alone.
        nonisolated(unsafe) let sink = Sink<Value, Error>(value: receive, termination: { end.end($0) })
        let outside = Trampoline.stepOutside()
        unsafe connect(to: sink, until: source)
        unsafe Trampoline.goBack(outside)
        // If the task was cancelled meanwhile, the handler is called at once.
        if !end.isDecided {
            await withTaskCancellationHandler {
                await end.wait()
            } onCancel: {
                source.dispose()
                end.end(.interrupted)
            }
        }
        return end.termination
    }
}
