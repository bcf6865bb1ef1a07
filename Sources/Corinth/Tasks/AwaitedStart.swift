/// What a task awaits of a stream's values.
@usableFromInline
protocol AwaitedResult<Value>: SendableMetatype {
    associatedtype Value

    /// Takes the next value.
    ///
    /// - Returns: Whether further values are needed.
    mutating func receive(_ value: Value) -> Bool
}

/// A start or an observation that a task awaits: its result, its end, and the latch that resumes the task.
///
/// It ends with the stream, with the last value that the result needs, or with the cancellation of the task.
@usableFromInline
final class AwaitedStart<Result: AwaitedResult, Error: Swift.Error>: TaskLatch, @unchecked Sendable {
    // The latch publishes the result and the termination.

    /// Raised by whoever decides the end.
    @usableFromInline let decided = AtomicFlag()

    /// Written by the stream, and read by the task unless the end is an interruption.
    ///
    /// It isn't empty. The runtime places an empty field at the start of its object, where thread sanitizer would take a
    /// mutation of it for one of the object's header, which other threads read.
    @safe @exclusivity(unchecked)
    @usableFromInline var result: Result

    /// Written by whoever has raised the flag.
    @safe @exclusivity(unchecked)
    @usableFromInline var termination = Termination<Error>.interrupted

    /// Disposed of at the end, before the task is resumed. nil if the stream needs none.
    @usableFromInline let run: ProducerRun?

    @inlinable
    init(_ result: Result, in run: ProducerRun?) {
        self.result = result
        self.run = run
        super.init()
        assert(MemoryLayout<Result>.size > 0, "\(Result.self) is empty, but must have a field")
    }

    /// The input for the stream's events, which are serial.
    @inlinable
    var sink: Sink<Result.Value, Error> {
        // Each closure captures only this, so nothing is allocated for it.
        Sink(value: { self.receive($0) }, termination: { self.end($0) })
    }

    @inlinable
    func receive(_ value: Result.Value) {
        // relaxed: after the value that has ended this, the stream's events are still serial. A cancelled task doesn't read
        // the result.
        if decided.isRaised(.relaxed) { return }
        if !result.receive(value) { end(.completed) }
    }

    /// Ends the start and resumes the task. Of several ends, the first one counts. Called on any thread.
    @inlinable
    func end(_ termination: Termination<Error>) {
        // relaxed: the latch publishes the termination.
        guard decided.tryRaise(.relaxed) else { return }
        self.termination = termination
        run?.dispose()
        open()
    }

    /// Starts the stream, and suspends the task until the end. The cancellation of the task ends the start at any time. If the
    /// task was cancelled before, nothing is started.
    ///
    /// - Parameters:
    ///   - actor: The actor of the caller.
    ///   - begin: Starts the stream. It never waits for a permit: the thread runs a task.
    @inlinable
    func runToEnd(isolation actor: isolated (any Actor)?, _ begin: () -> Void) async {
        await withTaskCancellationHandler {
            // Captured: otherwise the closure isn't isolated to the actor, and the task hops to the pool and back.
            _ = actor
            // If the task was cancelled before, the handler has been called.
            if !isOpen { Strand.withoutWaiting(begin) }
            await wait()
        } onCancel: {
            end(.interrupted)
        }
    }

    /// The result of a completed start; nil after an interruption. Called by the task after the end. Throws the failure.
    @inlinable
    func completion() throws(Error) -> Result? {
        switch termination {
        case .completed: result
        case .interrupted: nil
        case .failed(let error): throw error
        }
    }
}

extension SignalProducer {
    /// Starts this producer, and suspends the task until the end.
    ///
    /// - Returns: The start, which has ended. If the task was cancelled before, nothing was started, and its end is an
    ///   interruption.
    @inlinable
    nonisolated(nonsending) func await<Result>(
        _ result: Result
    ) async -> AwaitedStart<Result, Error> where Result: AwaitedResult, Result.Value == Value {
        let start = AwaitedStart<Result, Error>(result, in: needsNoRun ? nil : ProducerRun())
        guard let run = start.run else {
            let sink = start.sink
            // It has ended when this returns.
            if !Task.isCancelled { _ = origin.sendAll(value: sink.onValue, termination: sink.onTermination) }
            return start
        }
        await start.runToEnd(isolation: #isolation) {
            let outside = Trampoline.stepOutside()
            begin(start.sink, run)
            Trampoline.goBack(outside)
        }
        return start
    }
}
