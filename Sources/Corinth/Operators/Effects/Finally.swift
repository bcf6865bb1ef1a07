extension Signal {
    /// Runs `action` once, after the observers have received the termination, or when the result can no longer be observed
    /// (law [S3](doc:Contracts#S3-Lifetime)).
    ///
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// `action` runs on the thread that ends or releases the result. If this signal has already ended, it runs at once.
    @inlinable
    public func finally(_ action: sending @escaping () -> Void) -> Signal<Value, Error> {
        derive(until: CompositeDisposable([AnyDisposable(action)])) {
            Sink(value: $0.onValue, termination: $0.onTermination)
        }
    }
}

extension SignalProducer {
    /// Runs `action` once for each start, after the termination has been delivered, or when the start is disposed of.
    ///
    /// Unlike `on(disposed:)`, it doesn't wait for an interruption that is queued on a scheduler.
    ///
    /// - Complexity: Adds no work per value.
    /// ## Concurrency
    /// `action` runs on the thread that delivers the termination, or on the thread that disposes of the start.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func finally(_ action: @escaping @Sendable () -> Void) -> SignalProducer<Value, Error> {
        let (recipe, source) = content
        return SignalProducer(
            over: depth, from: source,
            recipe: { source, sink, run in
                let upstream = ProducerRun(upstreamOf: run)
                // Disposal interrupts the source first.
                let cleanup = AnyDisposable {
                    upstream.dispose()
                    action()
                }
                let entry = run.hold(cleanup)
                if upstream.isDisposed {
                    sink.onTermination(.interrupted)
                    return
                }
                recipe(
                    source,
                    Sink(
                        value: sink.onValue,
                        termination: { termination in
                            sink.onTermination(termination)
                            cleanup.dispose()
                            run.release(entry)
                        }),
                    upstream)
            })
    }
}
