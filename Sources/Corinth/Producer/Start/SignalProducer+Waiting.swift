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
    public func first() -> Result<Value, Error>? { take(first: 1).only(in: BlockingWait.endless("first()")) }

    /// Starts this producer and blocks the thread until the second value or the end.
    ///
    /// It waits for ever if only this thread can deliver them: see ``first()``.
    ///
    /// - Returns: The only value, or the failure. nil if there was no value, or more than one.
    @available(*, noasync, message: "It blocks the thread. In a task, await singleValue().")
    @discardableResult
    public func single() -> Result<Value, Error>? { only(in: BlockingWait.endless("single()")) }

    /// Starts this producer and blocks the thread until the end.
    ///
    /// It waits for ever if only this thread can deliver the end: see ``first()``.
    ///
    /// - Returns: The last value, or the failure. nil if it ended without either.
    @available(*, noasync, message: "It blocks the thread. In a task, await lastValue().")
    @discardableResult
    public func last() -> Result<Value, Error>? { take(last: 1).only(in: BlockingWait.endless("last()")) }

    /// Starts this producer and blocks the thread until the end.
    ///
    /// It waits for ever if only this thread can deliver the end: see ``first()``.
    ///
    /// - Returns: The failure, or success after a completion or an interruption.
    @available(*, noasync, message: "It blocks the thread. In a task, await termination().")
    @discardableResult
    public func wait() -> Result<(), Error> { end(in: BlockingWait.endless("wait()")) }

    // MARK: For a limited time

    /// As ``first()``, for a limited time.
    ///
    /// - Parameter timeout: How long the thread blocks at most. At least 0.
    /// - Throws: ``WaitTimeout`` if there was no result by then, after disposing of the start.
    @available(*, noasync, message: "It blocks the thread. In a task, await firstValue().")
    @discardableResult
    public func first(timeout: Duration) throws(WaitTimeout) -> Result<Value, Error>? {
        try take(first: 1).only(in: .limited(to: timeout))
    }

    /// As ``single()``, for a limited time. See ``first(timeout:)``.
    @available(*, noasync, message: "It blocks the thread. In a task, await singleValue().")
    @discardableResult
    public func single(timeout: Duration) throws(WaitTimeout) -> Result<Value, Error>? {
        try only(in: .limited(to: timeout))
    }

    /// As ``last()``, for a limited time. See ``first(timeout:)``.
    @available(*, noasync, message: "It blocks the thread. In a task, await lastValue().")
    @discardableResult
    public func last(timeout: Duration) throws(WaitTimeout) -> Result<Value, Error>? {
        try take(last: 1).only(in: .limited(to: timeout))
    }

    /// As ``wait()``, for a limited time. See ``first(timeout:)``.
    @available(*, noasync, message: "It blocks the thread. In a task, await termination().")
    @discardableResult
    public func wait(timeout: Duration) throws(WaitTimeout) -> Result<(), Error> {
        try end(in: .limited(to: timeout))
    }

    // MARK: -

    private func end<Failure>(in wait: BlockingWait<Failure>) throws(Failure) -> Result<(), Error> {
        if case .failed(let error) = try block(in: wait, { _ in }) { return .failure(error) }
        return .success(())
    }

    private func only<Failure>(in wait: BlockingWait<Failure>) throws(Failure) -> Result<Value, Error>? {
        var count = 0
        var only: Value?
        let end = try take(first: 2).block(in: wait) { value in
            count += 1
            only = count == 1 ? value : nil
        }
        if case .failed(let error) = end { return .failure(error) }
        return only.map(Result.success)
    }

    /// Starts this producer, passes its values to `receive`, and blocks the thread until the end.
    private func block<Failure>(
        in wait: BlockingWait<Failure>, _ receive: @escaping (Value) -> Void
    ) throws(Failure) -> Termination<Error> {
        let ended = DispatchSemaphore(value: 0)
        var end = Termination<Error>.interrupted
        #if DEBUG && !Exploration
            let call = wait.call(of: Self.self)
        #endif
        let run = ObservedRun<Error> { termination in
            // The semaphore publishes it to the waiting thread.
            end = termination
            #if DEBUG && !Exploration
                call?.end()
            #endif
            ended.signal()
        }
        #if DEBUG && !Exploration
            run.blocks = call
        #endif
        _ = start(run, into: Sink(value: receive, termination: { run.terminate($0) }))
        #if DEBUG && !Exploration
            if let call {
                call.wait(for: ended)
                return end
            }
        #endif
        if ended.wait(timeout: wait.deadline) == .timedOut {
            run.dispose()
            try wait.fail()
        }
        return end
    }
}

/// There was no result in time: see ``SignalProducer/first(timeout:)``.
public struct WaitTimeout: Error, Equatable, Sendable, CustomStringConvertible {
    /// How long the thread has blocked.
    public let timeout: Duration

    /// Makes the error of a wait.
    ///
    /// - Parameter timeout: How long the thread has blocked.
    public init(timeout: Duration) {
        self.timeout = timeout
    }

    public var description: String { "no result within \(timeout)" }
}

/// How a thread waits for the end of a start.
private struct BlockingWait<Failure: Error> {
    /// That of a public method which waits without a limit, for debug builds: see `BlockingCall`.
    let name: StaticString?
    let deadline: DispatchTime
    /// Throws if the deadline is over.
    let fail: () throws(Failure) -> Void

    #if DEBUG && !Exploration
        /// What ends by itself needs no check.
        func call(of producer: Any.Type) -> BlockingCall? { name.map { BlockingCall($0, of: producer) } }
    #endif
}

extension BlockingWait<Never> {
    static func endless(_ name: StaticString) -> BlockingWait {
        BlockingWait(name: name, deadline: .distantFuture, fail: {})
    }
}

extension BlockingWait<WaitTimeout> {
    static func limited(to timeout: Duration) -> BlockingWait {
        let deadline = DispatchTime.now() + timeout.dispatchInterval("timeout")
        return BlockingWait(name: nil, deadline: deadline) { () throws(WaitTimeout) in
            throw WaitTimeout(timeout: timeout)
        }
    }
}
