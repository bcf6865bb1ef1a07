/// The kernel of `sample`: sends the latest value of a source together with each value of a sampler.
///
/// It completes when both have completed. A failure or an interruption of either ends it at once (law E6).
@usableFromInline
final class Sample<Next: Receiver, Value, Sampling>: Join<Next>, @unchecked Sendable  // As its superclass.
where Next.Value == (Value, Sampling) {
    /// Owned by the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline var latest: Value?

    @inlinable
    init(_ output: JoinOutput<Next>) {
        latest = nil
        super.init(output, sources: 2)
    }

    @inlinable @inline(__always)
    func sample(_ sampling: Sampling) {
        if let latest, !isTerminated { next.receive((latest, sampling)) }
    }

    /// The input for the source's events.
    @inlinable
    var source: Sink<Value, Next.Error> {
        let strand = strand
        return Sink(
            value: { value in strand.send(value, to: self, self.latest = value) { $0.latest = $1 } },
            termination: { strand.perform(on: self, with: $0) { $0.endSource($1) } })
    }

    /// The input for the sampler's events.
    @inlinable
    var sampler: Sink<Sampling, Never> {
        let strand = strand
        return Sink(
            value: { sampling in strand.send(sampling, to: self, self.sample(sampling)) { $0.sample($1) } },
            termination: { termination in
                strand.perform(on: self, with: termination) { sample, termination in
                    switch termination {
                    case .completed: sample.endSource(.completed)
                    case .interrupted: sample.endSource(.interrupted)
                    }
                }
            })
    }
}

extension Signal {
    /// Whenever the sampler sends, sends the latest value together with the sampler's. Before the first value, sends nothing.
    ///
    /// Completes when both have completed. Fails when this signal fails. Is interrupted when either is interrupted.
    ///
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has its own strand. Both signals may send on different threads at the same time.
    @inlinable
    public func sample<T>(with sampler: Signal<T, Never>) -> Signal<(Value, T), Error> {
        .joining { output in
            let sample = Sample(output)
            connect(to: sample.source, until: output.resources)
            sampler.connect(to: sample.sampler, until: output.resources)
        }
    }

    /// Sends the latest value whenever the sampler sends. Before the first value, sends nothing. See ``sample(with:)``.
    @inlinable
    public func sample(on sampler: Signal<(), Never>) -> Signal<Value, Error> {
        sample(with: sampler).map { $0.0 }
    }
}

extension SignalProducer {
    /// Whenever the sampler sends, sends the latest value together with the sampler's. See ``Signal/sample(with:)``.
    ///
    /// - Parameter sampler: The sampler. It is started after this producer.
    @inlinable
    public func sample<T>(with sampler: SignalProducer<T, Never>) -> SignalProducer<(Value, T), Error> {
        .joining { output in
            let sample = Sample(output)
            connect(to: sample.source, until: output.resources)
            sampler.connect(to: sample.sampler, until: output.resources)
        }
    }

    /// Whenever the sampler sends, sends the latest value together with the sampler's. See ``Signal/sample(with:)``.
    @inlinable
    public func sample<Sampler: SignalProducerConvertible>(
        with sampler: Sampler
    ) -> SignalProducer<(Value, Sampler.Value), Error>
    where Sampler.Error == Never {
        sample(with: sampler.producer)
    }

    /// Sends the latest value whenever the sampler sends. See ``Signal/sample(with:)``.
    @inlinable
    public func sample(on sampler: SignalProducer<(), Never>) -> SignalProducer<Value, Error> {
        sample(with: sampler).map { $0.0 }
    }

    /// Sends the latest value whenever the sampler sends. See ``Signal/sample(with:)``.
    @inlinable
    public func sample<Sampler: SignalProducerConvertible>(on sampler: Sampler) -> SignalProducer<Value, Error>
    where Sampler.Value == (), Sampler.Error == Never {
        sample(on: sampler.producer)
    }
}
