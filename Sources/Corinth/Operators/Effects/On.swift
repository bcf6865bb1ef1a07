@usableFromInline
enum On {
    @inlinable @inline(__always)
    static func kernel<Next: Receiver>(
        into next: Next,
        event: ((Signal<Next.Value, Next.Error>.Event) -> Void)?,
        failed: ((Next.Error) -> Void)?,
        completed: (() -> Void)?,
        interrupted: (() -> Void)?,
        terminated: (() -> Void)?,
        disposed: (() -> Void)?,
        value: ((Next.Value) -> Void)?
    ) -> Sink<Next.Value, Next.Error> {
        Sink(
            value: { received in
                event?(.value(received))
                value?(received)
                next.receive(received)
            },
            termination: { termination in
                event?(Signal<Next.Value, Next.Error>.Event(termination))
                switch termination {
                case .failed(let error): failed?(error)
                case .completed: completed?()
                case .interrupted: interrupted?()
                }
                terminated?()
                next.terminate(termination)
                disposed?()
            })
    }
}

extension Signal {
    /// Runs closures for events, each before the event is forwarded.
    ///
    /// For one event, `event` runs first, then the closure for its kind, then `terminated`. `disposed` runs after the observers
    /// have received the termination. Each closure runs once per event, independent of the number of observers (law
    /// [S2](doc:Contracts#S2-Once-per-event)).
    ///
    /// - Parameters:
    ///   - event: Receives every event.
    ///   - failed: Receives the error of a failure.
    ///   - completed: Runs on completion.
    ///   - interrupted: Runs on interruption. If this signal has already ended, runs at once.
    ///   - terminated: Runs on any termination.
    ///   - disposed: Runs once, after the end, or when the result can no longer be observed (law [S3](doc:Contracts#S3-Lifetime)).
    ///   - value: Receives every value.
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The closures for events run on the thread on which the source delivers, one at a time. `disposed` runs on the thread
    /// that ends or releases the result.
    @inlinable
    public func on(
        event: sending ((Event) -> Void)? = nil,
        failed: sending ((Error) -> Void)? = nil,
        completed: sending (() -> Void)? = nil,
        interrupted: sending (() -> Void)? = nil,
        terminated: sending (() -> Void)? = nil,
        disposed: sending (() -> Void)? = nil,
        value: sending ((Value) -> Void)? = nil
    ) -> Signal<Value, Error> {
        var resources: CompositeDisposable?
        if let disposed { resources = CompositeDisposable([AnyDisposable(disposed)]) }
        return derive(until: resources) {
            On.kernel(
                into: $0, event: event, failed: failed, completed: completed, interrupted: interrupted,
                terminated: terminated, disposed: nil, value: value)
        }
    }
}

extension SignalProducer {
    /// Runs closures around each start, and for its events. See
    /// ``Signal/on(event:failed:completed:interrupted:terminated:disposed:value:)``.
    ///
    /// In a chain of several, the last one's `starting` runs first, and its `started` runs last.
    ///
    /// - Parameters:
    ///   - starting: Runs before the start.
    ///   - started: Runs when the start has returned. If the source is synchronous, that is after its end.
    ///   - event: Receives every event.
    ///   - failed: Receives the error of a failure.
    ///   - completed: Runs on completion.
    ///   - interrupted: Runs on interruption, for example after disposal.
    ///   - terminated: Runs on any termination.
    ///   - disposed: Runs once for each start, after its end.
    ///   - value: Receives every value.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func on(
        starting: (@Sendable () -> Void)? = nil,
        started: (@Sendable () -> Void)? = nil,
        event: (@Sendable (ProducedSignal.Event) -> Void)? = nil,
        failed: (@Sendable (Error) -> Void)? = nil,
        completed: (@Sendable () -> Void)? = nil,
        interrupted: (@Sendable () -> Void)? = nil,
        terminated: (@Sendable () -> Void)? = nil,
        disposed: (@Sendable () -> Void)? = nil,
        value: (@Sendable (Value) -> Void)? = nil
    ) -> SignalProducer<Value, Error> {
        let (recipe, source) = content
        return SignalProducer(
            over: depth, from: source,
            recipe: { source, sink, run in
                // A start that was disposed of before it began only ends.
                let begins = !run.isDisposed
                if begins { starting?() }
                let kernel = On.kernel(
                    into: sink, event: event, failed: failed, completed: completed, interrupted: interrupted,
                    terminated: terminated, disposed: disposed, value: value)
                recipe(source, kernel, run)
                if begins { started?() }
            })
    }
}
