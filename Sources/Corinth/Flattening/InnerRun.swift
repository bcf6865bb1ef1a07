/// A strategy that starts inner streams.
@usableFromInline
protocol InnerStage<InnerValue, InnerError>: AnyObject {
    associatedtype InnerValue
    associatedtype InnerError: Error
    /// What the strategy remembers of an inner stream.
    associatedtype Context

    /// Handles the end of an inner stream, outside the strand. Not called for a run that was disposed of.
    func finish(_ termination: Termination<InnerError>, of run: InnerRun<Self>)
}

/// Identifies an inner stream to its strategy. A run holds its strategy, so a strategy that remembers one stream must not hold
/// that stream's run: neither would ever be released after the result was disposed of.
@usableFromInline
final class InnerMark {
    @inlinable
    init() {}
}

/// The run of an inner stream, with all that its events need. A closure that captures nothing but an object isn't allocated.
@usableFromInline
final class InnerRun<Stage: InnerStage>: ProducerRun, @unchecked Sendable {  // As its superclass.
    @usableFromInline let stage: Stage
    @usableFromInline let context: Stage.Context

    /// For strategies that start one stream after the other.
    @usableFromInline let phase = AtomicState<StartPhase>(.starting)

    /// Removes this from its container when the stream has ended. Written before the stream is started.
    @safe @exclusivity(unchecked)
    @usableFromInline var handle: CompositeEntry?

    // Inlined, as is the next one: otherwise the caller would retain the arguments for the call.
    @inlinable @inline(__always)
    init(in stage: Stage, _ context: Stage.Context) {
        self.stage = stage
        self.context = context
        super.init()
    }

    /// A run that ends with `container`.
    @inlinable @inline(__always)
    convenience init(in stage: Stage, _ context: Stage.Context, until container: CompositeDisposable) {
        self.init(in: stage, context)
        unsafe Unmanaged.passUnretained(container)._withUnsafeGuaranteedRef { $0.add(self) { handle = $0 } }
    }

    /// Starts the stream.
    ///
    /// - Parameters:
    ///   - receive: Receives the values. Captures only this run. Not a requirement of ``InnerStage``: the compiler would not
    ///     inline the shim into it.
    @inlinable @inline(__always)
    func begin(
        _ inner: SignalProducer<Stage.InnerValue, Stage.InnerError>,
        _ receive: __owned @escaping (Stage.InnerValue) -> Void
    ) {
        StackSpace.require()
        if isDisposed, inner.needsNoRun { return }
        inner.origin.beginUnknown(Sink(value: consume receive, termination: { self.terminate($0) }), self)
    }

    @inlinable
    func terminate(_ termination: Termination<Stage.InnerError>) {
        // The strategy disposed of this run itself, and has handled its end.
        if isDisposed { return }
        dispose()
        if let handle { unsafe Unmanaged.passUnretained(handle)._withUnsafeGuaranteedRef { $0.dispose() } }
        // On the trampoline: a termination passes through as many levels as producers are nested.
        Trampoline.run(on: self, with: termination) { run, termination in run.stage.finish(termination, of: run) }
    }
}
