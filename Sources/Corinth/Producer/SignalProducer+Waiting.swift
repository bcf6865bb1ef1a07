internal import Dispatch

extension SignalProducer {
    /// Starts this producer and blocks the thread until the first value or the end.
    ///
    /// It waits for ever if only this thread can deliver the value: on the scheduler that delivers it, in a callback of the signal
    /// that sends it, or with the main thread for what comes through the main queue. Debug builds stop the program with the names of
    /// those that wait for each other where the producer is a chain of operators with one source. Where it has several, they print a
    /// warning after 2 s.
    ///
    /// - Returns: The first value, or the failure before any value. nil if it ended without either. After a value, the
    ///   sending thread disposes of the source, possibly just after this method has returned.
    /// ## Concurrency
    /// Any thread that nothing waits for. A task awaits ``firstValue()`` instead.
    @available(*, noasync, message: "It blocks the thread. In a task, await firstValue().")
    @discardableResult
    public func first() -> Result<Value, Error>? { take(first: 1).only(for: "first()") }

    /// Starts this producer and blocks the thread until the second value or the end.
    ///
    /// It waits for ever if only this thread can deliver them: see ``first()``.
    ///
    /// - Returns: The only value, or the failure. nil if there was no value, or more than one.
    @available(*, noasync, message: "It blocks the thread. In a task, await singleValue().")
    @discardableResult
    public func single() -> Result<Value, Error>? { only(for: "single()") }

    /// Starts this producer and blocks the thread until the end.
    ///
    /// It waits for ever if only this thread can deliver the end: see ``first()``.
    ///
    /// - Returns: The last value, or the failure. nil if it ended without either.
    @available(*, noasync, message: "It blocks the thread. In a task, await lastValue().")
    @discardableResult
    public func last() -> Result<Value, Error>? { take(last: 1).only(for: "last()") }

    /// Starts this producer and blocks the thread until the end.
    ///
    /// It waits for ever if only this thread can deliver the end: see ``first()``.
    ///
    /// - Returns: The failure, or success after a completion or an interruption.
    @available(*, noasync, message: "It blocks the thread. In a task, await termination().")
    @discardableResult
    public func wait() -> Result<(), Error> {
        if case .failed(let error) = blockingWaitForEnd(in: "wait()", { _ in }) { return .failure(error) }
        return .success(())
    }

    private func only(for name: StaticString) -> Result<Value, Error>? {
        var count = 0
        var only: Value?
        let end = take(first: 2).blockingWaitForEnd(in: name) { value in
            count += 1
            only = count == 1 ? value : nil
        }
        if case .failed(let error) = end { return .failure(error) }
        return only.map(Result.success)
    }

    /// Starts this producer, passes its values to `receive`, and blocks the thread until the end.
    ///
    /// - Parameter name: The public method, for debug builds: see `BlockingCall`.
    private func blockingWaitForEnd(in name: StaticString, _ receive: @escaping (Value) -> Void) -> Termination<Error> {
        let ended = DispatchSemaphore(value: 0)
        var end = Termination<Error>.interrupted
        #if DEBUG && !Exploration
            let call = BlockingCall(name, of: Self.self)
        #endif
        let run = ObservedRun<Error> { termination in
            // The semaphore publishes it to the waiting thread.
            end = termination
            #if DEBUG && !Exploration
                call.end()
            #endif
            ended.signal()
        }
        #if DEBUG && !Exploration
            run.blocks = call
        #endif
        _ = start(run, into: Sink(value: receive, termination: { run.terminate($0) }))
        #if DEBUG && !Exploration
            call.wait(for: ended)
        #else
            ended.wait()
        #endif
        return end
    }
}
