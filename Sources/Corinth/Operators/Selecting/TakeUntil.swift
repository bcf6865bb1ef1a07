@usableFromInline
enum TakeUntil {
    /// The inputs for the source and for the trigger.
    @inlinable
    static func gate<Next: Receiver>(
        _ output: JoinOutput<Next>
    ) -> (source: Sink<Next.Value, Next.Error>, trigger: Sink<Void, Never>) {
        let gate = Gate(output, isOpen: true)
        return (
            gate.source { gate, termination in gate.terminate(termination) },
            gate.trigger { gate in gate.terminate(.completed) }
        )
    }
}

extension Signal {
    /// Forwards events until a trigger sends a value or completes, and then completes.
    ///
    /// The result also ends with this signal. A trigger that is interrupted or has already ended never fires.
    ///
    /// - Parameter trigger: The trigger. Released when the result ends.
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has its own strand. The trigger may fire on any thread. A value that is being delivered at that time is
    /// the last one.
    @inlinable
    public func take(until trigger: Signal<(), Never>) -> Signal<Value, Error> {
        .joining { output in
            let inputs = TakeUntil.gate(output)
            connect(to: inputs.source, until: output.resources)
            trigger.connect(to: inputs.trigger, until: output.resources)
        }
    }
}

extension SignalProducer {
    /// Forwards events until a trigger sends a value or completes, and then completes and disposes of both producers.
    /// See `take(until:)` of ``Signal``.
    ///
    /// - Parameter trigger: The trigger. It is started first. If it fires during its start, this producer isn't started.
    @inlinable
    public func take(until trigger: SignalProducer<(), Never>) -> SignalProducer<Value, Error> {
        .joining { output in
            let inputs = TakeUntil.gate(output)
            trigger.connect(to: inputs.trigger, until: output.resources)
            connect(to: inputs.source, until: output.resources)
        }
    }

    /// Forwards events until a trigger sends a value or completes, and then completes and disposes of both producers.
    /// See `take(until:)` of ``Signal``.
    @inlinable
    public func take<Trigger: SignalProducerConvertible>(
        until trigger: Trigger
    ) -> SignalProducer<Value, Error>
    where Trigger.Value == (), Trigger.Error == Never {
        take(until: trigger.producer)
    }
}
