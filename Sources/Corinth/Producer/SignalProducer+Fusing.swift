extension Sink {
    /// This, for what disposes of something after the end of a run: see ``Ending``.
    @inlinable
    func ending(_ run: ProducerRun) -> Sink {
        let onTermination = onTermination
        return Sink(
            value: onValue,
            termination: { termination in
                let outer = Ending.begin(run)
                onTermination(termination)
                Ending.end(outer)
            }, absorbsInterruption: absorbsInterruption)
    }

    /// This, with the run of what is upstream of it, which ends when this does.
    @inlinable @inline(__always)
    func ending(_ upstream: ProducerRun, within run: ProducerRun) -> Sink {
        let handle = run.resources.add(upstream)
        return Sink(
            value: onValue,
            termination: { termination in
                let outer = Ending.begin(run, from: upstream)
                onTermination(termination)
                upstream.dispose()
                handle?.dispose()
                Ending.end(outer)
            })
    }
}

extension SignalProducer {
    /// The producer that an operator's kernel makes of this one: another closure between source and sink.
    @inlinable @inline(__always)
    func fuse<U, F>(
        _ kernel: @escaping @Sendable (Sink<U, F>) -> Sink<Value, Error>
    ) -> SignalProducer<U, F> {
        SignalProducer<U, F>(over: depth, recipe: { [recipe] sink, run in recipe(kernel(sink), run) })
    }

    /// The same for an operator that may end before its source does. What is upstream of it has a run of its own, which
    /// ends when the operator does, whatever is still to happen downstream.
    @inlinable @inline(__always)
    func fuseEnding<U, F>(
        _ kernel: @escaping @Sendable (Sink<U, F>) -> Sink<Value, Error>
    ) -> SignalProducer<U, F> {
        SignalProducer<U, F>(
            over: depth,
            recipe: { [recipe] sink, run in
                let upstream = ProducerRun(upstreamOf: run)
                recipe(kernel(sink.ending(upstream, within: run)), upstream)
            })
    }

    /// Applies an operator on signals to each start of this producer (law P3).
    ///
    /// - Parameter transform: Gets the signal of a start, and returns the signal that the start then has.
    @inlinable
    @preconcurrency
    public func lift<U, F>(
        _ transform: @escaping @Sendable (Signal<Value, Error>) -> Signal<U, F>
    ) -> SignalProducer<U, F> {
        // The recipe is all that a start needs, and it may cross threads.
        let recipe = recipe
        return SignalProducer<U, F>(
            over: depth,
            recipe: { sink, run in
                // A disposal interrupts here, and not where the operator has it wait.
                let input = ProducerInput(to: sink, in: run)
                SignalProducer(recipe: recipe).startSignal { signal, interruption in
                    input.resources.add(interruption)
                    input.follow(transform(signal))
                }
            })
    }

    /// Applies an operator on two signals to each start of this producer and of another one (law P3).
    ///
    /// The other producer is started first, and both are cancelled with the result.
    ///
    /// - Parameter transform: Gets the signal of a start of this, then that of a start of the other, and returns the signal that
    ///   the start of the result has.
    /// - Returns: What makes the result of the other producer.
    @inlinable
    @preconcurrency
    public func lift<U, F, V, G>(
        _ transform: @escaping @Sendable (Signal<Value, Error>) -> (Signal<U, F>) -> Signal<V, G>
    ) -> (SignalProducer<U, F>) -> SignalProducer<V, G> {
        let recipe = recipe
        return { other in
            SignalProducer<V, G>(
                over: .deepest(depth, other.depth),
                recipe: { sink, run in
                    let input = ProducerInput(to: sink, in: run)
                    SignalProducer(recipe: recipe).startSignal { signal, interruption in
                        input.resources.add(interruption)
                        other.startSignal { otherSignal, otherInterruption in
                            input.resources.add(otherInterruption)
                            input.follow(transform(signal)(otherSignal))
                        }
                    }
                })
        }
    }
}
