/// Starts a producer over and over, each time when it has ended in a certain way.
@usableFromInline
final class Rounds<Value, Error: Swift.Error>: @unchecked Sendable {  // One round at a time touches it.
    @usableFromInline let source: SignalProducer<Value, Error>
    @usableFromInline let sink: Sink<Value, Error>
    @usableFromInline let run: ProducerRun

    /// Says whether there is another round after an end.
    @usableFromInline let goesOn: (Termination<Error>) -> Bool

    @inlinable
    init(
        _ source: SignalProducer<Value, Error>, to sink: Sink<Value, Error>, in run: ProducerRun,
        while goesOn: @escaping (Termination<Error>) -> Bool
    ) {
        self.source = source
        self.sink = sink
        self.run = run
        self.goesOn = goesOn
    }

    /// Starts a round.
    @inlinable
    func next() {
        if run.isDisposed {
            sink.onTermination(.interrupted)
            return
        }
        let upstream = ProducerRun()
        let handle = run.resources.add(upstream)
        source.begin(
            Sink(
                value: sink.onValue,
                termination: { termination in
                    if self.goesOn(termination) {
                        upstream.dispose()
                        handle?.dispose()
                        // On the trampoline: rounds that end at once don't nest.
                        Trampoline.run(on: self, with: ()) { rounds, _ in rounds.next() }
                    } else {
                        self.sink.onTermination(termination)
                        upstream.dispose()
                        handle?.dispose()
                    }
                }),
            upstream)
    }
}

extension SignalProducer {
    /// Starts this `count` times, each time when it is complete.
    ///
    /// Completes after the last time; a failure or an interruption ends it. Completes at once, if `count` is 0.
    ///
    /// - Parameter count: At least 0.
    /// - Complexity: Constant stack and memory, however often (law P4).
    @inlinable
    public func `repeat`(_ count: Int) -> SignalProducer<Value, Error> {
        precondition(count >= 0, "count is \(count), but must be at least 0")
        if count == 0 { return .empty }
        if count == 1 { return self }
        return SignalProducer(
            over: depth,
            recipe: { sink, run in
                let left = OperatorState(count)
                let rounds = Rounds(self, to: sink, in: run) { termination in
                    guard case .completed = termination else { return false }
                    left.value -= 1
                    return left.value > 0
                }
                rounds.next()
            })
    }
}
