internal import Dispatch

extension SignalProducer {
    /// Starts this producer and blocks the thread until the first value or the end.
    ///
    /// - Returns: The first value, or the failure before any value. nil if it ended without either. After a value, the
    ///   sending thread disposes of the source, possibly just after this method has returned.
    @available(*, noasync, message: "It blocks the thread. In a task, await firstValue().")
    @discardableResult
    public func first() -> Result<Value, Error>? { take(first: 1).single() }

    /// Starts this producer and blocks the thread until the second value or the end.
    ///
    /// - Returns: The only value, or the failure. nil if there was no value, or more than one.
    @available(*, noasync, message: "It blocks the thread. In a task, await singleValue().")
    @discardableResult
    public func single() -> Result<Value, Error>? {
        var count = 0
        var only: Value?
        let end = take(first: 2).blockingWaitForEnd { value in
            count += 1
            only = count == 1 ? value : nil
        }
        if case .failed(let error) = end { return .failure(error) }
        return only.map(Result.success)
    }

    /// Starts this producer and blocks the thread until the end.
    ///
    /// - Returns: The last value, or the failure. nil if it ended without either.
    @available(*, noasync, message: "It blocks the thread. In a task, await lastValue().")
    @discardableResult
    public func last() -> Result<Value, Error>? { take(last: 1).single() }

    /// Starts this producer and blocks the thread until the end.
    ///
    /// - Returns: The failure, or success after a completion or an interruption.
    @available(*, noasync, message: "It blocks the thread. In a task, await termination().")
    @discardableResult
    public func wait() -> Result<(), Error> {
        if case .failed(let error) = blockingWaitForEnd({ _ in }) { return .failure(error) }
        return .success(())
    }

    /// Starts this producer, passes its values to `receive`, and blocks the thread until the end. Blocks forever if the end
    /// depends on this thread.
    private func blockingWaitForEnd(_ receive: @escaping (Value) -> Void) -> Termination<Error> {
        let ended = DispatchSemaphore(value: 0)
        var end = Termination<Error>.interrupted
        _ = start(
            into: Sink(
                value: receive,
                termination: { termination in
                    // The semaphore publishes it to the waiting thread.
                    end = termination
                    ended.signal()
                }))
        ended.wait()
        return end
    }
}
