extension SignalProducer {
    /// Replaces the producer of which `run` is a start, as its last action.
    ///
    /// A recursion through this function needs constant stack depth and memory (law P4).
    @inlinable
    func replaceTail(to sink: Sink<Value, Error>, in run: ProducerRun) {
        StartHolding.continueWithoutUser(from: run)
        Trampoline.run(on: run, with: Successor(producer: self, sink: sink)) { run, next in
            next.producer.beginOrEnd(next.sink, run)
        }
    }

    /// Continues with another producer after certain terminations.
    ///
    /// - Parameters:
    ///   - next: Returns the producer to continue with, or the termination to forward.
    ///   - other: The depth of the recipe that `next` contains.
    ///   - isList: Whether the two are started like a list of producers that wait for each other: an interruption of one counts as
    ///     its completion, and what follows one that ends inside its start waits until the start has returned.
    ///   - value: What receives this producer's values.
    @inlinable
    func continued<U, F>(
        by next: @escaping @Sendable (Termination<Error>) -> Continuation<U, F>,
        or other: RecipeDepth = .none, asList isList: Bool = false,
        value: @escaping @Sendable (Sink<U, F>) -> (Value) -> Void
    ) -> SignalProducer<U, F> {
        continued(or: other, asList: isList) { (value($0), next) }
    }

    /// The same with state for each start.
    ///
    /// - Parameter make: Makes what receives this producer's values, and what says how a start continues.
    @inlinable
    func continued<U, F>(
        or other: RecipeDepth, asList isList: Bool = false,
        _ make:
            @escaping @Sendable (Sink<U, F>) -> (
                value: (Value) -> Void, next: (Termination<Error>) -> Continuation<U, F>
            )
    ) -> SignalProducer<U, F> {
        SignalProducer<U, F>(
            over: .deepest(depth, other),
            boundary: { _, sink, run in
                let sink = isList ? sink.behindList(in: run) : sink.behindBoundary(in: run)
                let (receive, next) = make(sink)
                let first = FirstRun(before: sink, in: run, isList: isList, next)
                Trampoline.run(on: first, with: self) { first, producer in first.begin(producer, receive) }
            })
    }
}

/// The run of the first of two producers.
@usableFromInline
final class FirstRun<Failure: Swift.Error, Value, Error: Swift.Error>: ProducerRun, @unchecked Sendable {
    // As its superclass.

    @usableFromInline let sink: Sink<Value, Error>
    @usableFromInline let run: ProducerRun
    @usableFromInline let isList: Bool
    @usableFromInline let next: (Termination<Failure>) -> Continuation<Value, Error>

    /// In a list, what follows waits until the start has returned.
    @usableFromInline let phase: AtomicState<StartPhase>

    /// The producer that waits for the start to return. Written before the phase says so.
    @safe @exclusivity(unchecked)
    @usableFromInline var waiting: SignalProducer<Value, Error>?

    @safe @exclusivity(unchecked)
    @usableFromInline var handle: CompositeEntry?

    @inlinable
    init(
        before sink: Sink<Value, Error>, in run: ProducerRun, isList: Bool,
        _ next: @escaping (Termination<Failure>) -> Continuation<Value, Error>
    ) {
        self.sink = sink
        self.run = run
        self.isList = isList
        self.next = next
        phase = AtomicState(isList ? .starting : .returned)
        super.init()
        sink.shared?.resources.add(self) { handle = $0 }
    }

    @inlinable
    func begin<Input>(_ producer: SignalProducer<Input, Failure>, _ receive: @escaping (Input) -> Void) {
        producer.beginOrEnd(
            unsafe Sink(value: receive, termination: { self.terminate($0) }, boundary: sink.boundary), self)
        if isList, phase.returns(), let next = waiting.take() { sink.goOn(withLast: next, in: run) }
    }

    @inlinable
    func terminate(_ termination: Termination<Failure>) {
        // The boundary has ended, so that nothing follows. Of a list, the next producer's hooks see the interruption.
        if isDisposed {
            if isList, case .start(let producer) = next(.interrupted) {
                producer.beginOrEnd(Sink(value: { _ in }, termination: { _ in }), self)
            }
            return
        }
        dispose()
        handle?.dispose()
        switch next(termination) {
        case .end(let termination): sink.onTermination(termination)
        case .start(let producer):
            waiting = producer
            if !phase.delegates() {
                waiting = nil
                producer.replaceTail(to: sink, in: run)
            }
        }
    }
}

/// A producer that replaces another one, and its sink. Not a tuple, because Swift 6.3.1 crashes with it.
@frozen
@usableFromInline
struct Successor<Value, Error: Swift.Error> {
    @usableFromInline let producer: SignalProducer<Value, Error>
    @usableFromInline let sink: Sink<Value, Error>

    @inlinable @inline(__always)
    init(producer: SignalProducer<Value, Error>, sink: Sink<Value, Error>) {
        self.producer = producer
        self.sink = sink
    }
}

/// The continuation after the end of a producer.
@usableFromInline
enum Continuation<Value, Error: Swift.Error> {
    case end(Termination<Error>)
    case start(SignalProducer<Value, Error>)
}

extension SignalProducer where Error == Never {
    /// This producer with an error type whose errors never occur.
    @inlinable
    func promoted<F>() -> SignalProducer<Value, F> {
        switch origin {
        case .value(let value): SignalProducer<Value, F>(origin: .value(value))
        case .made(let make): SignalProducer<Value, F>(origin: .made(make))
        case .empty: SignalProducer<Value, F>(origin: .empty)
        case .recipe, .prompt:
            fuse { sink in
                Sink(value: sink.onValue, termination: { sink.onTermination($0.promoted()) })
            }
        }
    }
}

extension Termination where Error == Never {
    /// This termination with an error type whose errors never occur.
    @inlinable
    func promoted<F>() -> Termination<F> {
        switch self {
        case .completed: .completed
        case .interrupted: .interrupted
        }
    }
}
