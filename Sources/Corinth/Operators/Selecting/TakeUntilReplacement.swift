extension Gate {
    /// The input for the replacement. Its first event closes the gate and disconnects the source.
    ///
    /// - Parameter replaced: The source stays connected until this is disposed of.
    @inlinable
    func replacement(_ replaced: CompositeDisposable) -> Sink<Next.Value, Next.Error> {
        let strand = strand
        return Sink(
            value: { value in
                strand.send((value, replaced), to: self, self.replace(replaced, sending: value)) {
                    $0.replace($1.1, sending: $1.0)
                }
            },
            termination: { termination in
                strand.perform(on: self, with: termination) { gate, termination in
                    gate.replace(replaced)
                    gate.terminate(termination)
                }
            })
    }

    @inlinable @inline(__always)
    func replace(_ replaced: CompositeDisposable, sending value: Next.Value) {
        replace(replaced)
        forward(value)
    }

    /// Disconnects the source, once. Called by the strand's owner.
    @inlinable @inline(__always)
    func replace(_ replaced: CompositeDisposable) {
        if isOpen {
            isOpen = false
            replaced.dispose()
        }
    }
}

@usableFromInline
enum TakeUntilReplacement {
    /// The inputs for the source and for the replacement. The source stays connected until `replaced` is disposed of.
    @inlinable
    static func gate<Next: Receiver>(
        _ output: JoinOutput<Next>, _ replaced: CompositeDisposable
    ) -> (source: Sink<Next.Value, Next.Error>, replacement: Sink<Next.Value, Next.Error>) {
        output.resources.add(replaced)
        let gate = Gate(output, isOpen: true)
        let source = gate.source { gate, termination in
            guard gate.isOpen else { return }
            if case .completed = termination { return }
            gate.terminate(termination)
        }
        return (source, gate.replacement(replaced))
    }
}

extension Signal {
    /// Forwards events until a replacement sends its first event. Then forwards the events of the replacement.
    ///
    /// The completion of this signal is not forwarded: the result waits for the replacement. A failure or an interruption
    /// of this signal is forwarded if it precedes the replacement's first event.
    ///
    /// - Parameter replacement: The replacement. If its first event is its termination, the result ends with it.
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has its own strand. Both signals may send on different threads at the same time.
    @inlinable
    public func take(untilReplacement replacement: Signal<Value, Error>) -> Signal<Value, Error> {
        .joining { output in
            let replaced = CompositeDisposable()
            let inputs = TakeUntilReplacement.gate(output, replaced)
            connect(to: inputs.source, until: replaced)
            replacement.connect(to: inputs.replacement, until: output.resources)
        }
    }
}

extension SignalProducer {
    /// Forwards events until a replacement sends its first event. Then disposes of this producer and forwards the events of
    /// the replacement. See ``Signal/take(untilReplacement:)``.
    ///
    /// - Parameter replacement: The replacement. It is started first. If it sends an event during its start, this producer
    ///   isn't started.
    @inlinable
    public func take(
        untilReplacement replacement: SignalProducer<Value, Error>
    ) -> SignalProducer<Value, Error> {
        .joining { output in
            let replaced = CompositeDisposable()
            let inputs = TakeUntilReplacement.gate(output, replaced)
            replacement.connect(to: inputs.replacement, until: output.resources)
            connect(to: inputs.source, until: replaced)
        }
    }

    /// Forwards events until a replacement sends its first event. Then disposes of this producer and forwards the events of
    /// the replacement. See ``Signal/take(untilReplacement:)``.
    @inlinable
    public func take<Replacement: SignalProducerConvertible>(
        untilReplacement replacement: Replacement
    ) -> SignalProducer<Value, Error>
    where Replacement.Value == Value, Replacement.Error == Error {
        take(untilReplacement: replacement.producer)
    }
}
