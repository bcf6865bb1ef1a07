extension SignalProducer {
    /// Starts this producer again when it fails, up to `count` times.
    ///
    ///     self      --1--X
    ///     again            --1--2|
    ///     result    --1------1--2|
    ///
    /// The last failure is forwarded.
    ///
    /// - Parameter count: The maximum number of retries. At least 0.
    /// - Complexity: Constant stack depth and memory for any number of retries (law [P4](doc:Contracts#P4-Constant-stack)).
    @inlinable
    public func retry(upTo count: Int) -> SignalProducer<Value, Error> {
        precondition(count >= 0, "count is \(count), but must be at least 0")
        if count == 0 { return self }
        return SignalProducer(
            over: depth,
            boundary: { _, sink, run in
                let left = OperatorState(count)
                let rounds = Rounds(self, to: sink.behindBoundary(in: run)) { termination in
                    guard case .failed = termination, left.value > 0 else { return false }
                    left.value -= 1
                    return true
                }
                rounds.next()
            })
    }
}
