/// The base class of the flattening strategies. An outer stream sends producers, the inner streams. All streams meet on one
/// strand.
///
/// A strategy is a subclass. Its methods are called where its type is known, without dynamic dispatch.
@usableFromInline
class Flatten<Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline typealias Inner = SignalProducer<Next.Value, Next.Error>

    /// Disposed of when the result ends.
    @usableFromInline final let resources: CompositeDisposable

    /// Owned by the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline final var isOuterCompleted = false

    @inlinable
    init(_ output: JoinOutput<Next>) {
        resources = output.resources
        super.init(output, sources: 1)
    }

    @inlinable
    final var admission: Admission {
        @inline(__always)
        get { Admission(AtomicState(of: self)) }
    }

    /// Starts an inner stream, which ends with the result.
    ///
    /// - Parameters:
    ///   - value: Receives each value, and the run that sent it.
    ///   - termination: Receives the termination, and the run that ended. Not called for a run that was disposed of.
    @inlinable @inline(__always)
    final func begin(
        _ inner: Inner, value: @escaping (Next.Value, ProducerRun) -> Void,
        termination: @escaping (Termination<Next.Error>, ProducerRun) -> Void
    ) {
        let run = ProducerRun()
        begin(inner, run, until: resources.add(run), value: value, termination: termination)
    }

    /// Starts an inner stream with a run that the strategy has made.
    ///
    /// - Parameters:
    ///   - handle: Removes the run from its container. Disposed of when the stream has ended.
    ///   - treatsInterruptionAsCompletion: Whether the strategy treats an interruption of the stream as its completion.
    @inlinable @inline(__always)
    final func begin(
        _ inner: Inner, _ run: ProducerRun, until handle: (any Disposable)?,
        treatsInterruptionAsCompletion: Bool = true,
        value: @escaping (Next.Value, ProducerRun) -> Void,
        termination: @escaping (Termination<Next.Error>, ProducerRun) -> Void
    ) {
        if run.isDisposed { return }
        inner.begin(
            Sink(
                value: { value($0, run) },
                termination: { end in
                    // The strategy disposed of this run itself, and has handled its end.
                    if run.isDisposed { return }
                    run.dispose()
                    handle?.dispose()
                    // On the trampoline: a termination passes through as many levels as producers are nested.
                    Trampoline.run(on: run, with: end) { run, end in termination(end, run) }
                },
                treatsInterruptionAsCompletion: treatsInterruptionAsCompletion),
            run)
    }

    /// Sends the events of a producer that needs no start. Called by the strand's owner.
    @inlinable @inline(__always)
    final func send(_ inner: Inner) {
        if isTerminated { return }
        switch inner.origin {
        case .value(let value): next.receive(value)
        case .failure(let error): terminate(.failed(error))
        case .empty, .recipe: break
        }
    }

    /// The input for the outer stream's events.
    ///
    /// - Parameters:
    ///   - admit: Receives each inner stream.
    ///   - completed: Called by the strand's owner when the outer stream has completed.
    @inlinable @inline(__always)
    final func input<Value, Failure>(
        _ mapError: @escaping (Failure) -> Next.Error, admit: @escaping (Value) -> Void,
        completed: @escaping () -> Void
    ) -> Sink<Value, Failure> {
        Sink(
            value: admit,
            termination: { termination in
                self.strand.perform(on: self, with: termination) { flatten, termination in
                    switch termination {
                    case .failed(let error): flatten.terminate(.failed(mapError(error)))
                    case .interrupted: flatten.terminate(.interrupted)
                    case .completed:
                        flatten.isOuterCompleted = true
                        if !flatten.isTerminated { completed() }
                    }
                }
            })
    }
}

extension SignalProducer {
    /// Whether this is one value, one failure or empty. A strategy sends its events without a start.
    @inlinable
    var needsNoStart: Bool {
        @inline(__always)
        get { if case .recipe = origin { false } else { true } }
    }
}

extension JoinOutput {
    @usableFromInline typealias Inner = SignalProducer<Next.Value, Next.Error>

    /// Connects an outer stream to a strategy, which flattens its inner streams.
    ///
    /// - Parameter buffering: The buffering of waiting inner streams.
    @inlinable
    func flatten<Outer: JoinSource>(
        _ outer: Outer, _ strategy: FlattenStrategy, buffering: Buffering<Next.Error> = .unbounded,
        _ mapError: @escaping (Outer.JoinedError) -> Next.Error, _ transform: @escaping (Outer.JoinedValue) -> Inner
    ) {
        func connect(_ input: Sink<Outer.JoinedValue, Outer.JoinedError>) { outer.connect(to: input, until: resources) }
        switch strategy.kind {
        case .concurrent(let limit):
            let stage = ConcurrentFlatten(self, limit: limit, buffering)
            connect(stage.input(mapError, admit: { stage.admit(transform($0)) }, completed: { stage.completeIfDone() }))
        case .concatEager(let limit):
            let stage = EagerFlatten(self, limit: limit, buffering)
            connect(stage.input(mapError, admit: { stage.admit(transform($0)) }, completed: { stage.completeIfDone() }))
        case .latest:
            let stage = LatestFlatten(self)
            connect(stage.input(mapError, admit: { stage.admit(transform($0)) }, completed: { stage.completeIfDone() }))
        case .race:
            let stage = RaceFlatten(self)
            connect(stage.input(mapError, admit: { stage.admit(transform($0)) }, completed: { stage.completeIfDone() }))
        case .throttle:
            let stage = ThrottleFlatten(self)
            connect(stage.input(mapError, admit: { stage.admit(transform($0)) }, completed: { stage.completeIfDone() }))
        }
    }
}
