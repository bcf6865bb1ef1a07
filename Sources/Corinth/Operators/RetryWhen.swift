/// Starts a producer again whenever another stream says so. Its strand serialises the two, so that rounds don't nest.
@usableFromInline
final class RetryWhen<Value, Error: Swift.Error>: @unchecked Sendable {  // Owned by whoever owns the strand.
    @usableFromInline let strand = Strand()
    @usableFromInline let source: SignalProducer<Value, Error>
    @usableFromInline let input: ProducerInput<Value, Error>
    @usableFromInline let errors: Signal<Error, Never>.Observer

    /// The failure that waits to be answered.
    @safe @exclusivity(unchecked)
    @usableFromInline var waiting: Error?

    /// Whether no failure will be answered any more.
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

    /// Answers the failure that waits.
    @inlinable
    func answer() {
        strand.perform(on: self, with: ()) { retry, _ in
            if retry.waiting.take() != nil { retry.start() }
        }
    }

    /// Takes the end of the stream of answers.
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
    /// Starts the source again, when it has failed, as soon as another stream says so.
    ///
    /// ```swift
    /// download.retry { errors in errors.filter(\.isTransient).delay(5, on: QueueScheduler.main) }
    /// ```
    ///
    ///     source  a#
    ///     answer   --x
    ///     result  a--a#…
    ///
    /// Any other end of the source is passed on. When the other stream has completed or been interrupted, the failure that
    /// waits, or else the next one, is passed on; when it fails, the result fails so at once.
    ///
    /// - Parameter answers: Makes, for each start, the stream whose values answer the failures, of a signal of the failures.
    ///   Values that answer nothing are ignored.
    /// - Complexity: Constant stack, however often (law P4).
    @inlinable
    @preconcurrency
    public func retry<Answers: SignalProducerConvertible>(
        when answers: @escaping @Sendable (Signal<Error, Never>) -> Answers
    ) -> SignalProducer<Value, Error> where Answers.Error == Error {
        retrying { errors in
            answers(errors).producer.fuse { sink in
                Sink(value: { _ in sink.onValue(()) }, termination: sink.onTermination)
            }
        }
    }

    /// Starts the source again, when it has failed, as soon as another stream says so, which can't fail.
    /// See ``retry(when:)``.
    @inlinable
    @preconcurrency
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
            recipe: { sink, run in
                let input = ProducerInput(to: sink, in: run)
                let (signal, errors) = Signal<Error, Never>.pipe()
                let retry = RetryWhen(self, to: input, telling: errors)
                let sink = Sink<Void, Error>(value: { retry.answer() }, termination: { retry.endAnswers($0) })
                answers(signal).connect(to: sink, until: input.resources)
                retry.begin()
            })
    }
}
