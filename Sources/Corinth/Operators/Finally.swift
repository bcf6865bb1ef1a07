extension Signal {
    /// Runs `action` once, when all is over: after the observers have been told of the end, whichever it was, or when nobody
    /// can observe the result any more (law S3).
    ///
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// `action` runs on the thread that ends the result, or gives it up. On a signal that has ended, it runs at once.
    @inlinable
    @preconcurrency
    public func finally(_ action: sending @escaping () -> Void) -> Signal<Value, Error> {
        derive(until: CompositeDisposable([AnyDisposable(action)])) {
            Sink(value: $0.onValue, termination: $0.onTermination)
        }
    }
}

extension SignalProducer {
    /// Runs `action` once for each start, when all is over: after the end has been delivered, whichever it was, or when the
    /// start is disposed of.
    ///
    /// Unlike `on(disposed:)`, it doesn't wait for an interruption that is still on its way to a scheduler.
    ///
    /// - Complexity: Values don't pass through it.
    /// ## Concurrency
    /// `action` runs on the thread that delivers the end, or on the one that disposes of the start.
    @inlinable
    @preconcurrency
    public func finally(_ action: @escaping @Sendable () -> Void) -> SignalProducer<Value, Error> {
        SignalProducer(
            over: depth,
            recipe: { [recipe] sink, run in
                let upstream = ProducerRun(upstreamOf: run)
                // A disposal interrupts the source first.
                let cleanup = AnyDisposable {
                    upstream.dispose()
                    action()
                }
                let handle = run.resources.add(cleanup)
                if upstream.isDisposed {
                    sink.onTermination(.interrupted)
                    return
                }
                recipe(
                    Sink(
                        value: sink.onValue,
                        termination: { termination in
                            let outer = Ending.begin(run, from: upstream)
                            sink.onTermination(termination)
                            cleanup.dispose()
                            handle?.dispose()
                            Ending.end(outer)
                        }),
                    upstream)
            })
    }
}
