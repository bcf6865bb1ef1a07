extension Sink {
    /// This sink, with an upstream run that ends when this sink does.
    @inlinable @inline(__always)
    func ending(_ upstream: ProducerRun, within run: ProducerRun) -> Sink {
        let entry = run.hold(upstream)
        return Sink(
            value: onValue,
            termination: { termination in
                onTermination(termination)
                upstream.dispose()
                run.release(entry)
            })
    }
}

extension SignalProducer {
    /// Applies an operator's kernel: adds one closure between source and sink, or nothing: see ``RecipeSource``.
    @inlinable @inline(__always)
    func fuse<U, F>(
        _ kernel: @escaping @Sendable (Sink<U, F>) -> Sink<Value, Error>
    ) -> SignalProducer<U, F> {
        let (recipe, source) = content
        return SignalProducer<U, F>(
            over: depth, from: source, recipe: { source, sink, run in recipe(source, kernel(sink), run) })
    }

    /// Like ``fuse(_:)``, for an operator that may end before its source does. Its upstream has its own run, which ends
    /// when the operator does, even if downstream stages still have events to deliver.
    @inlinable @inline(__always)
    func fuseEnding<U, F>(
        _ kernel: @escaping @Sendable (Sink<U, F>) -> Sink<Value, Error>
    ) -> SignalProducer<U, F> {
        let (recipe, source) = content
        return SignalProducer<U, F>(
            over: depth, from: source,
            recipe: { source, sink, run in
                let upstream = ProducerRun(upstreamOf: run)
                recipe(source, kernel(sink.ending(upstream, within: run)), upstream)
            })
    }

    /// Applies an operator on signals to each start of this producer (law [P3](doc:Contracts#P3-The-same-operators)).
    ///
    /// - Parameter transform: Receives the signal of a start, and returns the signal of the result's start.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func lift<U, F>(
        _ transform: @escaping @Sendable (Signal<Value, Error>) -> Signal<U, F>
    ) -> SignalProducer<U, F> {
        SignalProducer<U, F>(
            over: depth,
            boundary: { _, sink, run in
                // A disposal interrupts here, and not at a stage in which the operator queues it.
                let input = ProducerInput(to: sink, in: run)
                startSignal { signal, interruption in
                    input.resources.add(interruption)
                    input.follow(transform(signal))
                }
            })
    }

    /// Applies an operator on two signals to each start of this producer and of another one (law
    /// [P3](doc:Contracts#P3-The-same-operators)).
    ///
    /// The other producer is started first. Both are disposed of with the result.
    ///
    /// - Parameter transform: Receives the signal of a start of this producer, then that of a start of the other. Returns
    ///   the signal of the result's start.
    /// - Returns: A function that takes the other producer and returns the result.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func lift<U, F, V, G>(
        _ transform: @escaping @Sendable (Signal<Value, Error>) -> (Signal<U, F>) -> Signal<V, G>
    ) -> (SignalProducer<U, F>) -> SignalProducer<V, G> {
        { other in
            SignalProducer<V, G>(
                over: .deepest(depth, other.depth),
                boundary: { _, sink, run in
                    let input = ProducerInput(to: sink, in: run)
                    startSignal { signal, interruption in
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
