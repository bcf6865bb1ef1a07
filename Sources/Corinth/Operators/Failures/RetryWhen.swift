/// The kernel of `retry(when:)`: starts a producer again when another stream sends. A strand serialises both, so rounds
/// don't nest.
@usableFromInline
final class RetryWhen<Value, Error: Swift.Error>: @unchecked Sendable {  // Owned by the strand's owner.
    @usableFromInline let strand = Strand()
    @usableFromInline let source: SignalProducer<Value, Error>
    @usableFromInline let input: ProducerInput<Value, Error>
    @usableFromInline let errors: Signal<Error, Never>.Observer

    /// The failure that waits for an answer.
    @safe @exclusivity(unchecked)
    @usableFromInline var waiting: Error?

    /// Whether the stream of answers has ended.
    @safe @exclusivity(unchecked)
    @usableFromInline var isExhausted = false

    @inlinable
    init(
        _ source: SignalProducer<Value, Error>, to input: ProducerInput<Value, Error>,
        telling errors: Signal<Error, Never>.Observer
    ) {
        self.source = source
        self.input = input
        self.errors = errors
    }

    /// Starts the first round.
    @inlinable
    func begin() {
        strand.perform(on: self, with: ()) { retry, _ in retry.start() }
    }

    @inlinable
    func start() {
        let input = input
        let sink = Sink<Value, Error>(
            value: { input.send($0) },
            termination: { termination in
                self.strand.perform(on: self, with: termination) { retry, termination in retry.end(termination) }
            })
        source.connect(to: sink, until: input.resources)
    }

    @inlinable
    func end(_ termination: Termination<Error>) {
        guard case .failed(let error) = termination, !isExhausted else {
            input.send(termination)
            return
        }
        waiting = error
        errors.send(value: error)
    }

    /// Starts the next round if a failure waits for an answer.
    @inlinable
    func answer() {
        strand.perform(on: self, with: ()) { retry, _ in
            if retry.waiting.take() != nil { retry.start() }
        }
    }

    /// Handles the termination of the stream of answers.
    @inlinable
    func endAnswers(_ termination: Termination<Error>) {
        strand.perform(on: self, with: termination) { retry, termination in
            retry.isExhausted = true
            if case .failed = termination {
                retry.input.send(termination)
            } else if let error = retry.waiting.take() {
                retry.input.send(.failed(error))
            }
        }
    }
}

extension SignalProducer {
    /// Starts the source again after a failure, when another stream sends a value.
    ///
    /// ```swift
    /// download.retry { errors in errors.filter(\.isTransient).delay(5, on: QueueScheduler.main) }
    /// ```
    ///
    ///     source  a#
    ///     answer   --x
    ///     result  a--a#…
    ///
    /// Any other termination of the source is forwarded. If the other stream has completed or been interrupted, the waiting
    /// failure or the next one is forwarded. If the other stream fails, the result fails at once with its error.
    ///
    /// - Parameter answers: Makes the stream of answers for each start. It receives a signal of the failures' errors. A
    ///   value while no failure waits is ignored.
    /// - Complexity: Constant stack depth for any number of retries (law [P4](doc:Contracts#P4-Constant-stack)).
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func retry<Answers: SignalProducerConvertible>(
        when answers: @escaping @Sendable (Signal<Error, Never>) -> Answers
    ) -> SignalProducer<Value, Error> where Answers.Error == Error {
        retrying { errors in
            answers(errors).producer.fuse { sink in
                Sink(value: { _ in sink.onValue(()) }, termination: sink.onTermination)
            }
        }
    }

    /// Starts the source again after a failure, when another stream, which can't fail, sends a value. See ``retry(when:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func retry<Answers: SignalProducerConvertible>(
        when answers: @escaping @Sendable (Signal<Error, Never>) -> Answers
    ) -> SignalProducer<Value, Error> where Answers.Error == Never {
        retrying { errors in
            answers(errors).producer.promoted().fuse { sink in
                Sink(value: { _ in sink.onValue(()) }, termination: sink.onTermination)
            }
        }
    }

    @inlinable
    func retrying(
        _ answers: @escaping @Sendable (Signal<Error, Never>) -> SignalProducer<Void, Error>
    ) -> SignalProducer<Value, Error> {
        SignalProducer(
            over: depth,
            boundary: { _, sink, run in
                let input = ProducerInput(to: sink, in: run)
                let (signal, errors) = Signal<Error, Never>.pipe()
                let retry = RetryWhen(self, to: input, telling: errors)
                let sink = Sink<Void, Error>(value: { retry.answer() }, termination: { retry.endAnswers($0) })
                answers(signal).connect(to: sink, until: input.resources)
                retry.begin()
            })
    }
}
