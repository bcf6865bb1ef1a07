extension Valve {
    /// The way in for what replaces the source with its first event, which closes the valve.
    ///
    /// - Parameter replaced: What the source is connected until.
    @inlinable
    func replacement(_ replaced: CompositeDisposable) -> Sink<Next.Value, Next.Error> {
        let strand = strand
        return Sink(
            value: { value in
                if strand.tryEnter() {
                    self.replace(replaced)
                    if !self.isTerminated { self.next.receive(value) }
                    strand.leave()
                } else {
                    strand.queue(value, for: self) { valve, value in
                        valve.replace(replaced)
                        if !valve.isTerminated { valve.next.receive(value) }
                    }
                }
            },
            termination: { termination in
                strand.perform(on: self, with: termination) { valve, termination in
                    valve.replace(replaced)
                    valve.terminate(termination)
                }
            })
    }

    /// Lets go of the source, once. Called by the owner of the strand.
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
    /// The ways in for the source, which is connected until `replaced` is disposed of, and for the replacement.
    @inlinable
    static func valve<Next: Receiver>(
        _ output: JoinOutput<Next>, _ replaced: CompositeDisposable
    ) -> (source: Sink<Next.Value, Next.Error>, replacement: Sink<Next.Value, Next.Error>) {
        output.resources.add(replaced)
        let valve = Valve(output, isOpen: true)
        let source = valve.source { valve, termination in
            guard valve.isOpen else { return }
            if case .completed = termination { return }
            valve.terminate(termination)
        }
        return (source, valve.replacement(replaced))
    }
}

extension Signal {
    /// Passes on the events until a replacement sends its first event, and those of the replacement from there on.
    ///
    /// The completion of this signal is not passed on: the replacement is waited for. Its failure and its interruption are,
    /// before the replacement's first event.
    ///
    /// - Parameter replacement: What takes over. If its first event is its end, the result ends like that.
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has a strand of its own: the signals may send on different threads at once.
    @inlinable
    public func take(untilReplacement replacement: Signal<Value, Error>) -> Signal<Value, Error> {
        .joining { output in
            let replaced = CompositeDisposable()
            let ports = TakeUntilReplacement.valve(output, replaced)
            connect(to: ports.source, until: replaced)
            replacement.connect(to: ports.replacement, until: output.resources)
        }
    }
}

extension SignalProducer {
    /// Passes on the events until a replacement sends its first event, which cancels this, and those of the replacement
    /// from there on. See ``Signal/take(untilReplacement:)``.
    ///
    /// - Parameter replacement: Starts first. If it sends meanwhile, this isn't started.
    @inlinable
    public func take(
        untilReplacement replacement: SignalProducer<Value, Error>
    ) -> SignalProducer<Value, Error> {
        .joining { output in
            let replaced = CompositeDisposable()
            let ports = TakeUntilReplacement.valve(output, replaced)
            replacement.connect(to: ports.replacement, until: output.resources)
            connect(to: ports.source, until: replaced)
        }
    }

    /// Passes on the events until a replacement sends its first event, which cancels this, and those of the replacement
    /// from there on. See ``Signal/take(untilReplacement:)``.
    @inlinable
    public func take<Replacement: SignalProducerConvertible>(
        untilReplacement replacement: Replacement
    ) -> SignalProducer<Value, Error>
    where Replacement.Value == Value, Replacement.Error == Error {
        take(untilReplacement: replacement.producer)
    }
}
