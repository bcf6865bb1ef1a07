extension Sink {
    /// This sink for a stream whose interruption counts as its completion, unless the whole run is interrupted.
    @inlinable
    func absorbing(in run: ProducerRun) -> Sink {
        if absorbsInterruption { return self }
        let onTermination = onTermination
        return Sink(
            value: onValue,
            termination: { termination in
                if case .interrupted = termination, !run.isDisposed {
                    onTermination(.completed)
                } else {
                    onTermination(termination)
                }
            },
            absorbsInterruption: true)
    }
}

extension SignalProducer {
    /// Takes the place of the producer that `run` is a start of, as the last thing that it does.
    ///
    /// What recurs this way takes neither stack nor memory, however often it does (law P4).
    @inlinable
    func relay(to sink: Sink<Value, Error>, in run: ProducerRun) {
        StartHolding.goOnWithoutUser(from: run)
        Trampoline.run(on: run, with: Successor(producer: self, sink: sink)) { run, next in
            if run.isDisposed {
                next.sink.onTermination(.interrupted)
            } else {
                next.producer.begin(next.sink, run)
            }
        }
    }

    /// The producer that goes on as another one when this has ended in a certain way.
    ///
    /// - Parameters:
    ///   - value: Passes a value on, or drops it.
    ///   - other: How deep the recipe is that `next` holds.
    ///   - absorbsInterruption: Whether an interruption of this counts as its completion.
    ///   - afterDisposal: Whether the next one is started when what this held has been disposed of. Else it is before.
    ///   - next: What to go on with after an end, and in which sink; nil passes the end on.
    @inlinable
    func following<U, F>(
        by next: @escaping @Sendable (Termination<Error>, Sink<U, F>, ProducerRun) -> Continuation<U, F>,
        or other: RecipeDepth = .none, absorbsInterruption: Bool = false, afterDisposal: Bool = false,
        value: @escaping @Sendable (Sink<U, F>) -> (Value) -> Void
    ) -> SignalProducer<U, F> {
        SignalProducer<U, F>(
            over: .deepest(depth, other),
            recipe: { sink, run in
                let upstream = ProducerRun()
                // Asked for here, where the start is one thread's: what follows may be started on another one.
                let handle = run.resources.add(upstream)
                relay(
                    to: Sink(
                        value: value(sink),
                        termination: { termination in
                            switch next(termination, sink, run) {
                            case .end(let termination):
                                sink.onTermination(termination)
                                upstream.dispose()
                                handle?.dispose()
                            case .goOn(let producer, let sink):
                                upstream.dispose()
                                handle?.dispose()
                                if afterDisposal {
                                    // A closure as the state: with a tuple of producer and sink, Swift 6.3.1 crashes.
                                    Ending.follow(upstream, on: { producer.relay(to: sink, in: run) }, with: ()) {
                                        go, _ in
                                        go()
                                    }
                                } else {
                                    producer.relay(to: sink, in: run)
                                }
                            }
                        },
                        absorbsInterruption: absorbsInterruption),
                    in: upstream)
            })
    }
}

/// A producer that takes the place of another one, and where it sends. Not a tuple, with which Swift 6.3.1 crashes.
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

/// What comes after the end of a producer that another one follows.
@usableFromInline
enum Continuation<Value, Error: Swift.Error> {
    case end(Termination<Error>)
    case goOn(SignalProducer<Value, Error>, Sink<Value, Error>)
}

extension SignalProducer where Error == Never {
    /// This producer, with an error that doesn't happen.
    @inlinable
    func promoted<F>() -> SignalProducer<Value, F> {
        switch origin {
        case .value(let value): SignalProducer<Value, F>(origin: .value(value))
        case .empty: SignalProducer<Value, F>(origin: .empty)
        case .recipe:
            fuse { sink in
                Sink(
                    value: sink.onValue, termination: { sink.onTermination($0.promoted()) },
                    absorbsInterruption: sink.absorbsInterruption)
            }
        }
    }
}

extension Termination where Error == Never {
    /// This end, with an error that doesn't happen.
    @inlinable
    func promoted<F>() -> Termination<F> {
        switch self {
        case .completed: .completed
        case .interrupted: .interrupted
        }
    }
}
