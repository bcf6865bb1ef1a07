extension Sink {
    /// This sink, for a stream whose interruption counts as its completion, unless the whole run is interrupted.
    @inlinable
    func treatingInterruptionAsCompletion(in run: ProducerRun) -> Sink {
        if treatsInterruptionAsCompletion { return self }
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
            treatsInterruptionAsCompletion: true)
    }
}

extension SignalProducer {
    /// Replaces the producer of which `run` is a start, as its last action.
    ///
    /// A recursion through this function needs constant stack depth and memory (law P4).
    @inlinable
    func replaceTail(to sink: Sink<Value, Error>, in run: ProducerRun) {
        StartHolding.continueWithoutUser(from: run)
        Trampoline.run(on: run, with: Successor(producer: self, sink: sink)) { run, next in
            if run.isDisposed {
                next.sink.onTermination(.interrupted)
            } else {
                next.producer.begin(next.sink, run)
            }
        }
    }

    /// Continues with another producer after certain terminations.
    ///
    /// - Parameters:
    ///   - next: Returns the producer and the sink to continue with, or the termination to forward.
    ///   - other: The depth of the recipe that `next` contains.
    ///   - treatsInterruptionAsCompletion: Whether an interruption of this producer counts as its completion.
    ///   - afterDisposal: If true, the next producer is started after this one's resources have been disposed of. If false,
    ///     before.
    ///   - value: Returns the closure that forwards or drops this producer's values.
    @inlinable
    func continued<U, F>(
        by next: @escaping @Sendable (Termination<Error>, Sink<U, F>, ProducerRun) -> Continuation<U, F>,
        or other: RecipeDepth = .none, treatsInterruptionAsCompletion: Bool = false, afterDisposal: Bool = false,
        value: @escaping @Sendable (Sink<U, F>) -> (Value) -> Void
    ) -> SignalProducer<U, F> {
        SignalProducer<U, F>(
            over: .deepest(depth, other),
            recipe: { _, sink, run in
                let upstream = ProducerRun()
                // Called here, on the starting thread: the next producer may be started on another thread.
                let entry = run.hold(upstream)
                replaceTail(
                    to: Sink(
                        value: value(sink),
                        termination: { termination in
                            switch next(termination, sink, run) {
                            case .end(let termination):
                                sink.onTermination(termination)
                                upstream.dispose()
                                run.release(entry)
                            case .start(let producer, let sink):
                                upstream.dispose()
                                run.release(entry)
                                if afterDisposal {
                                    // A closure as the state: Swift 6.3.1 crashes with a tuple of producer and sink.
                                    Ending.follow(upstream, on: { producer.replaceTail(to: sink, in: run) }, with: ()) {
                                        go, _ in
                                        go()
                                    }
                                } else {
                                    producer.replaceTail(to: sink, in: run)
                                }
                            }
                        },
                        treatsInterruptionAsCompletion: treatsInterruptionAsCompletion),
                    in: upstream)
            })
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
    case start(SignalProducer<Value, Error>, Sink<Value, Error>)
}

extension SignalProducer where Error == Never {
    /// This producer with an error type whose errors never occur.
    @inlinable
    func promoted<F>() -> SignalProducer<Value, F> {
        switch origin {
        case .value(let value): SignalProducer<Value, F>(origin: .value(value))
        case .made(let make): SignalProducer<Value, F>(origin: .made(make))
        case .empty: SignalProducer<Value, F>(origin: .empty)
        case .recipe:
            fuse { sink in
                Sink(
                    value: sink.onValue, termination: { sink.onTermination($0.promoted()) },
                    treatsInterruptionAsCompletion: sink.treatsInterruptionAsCompletion)
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
