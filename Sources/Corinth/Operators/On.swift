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
    /// Runs closures for the events that pass, each before the event is passed on.
    ///
    /// Of one event, `event` hears first, then the closure for its kind, then `terminated`. After the observers have been
    /// told of the end, `disposed` runs. A closure runs once for each event, however many observe the result (law S2).
    ///
    /// - Parameters:
    ///   - event: Gets every event.
    ///   - failed: Gets the error.
    ///   - completed: Runs on completion.
    ///   - interrupted: Runs on interruption; at once, if this has ended.
    ///   - terminated: Runs whichever way it ends.
    ///   - disposed: Runs once, after the end, or when nobody can observe the result any more (law S3).
    ///   - value: Gets every value.
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The closures for events run where the source delivers, one at a time. `disposed` runs on the thread that ends the
    /// result, or gives it up.
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
    /// Runs closures around each start, and for the events that pass. See
    /// ``Signal/on(event:failed:completed:interrupted:terminated:disposed:value:)``.
    ///
    /// Of several in a row, the last one's `starting` runs first, and its `started` last.
    ///
    /// - Parameters:
    ///   - starting: Runs before the start.
    ///   - started: Runs when the start has returned; if the source is synchronous, that is after its end.
    ///   - event: Gets every event.
    ///   - failed: Gets the error.
    ///   - completed: Runs on completion.
    ///   - interrupted: Runs on interruption, such as by disposal.
    ///   - terminated: Runs whichever way it ends.
    ///   - disposed: Runs once for each start, after its end.
    ///   - value: Gets every value.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    @preconcurrency
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
        SignalProducer(
            over: depth,
            recipe: { [recipe] sink, run in
                starting?()
                let kernel = On.kernel(
                    into: sink, event: event, failed: failed, completed: completed, interrupted: interrupted,
                    terminated: terminated, disposed: disposed, value: value)
                recipe(disposed == nil ? kernel : kernel.ending(run), run)
                started?()
            })
    }
}
