/// Passes on the values of all sources. Completes when all have completed. Fails at once when one of them fails.
@usableFromInline
final class Merge<Next: Receiver>: Join<Next>, @unchecked Sendable {  // See the superclass.
    /// Whether an interruption of a source interrupts the result. Otherwise it counts as a completion.
    @usableFromInline let passesInterruption: Bool

    @inlinable
    override init(_ output: JoinOutput<Next>, sources: Int) {
        passesInterruption = false
        super.init(output, sources: sources)
        if sources == 0 { strand.perform(on: self, with: ()) { merge, _ in merge.terminate(.completed) } }
    }

    /// - Parameter output: The output. Interruptions of a source are passed on to it.
    @inlinable
    init(interruptible output: JoinOutput<Next>, sources: Int) {
        passesInterruption = true
        super.init(output, sources: sources)
    }

    /// Interrupts the result. Called by any thread.
    @inlinable
    func interrupt() {
        strand.performAtOnce(on: self, with: ()) { merge, _ in merge.terminate(.interrupted) }
    }

    /// The input for any of the sources. Its closures capture this alone, so nothing is allocated for them.
    @inlinable
    var input: Sink<Next.Value, Next.Error> {
        Sink(
            value: { value in self.send(value, to: self, self.forward(value)) { $0.forward($1) } },
            termination: { termination in
                self.perform(on: self, with: termination) { merge, termination in
                    if case .interrupted = termination, !merge.passesInterruption {
                        merge.endSource(.completed)
                    } else {
                        merge.endSource(termination)
                    }
                }
            })
    }
}

extension Signal {
    /// Passes on the values of all signals, in the order of arrival.
    ///
    /// Completes when all have completed or were interrupted. Fails when one of them fails.
    ///
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has its own strand: the signals may send on different threads at the same time.
    @inlinable
    public static func merge<Signals: Sequence>(_ signals: Signals) -> Signal<Value, Error>
    where Signals.Element == Signal<Value, Error> {
        let signals = Array(signals)
        return joining { output in
            let merge = Merge(output, sources: signals.count)
            connect(signals, until: output.resources) { _ in merge.input }
        }
    }

    /// Passes on the values of all signals. See ``merge(_:)-(Signals)``.
    @inlinable
    public static func merge(_ signals: Signal...) -> Signal {
        merge(signals)
    }

    /// Passes on the values of both signals. See ``merge(_:)-(Signals)``.
    @inlinable
    public func merge(with other: Signal) -> Signal {
        Signal.merge([self, other])
    }
}

extension SignalProducer {
    /// Starts all producers and passes on their values in the order of arrival.
    ///
    /// Completes when all have completed or were interrupted. Fails when one of them fails, which cancels the others.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public static func merge<Producers: Sequence>(_ producers: Producers) -> SignalProducer<Value, Error>
    where
        Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Error
    {
        let producers = producers.map(\.producer)
        return joining { output in
            // The list of the producers counts as a source, too: it ends when the last one's start has returned.
            let merge = Merge(output, sources: producers.count + 1)
            for producer in producers { producer.connect(to: merge.input, until: output.resources) }
            merge.input.onTermination(.completed)
        }
    }

    /// Starts both producers, and passes on their values. See ``merge(_:)``.
    @inlinable
    public func merge(with other: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        SignalProducer.merge([self, other])
    }

    /// Starts both, and passes on their values. See ``merge(_:)``.
    @inlinable
    public func merge<Other: SignalProducerConvertible>(with other: Other) -> SignalProducer<Value, Error>
    where Other.Value == Value, Other.Error == Error {
        merge(with: other.producer)
    }
}
