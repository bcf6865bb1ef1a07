@usableFromInline
enum SkipUntil {
    /// The ways in for the source and for the trigger, which is connected until `waiting` is disposed of.
    @inlinable
    static func valve<Next: Receiver>(
        _ output: JoinOutput<Next>, _ waiting: CompositeDisposable
    ) -> (source: Sink<Next.Value, Next.Error>, trigger: Sink<Void, Never>) {
        let valve = Valve(output, isOpen: false)
        let handle = output.resources.add(waiting)
        return (
            valve.source { valve, termination in valve.terminate(termination) },
            valve.trigger { valve in
                valve.isOpen = true
                waiting.dispose()
                handle?.dispose()
            }
        )
    }
}

extension Signal {
    /// Drops the values that come before a trigger sends a value or completes, and passes on all that come after it.
    ///
    /// It ends as this signal does, whether or not the trigger has fired (law E6). A trigger that is interrupted, or had
    /// ended before, never fires.
    ///
    /// - Parameter trigger: Let go of when it has fired.
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has a strand of its own: the trigger may fire on any thread.
    @inlinable
    public func skip(until trigger: Signal<(), Never>) -> Signal<Value, Error> {
        .joining { output in
            let waiting = CompositeDisposable()
            let ports = SkipUntil.valve(output, waiting)
            trigger.connect(to: ports.trigger, until: waiting)
            connect(to: ports.source, until: output.resources)
        }
    }
}

extension SignalProducer {
    /// Drops the values that come before a trigger sends a value or completes. See ``Signal/skip(until:)``.
    ///
    /// - Parameter trigger: Starts first, and is cancelled when it has fired.
    @inlinable
    public func skip(until trigger: SignalProducer<(), Never>) -> SignalProducer<Value, Error> {
        .joining { output in
            let waiting = CompositeDisposable()
            let ports = SkipUntil.valve(output, waiting)
            trigger.connect(to: ports.trigger, until: waiting)
            connect(to: ports.source, until: output.resources)
        }
    }

    /// Drops the values that come before a trigger sends a value or completes. See ``Signal/skip(until:)``.
    @inlinable
    public func skip<Trigger: SignalProducerConvertible>(
        until trigger: Trigger
    ) -> SignalProducer<Value, Error>
    where Trigger.Value == (), Trigger.Error == Never {
        skip(until: trigger.producer)
    }
}
