@usableFromInline
enum SkipUntil {
    /// The inputs for the source and for the trigger. The trigger stays connected until `waiting` is disposed of.
    @inlinable
    static func gate<Next: Receiver>(
        _ output: JoinOutput<Next>, _ waiting: CompositeDisposable
    ) -> (source: Sink<Next.Value, Next.Error>, trigger: Sink<Void, Never>) {
        let gate = Gate(output, isOpen: false)
        let handle = output.resources.add(waiting)
        return (
            gate.source { gate, termination in gate.terminate(termination) },
            gate.trigger { gate in
                gate.isOpen = true
                waiting.dispose()
                handle?.dispose()
            }
        )
    }
}

extension Signal {
    /// Drops values until a trigger sends a value or completes. Forwards all later values.
    ///
    /// The result ends with this signal, even if the trigger has not fired (law [E6](doc:Contracts#E6-Three-ways-to-end)). A
    /// trigger that is interrupted or has already ended never fires.
    ///
    /// - Parameter trigger: The trigger. Released when it has fired.
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has its own strand. The trigger may fire on any thread.
    @inlinable
    public func skip(until trigger: Signal<(), Never>) -> Signal<Value, Error> {
        .joining { output in
            let waiting = CompositeDisposable()
            let inputs = SkipUntil.gate(output, waiting)
            trigger.connect(to: inputs.trigger, until: waiting)
            connect(to: inputs.source, until: output.resources)
        }
    }
}

extension SignalProducer {
    /// Drops values until a trigger sends a value or completes. See ``Signal/skip(until:)``.
    ///
    /// - Parameter trigger: The trigger. It is started before this producer, and disposed of when it has fired.
    @inlinable
    public func skip(until trigger: SignalProducer<(), Never>) -> SignalProducer<Value, Error> {
        .joining { output in
            let waiting = CompositeDisposable()
            let inputs = SkipUntil.gate(output, waiting)
            trigger.connect(to: inputs.trigger, until: waiting)
            connect(to: inputs.source, until: output.resources)
        }
    }

    /// Drops values until a trigger sends a value or completes. See ``Signal/skip(until:)``.
    @inlinable
    public func skip<Trigger: SignalProducerConvertible>(
        until trigger: Trigger
    ) -> SignalProducer<Value, Error>
    where Trigger.Value == (), Trigger.Error == Never {
        skip(until: trigger.producer)
    }
}
