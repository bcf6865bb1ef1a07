internal import Dispatch

extension SignalProducer {
    /// Starts, and blocks the thread until there is one value, or the end.
    ///
    /// - Returns: The first value, or the failure that came before any; nil, if it ended without either. The
    ///   source is cancelled then, on the thread that sent the value: perhaps just after this has returned.
    @available(*, noasync, message: "It blocks the thread. In a task, start the producer, and resume a continuation.")
    @discardableResult
    public func first() -> Result<Value, Error>? { take(first: 1).single() }

    /// Starts, and blocks the thread until the end, or until there are two values.
    ///
    /// - Returns: The only value, or the failure; nil, if there was no value, or more than one.
    @available(*, noasync, message: "It blocks the thread. In a task, start the producer, and resume a continuation.")
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

    /// Starts, and blocks the thread until the end.
    ///
    /// - Returns: The last value, or the failure; nil, if it ended without either.
    @available(*, noasync, message: "It blocks the thread. In a task, start the producer, and resume a continuation.")
    @discardableResult
    public func last() -> Result<Value, Error>? { take(last: 1).single() }

    /// Starts, and blocks the thread until the end.
    ///
    /// - Returns: The failure, or else success, an interruption included.
    @available(*, noasync, message: "It blocks the thread. In a task, start the producer, and resume a continuation.")
    @discardableResult
    public func wait() -> Result<(), Error> {
        if case .failed(let error) = blockingWaitForEnd({ _ in }) { return .failure(error) }
        return .success(())
    }

    /// Starts, gives the values to `receive`, and blocks the thread until the end. Forever, if what ends the stream waits for
    /// this thread.
    private func blockingWaitForEnd(_ receive: @escaping (Value) -> Void) -> Termination<Error> {
        let ended = DispatchSemaphore(value: 0)
        var end = Termination<Error>.interrupted
        _ = start(
            into: Sink(
                value: receive,
                termination: { termination in
                    // The semaphore hands it to the thread that waits.
                    end = termination
                    ended.signal()
                }))
        ended.wait()
        return end
    }
}
