@usableFromInline
enum Materialize {
    @inlinable @inline(__always)
    static func kernel<Value, Error: Swift.Error, Next: StoppableReceiver>(
        into next: Next
    ) -> Sink<Value, Error> where Next.Value == Signal<Value, Error>.Event, Next.Error == Never {
        Sink(
            value: { next.receive(.value($0)) },
            termination: { termination in
                next.receive(Signal<Value, Error>.Event(termination))
                if case .interrupted = termination {
                    next.terminate(.interrupted)
                } else {
                    next.terminate(.completed)
                }
            })
    }

    @inlinable @inline(__always)
    static func reverse<Event: EventProtocol, Next: Receiver>(
        into next: Next
    ) -> Sink<Event, Never> where Next.Value == Event.Value, Next.Error == Event.Error {
        let isEnded = OperatorState(false)
        return Sink(
            value: { value in
                // The source may still send after the end.
                if isEnded.value { return }
                switch value.event {
                case .value(let value):
                    next.receive(value)
                    return
                case .failed(let error):
                    isEnded.value = true
                    next.terminate(.failed(error))
                case .completed:
                    isEnded.value = true
                    next.terminate(.completed)
                case .interrupted:
                    isEnded.value = true
                    next.terminate(.interrupted)
                }
            },
            termination: { if !isEnded.value { next.terminate($0.promoted()) } })
    }
}

extension Signal {
    /// Sends each event as a value, including the termination.
    ///
    /// After the event of a failure or a completion, the result completes. After that of an interruption, it is interrupted.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func materialize() -> Signal<Event, Never> {
        derive { Materialize.kernel(into: $0) }
    }
}

extension Signal where Value: EventProtocol, Error == Never {
    /// Sends the events that the values contain: the reverse of ``materialize()``.
    ///
    /// The result ends with the first value that is a termination, or with its source.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func dematerialize() -> Signal<Value.Value, Value.Error> {
        derive { Materialize.reverse(into: $0) }
    }
}

extension SignalProducer {
    /// Sends each event as a value, including the termination. See ``Signal/materialize()``.
    @inlinable
    public func materialize() -> SignalProducer<ProducedSignal.Event, Never> {
        fuseStoppable { Materialize.kernel(into: $0) }
    }
}

extension SignalProducer where Value: EventProtocol, Error == Never {
    /// Sends the events that the values contain, and disposes of the source when one of them is a termination.
    /// See ``Signal/dematerialize()``.
    @inlinable
    public func dematerialize() -> SignalProducer<Value.Value, Value.Error> {
        fuseEnding(shared { Materialize.reverse(into: $0) })
    }
}
