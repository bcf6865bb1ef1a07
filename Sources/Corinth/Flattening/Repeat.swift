/// Starts a producer again after each termination that `repeats` accepts.
@usableFromInline
final class Rounds<Value, Error: Swift.Error>: @unchecked Sendable {  // Rounds run one at a time.
    @usableFromInline let source: SignalProducer<Value, Error>
    @usableFromInline let sink: Sink<Value, Error>

    /// Returns whether another round follows a termination.
    @usableFromInline let repeats: (Termination<Error>) -> Bool

    @inlinable
    init(
        _ source: SignalProducer<Value, Error>, to sink: Sink<Value, Error>,
        while repeats: @escaping (Termination<Error>) -> Bool
    ) {
        self.source = source
        self.sink = sink
        self.repeats = repeats
    }

    /// Starts a round.
    @inlinable
    func next() {
        let run = ProducerRun()
        let entry = sink.shared?.resources.add(run)
        if run.isDisposed { return }
        source.begin(
            unsafe Sink(
                value: sink.onValue,
                termination: { termination in
                    run.dispose()
                    entry?.dispose()
                    if self.repeats(termination) {
                        // On the trampoline: rounds that end at once don't nest.
                        Trampoline.run(on: self, with: ()) { rounds, _ in rounds.next() }
                    } else {
                        self.sink.onTermination(termination)
                    }
                }, boundary: sink.boundary),
            run)
    }
}

extension SignalProducer {
    /// Starts this producer `count` times, each time after it has completed.
    ///
    /// Completes after the last round. A failure or an interruption ends it. If `count` is 0, completes at once.
    ///
    /// - Parameter count: The number of rounds. At least 0.
    /// - Complexity: Constant stack depth and memory for any number of rounds (law [P4](doc:Contracts#P4-Constant-stack)).
    @inlinable
    public func `repeat`(_ count: Int) -> SignalProducer<Value, Error> {
        precondition(count >= 0, "count is \(count), but must be at least 0")
        if count == 0 { return .empty }
        if count == 1 { return self }
        return SignalProducer(
            over: depth,
            boundary: { _, sink, run in
                let left = OperatorState(count)
                let rounds = Rounds(self, to: sink.behindBoundary(in: run)) { termination in
                    guard case .completed = termination else { return false }
                    left.value -= 1
                    return left.value > 0
                }
                rounds.next()
            })
    }
}
