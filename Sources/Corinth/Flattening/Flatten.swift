/// The base class of the flattening strategies. An outer stream sends producers, the inner streams. All streams meet on one
/// strand.
///
/// A strategy is a subclass. Its methods are called where its type is known, without dynamic dispatch.
@usableFromInline
class Flatten<Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline typealias Inner = SignalProducer<Next.Value, Next.Error>

    @usableFromInline final let admission = Admission()

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

    /// The stream with its value, if it is one that makes a value. Called outside the strand, like the start of a stream. Empty
    /// if the result has ended, so the value isn't made.
    @inlinable @inline(__always)
    final func made(_ inner: Inner) -> Inner {
        guard case .made(let make) = inner.origin else { return inner }
        return resources.isDisposed ? .empty : Inner(origin: .value(make()))
    }

    /// Sends the events of a producer that needs no start. Called by the strand's owner.
    @inlinable @inline(__always)
    final func send(_ inner: Inner) {
        if isTerminated { return }
        switch inner.origin {
        case .value(let value): next.receive(value)
        case .failure(let error): terminate(.failed(error))
        case .empty, .made, .recipe, .prompt: break
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
    /// Whether this is one known value, one failure or empty. A strategy sends its events without a start.
    @inlinable
    var needsNoStart: Bool {
        @inline(__always)
        get { if case .made = origin { false } else { needsNoRun } }
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
