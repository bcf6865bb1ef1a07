@usableFromInline
enum TakeUntil {
    /// The ways in for the source and for the trigger.
    @inlinable
    static func valve<Next: Receiver>(
        _ output: JoinOutput<Next>
    ) -> (source: Sink<Next.Value, Next.Error>, trigger: Sink<Void, Never>) {
        let valve = Valve(output, isOpen: true)
        return (
            valve.source { valve, termination in valve.terminate(termination) },
            valve.trigger { valve in valve.terminate(.completed) }
        )
    }
}

extension Signal {
    /// Passes on the events until a trigger sends a value or completes; then it completes.
    ///
    /// It also ends as this signal does. A trigger that is interrupted, or had ended before, never fires.
    ///
    /// - Parameter trigger: Let go of when the result ends.
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has a strand of its own: the trigger may fire on any thread. A value that is being delivered then is the
    /// last one.
    @inlinable
    public func take(until trigger: Signal<(), Never>) -> Signal<Value, Error> {
        .joining { output in
            let ports = TakeUntil.valve(output)
            connect(to: ports.source, until: output.resources)
            trigger.connect(to: ports.trigger, until: output.resources)
        }
    }
}

extension SignalProducer {
    /// Passes on the events until a trigger sends a value or completes; then it completes and cancels both. See
    /// `take(until:)` of ``Signal``.
    ///
    /// - Parameter trigger: Starts first. If it fires meanwhile, this isn't started.
    @inlinable
    public func take(until trigger: SignalProducer<(), Never>) -> SignalProducer<Value, Error> {
        .joining { output in
            let ports = TakeUntil.valve(output)
            trigger.connect(to: ports.trigger, until: output.resources)
            connect(to: ports.source, until: output.resources)
        }
    }

    /// Passes on the events until a trigger sends a value or completes; then it completes and cancels both. See
    /// `take(until:)` of ``Signal``.
    @inlinable
    public func take<Trigger: SignalProducerConvertible>(
        until trigger: Trigger
    ) -> SignalProducer<Value, Error>
    where Trigger.Value == (), Trigger.Error == Never {
        take(until: trigger.producer)
    }
}
