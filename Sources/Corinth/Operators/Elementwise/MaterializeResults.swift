@usableFromInline
enum MaterializeResults {
    @inlinable @inline(__always)
    static func kernel<Value, Error: Swift.Error, Next: StoppableReceiver>(
        into next: Next
    ) -> Sink<Value, Error> where Next.Value == Result<Value, Error>, Next.Error == Never {
        Sink(
            value: { next.receive(.success($0)) },
            termination: { termination in
                switch termination {
                case .failed(let error):
                    next.receive(.failure(error))
                    next.terminate(.completed)
                case .completed: next.terminate(.completed)
                case .interrupted: next.terminate(.interrupted)
                }
            })
    }

    @inlinable @inline(__always)
    static func reverse<Next: Receiver>(into next: Next) -> Sink<Result<Next.Value, Next.Error>, Never> {
        let isEnded = OperatorState(false)
        return Sink(
            value: { value in
                // The source may still send after the failure.
                if isEnded.value { return }
                switch value {
                case .success(let value): next.receive(value)
                case .failure(let error):
                    isEnded.value = true
                    next.terminate(.failed(error))
                }
            },
            termination: { if !isEnded.value { next.terminate($0.promoted()) } })
    }
}

extension Signal {
    /// Sends each value and the failure as a `Result`.
    ///
    /// After a failure, the result completes. A completion or an interruption is forwarded.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func materializeResults() -> Signal<Result<Value, Error>, Never> {
        derive { MaterializeResults.kernel(into: $0) }
    }
}

extension Signal where Error == Never {
    /// Sends the value of each success, and fails with the first failure: the reverse of ``materializeResults()``.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func dematerializeResults<Success, Failure>() -> Signal<Success, Failure>
    where Value == Result<Success, Failure> {
        derive { MaterializeResults.reverse(into: $0) }
    }
}

extension SignalProducer {
    /// Sends each value and the failure as a `Result`. See ``Signal/materializeResults()``.
    @inlinable
    public func materializeResults() -> SignalProducer<Result<Value, Error>, Never> {
        fuseStoppable { MaterializeResults.kernel(into: $0) }
    }
}

extension SignalProducer where Error == Never {
    /// Sends the value of each success. Fails with the first failure and disposes of the source.
    /// See ``Signal/dematerializeResults()``.
    @inlinable
    public func dematerializeResults<Success, Failure>() -> SignalProducer<Success, Failure>
    where Value == Result<Success, Failure> {
        fuseEnding { MaterializeResults.reverse(into: $0) }
    }
}
