/// What the strategies have in common: an outer stream that brings producers, and a strand where these meet.
///
/// A strategy is a subclass whose methods are called where its type is known, not through the table of the class.
@usableFromInline
class Flatten<Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline typealias Inner = SignalProducer<Next.Value, Next.Error>

    /// What ends with the result.
    @usableFromInline final let resources: CompositeDisposable

    /// Owned by whoever owns the strand.
    @safe @exclusivity(unchecked)
    @usableFromInline final var isOuterCompleted = false

    @inlinable
    init(_ output: JoinOutput<Next>) {
        resources = output.resources
        super.init(output, sources: 1)
    }

    @inlinable
    override init(_ output: JoinOutput<Next>, sources: Int) {
        resources = output.resources
        super.init(output, sources: sources)
    }

    @inlinable
    final var admission: Admission {
        @inline(__always)
        get { Admission(AtomicWord(of: self)) }
    }

    /// Starts an inner stream, which ends with the result.
    ///
    /// - Parameters:
    ///   - value: Takes each value, and the run that sent it.
    ///   - termination: Takes the end, and the run that ended; not called for a run that was disposed of.
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
    ///   - handle: Taken out of what it is in when the stream has ended.
    ///   - absorbsInterruption: Whether the strategy takes an interruption of the stream for its completion.
    @inlinable @inline(__always)
    final func begin(
        _ inner: Inner, _ run: ProducerRun, until handle: (any Disposable)?, absorbsInterruption: Bool = true,
        value: @escaping (Next.Value, ProducerRun) -> Void,
        termination: @escaping (Termination<Next.Error>, ProducerRun) -> Void
    ) {
        if run.isDisposed { return }
        inner.begin(
            Sink(
                value: { value($0, run) },
                termination: { end in
                    // The strategy knows of the end of what it cancelled.
                    if run.isDisposed { return }
                    run.dispose()
                    handle?.dispose()
                    // On the trampoline, as ends travel as far up as producers are nested.
                    Trampoline.run(on: run, with: end) { run, end in termination(end, run) }
                },
                absorbsInterruption: absorbsInterruption),
            run)
    }

    /// Sends what needs no start. Called by the owner of the strand.
    @inlinable @inline(__always)
    final func send(_ inner: Inner) {
        if isTerminated { return }
        switch inner.origin {
        case .value(let value): next.receive(value)
        case .failure(let error): terminate(.failed(error))
        case .empty, .recipe: break
        }
    }

    /// The way in for the outer stream.
    ///
    /// - Parameters:
    ///   - admit: Takes a producer in.
    ///   - completed: Called by the owner of the strand when the outer stream is complete.
    @inlinable @inline(__always)
    final func port<Value, Failure>(
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
    /// Whether it is a value, a failure or nothing, which a strategy sends without a start.
    @inlinable
    var needsNoStart: Bool {
        @inline(__always)
        get { if case .recipe = origin { false } else { true } }
    }
}

extension JoinOutput {
    @usableFromInline typealias Inner = SignalProducer<Next.Value, Next.Error>

    /// Connects an outer stream with the strategy that makes one of those that it brings.
    ///
    /// - Parameter buffering: What becomes of the inner streams that wait for their turn.
    @inlinable
    func flatten<Outer: JoinSource>(
        _ outer: Outer, _ strategy: FlattenStrategy, buffering: Buffering<Next.Error> = .unbounded,
        _ mapError: @escaping (Outer.JoinedError) -> Next.Error, _ transform: @escaping (Outer.JoinedValue) -> Inner
    ) {
        switch strategy.kind {
        case .concurrent(let limit):
            let flatten = ConcurrentFlatten(self, limit: limit, buffering)
            outer.connect(
                to: flatten.port(
                    mapError, admit: { flatten.admit(transform($0)) }, completed: { flatten.completeIfDone() }),
                until: resources)
        case .concatEager(let limit):
            let flatten = EagerFlatten(self, limit: limit, buffering)
            outer.connect(
                to: flatten.port(
                    mapError, admit: { flatten.admit(transform($0)) }, completed: { flatten.completeIfDone() }),
                until: resources)
        case .latest:
            let flatten = LatestFlatten(self)
            outer.connect(
                to: flatten.port(
                    mapError, admit: { flatten.admit(transform($0)) }, completed: { flatten.completeIfDone() }),
                until: resources)
        case .race:
            let flatten = RaceFlatten(self)
            outer.connect(
                to: flatten.port(
                    mapError, admit: { flatten.admit(transform($0)) }, completed: { flatten.completeIfDone() }),
                until: resources)
        case .throttle:
            let flatten = ThrottleFlatten(self)
            outer.connect(
                to: flatten.port(
                    mapError, admit: { flatten.admit(transform($0)) }, completed: { flatten.completeIfDone() }),
                until: resources)
        }
    }
}
