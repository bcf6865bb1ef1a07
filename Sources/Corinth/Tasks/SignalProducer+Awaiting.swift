extension SignalProducer where Value: Sendable {
    /// Starts this producer, and suspends the task until the first value or the end. Then the start is disposed of.
    ///
    /// ```swift
    /// if let page = try await pages.firstValue() { show(page) }
    /// ```
    ///
    /// It has another name than ``first()``, which blocks the thread. An `async` overload would change what `first()` means
    /// in an `async` function.
    ///
    /// - Returns: The first value. nil if the producer completed or was interrupted without one, or if the task was cancelled:
    ///   then the start is disposed of at once. If the task was cancelled before, nothing is started.
    /// - Throws: The failure, if it came before any value.
    /// - Complexity: One allocation for a producer of one stored value; otherwise two more than the operators and the source
    ///   make for a start. One suspension, or none if the value comes during the start.
    /// ## Concurrency
    /// The producer starts on the calling thread. It blocks no thread: the values that a start sends to a full hop exceed the
    /// bound of the hop. The start handler and the operators run where they would without a task. A cancellation during the
    /// start disposes of it, too.
    @inlinable
    nonisolated(nonsending) public func firstValue() async throws(Error) -> Value? {
        try await self.await(AwaitedFirst()).completion()?.value
    }

    /// Starts this producer, and suspends the task until the end. See ``firstValue()`` for cancellation and concurrency.
    ///
    /// - Returns: The last value. nil if the producer completed without one, if it was interrupted, or if the task was
    ///   cancelled.
    /// - Throws: The failure.
    @inlinable
    nonisolated(nonsending) public func lastValue() async throws(Error) -> Value? {
        try await self.await(AwaitedLast()).completion()?.value
    }

    /// Starts this producer, and suspends the task until the second value or the end. See ``firstValue()`` for cancellation
    /// and concurrency.
    ///
    /// - Returns: The only value. nil if the producer completed with no value or sent two, if it was interrupted, or if the
    ///   task was cancelled.
    /// - Throws: The failure, if it came before a second value.
    @inlinable
    nonisolated(nonsending) public func singleValue() async throws(Error) -> Value? {
        guard let result = try await self.await(AwaitedSingle()).completion(), result.count == 1 else { return nil }
        return result.value
    }

    /// Starts this producer, and suspends the task until the end. See ``firstValue()`` for cancellation and concurrency.
    ///
    /// - Returns: All values. nil if the producer was interrupted, or if the task was cancelled.
    /// - Throws: The failure.
    /// - Complexity: O(*n*) memory for *n* values.
    @inlinable
    nonisolated(nonsending) public func allValues() async throws(Error) -> [Value]? {
        try await self.await(AwaitedAll()).completion()?.values
    }

    /// Starts this producer, and suspends the task until the end. See ``firstValue()`` for cancellation and concurrency.
    ///
    /// - Returns: How the start ended. An interruption if the task was cancelled.
    @inlinable
    nonisolated(nonsending) public func termination() async -> Termination<Error> {
        await self.await(AwaitedNone()).termination
    }
}

/// The first value.
@usableFromInline
struct AwaitedFirst<Value>: AwaitedResult {
    @usableFromInline var value: Value?

    @inlinable
    init() {}

    @inlinable
    mutating func receive(_ value: Value) -> Bool {
        self.value = value
        return false
    }
}

/// The last value.
@usableFromInline
struct AwaitedLast<Value>: AwaitedResult {
    @usableFromInline var value: Value?

    @inlinable
    init() {}

    @inlinable
    mutating func receive(_ value: Value) -> Bool {
        self.value = value
        return true
    }
}

/// The only value. At the second one, there is no result.
@usableFromInline
struct AwaitedSingle<Value>: AwaitedResult {
    @usableFromInline var value: Value?
    @usableFromInline var count = 0

    @inlinable
    init() {}

    @inlinable
    mutating func receive(_ value: Value) -> Bool {
        self.value = value
        count += 1
        return count < 2
    }
}

/// All values.
@usableFromInline
struct AwaitedAll<Value>: AwaitedResult {
    @usableFromInline var values: [Value] = []

    @inlinable
    init() {}

    @inlinable
    mutating func receive(_ value: Value) -> Bool {
        values.append(value)
        return true
    }
}

/// No value, only the end.
@usableFromInline
struct AwaitedNone<Value>: AwaitedResult {
    /// The type must not be empty, see ``AwaitedStart/result``.
    @usableFromInline var needsMore = true

    @inlinable
    init() {}

    @inlinable
    mutating func receive(_ value: Value) -> Bool { needsMore }
}

extension Signal where Value: Sendable {
    /// Suspends the task until the next value or the end.
    ///
    /// ```swift
    /// let answer = try await answers.nextValue()
    /// ```
    ///
    /// - Returns: The next value after this call. nil if the signal completed or was interrupted without one, or if the task
    ///   was cancelled. Then it isn't observed any more.
    /// - Throws: The failure of the signal, if it came before a value.
    /// - Complexity: Four allocations and one suspension.
    /// ## Concurrency
    /// It observes the signal before it suspends the task. Values that are sent between two calls are missed: for these, see
    /// ``values(bufferingPolicy:statistics:)``. It blocks no thread.
    @inlinable
    nonisolated(nonsending) public func nextValue() async throws(Error) -> Value? {
        if Task.isCancelled { return nil }
        let run = ProducerRun()
        let next = AwaitedStart<AwaitedFirst<Value>, Error>(AwaitedFirst(), in: run)
        // Before any suspension.
        if let observation = observe(into: next.sink) { run.hold(observation) }
        await next.runToEnd(isolation: #isolation) {}
        return try next.completion()?.value
    }
}

extension PropertyProtocol where Value: Sendable {
    /// Suspends the task until the property has a value that satisfies a predicate.
    ///
    /// ```swift
    /// await connection.state.firstValue { $0 == .open }
    /// ```
    ///
    /// - Parameter predicate: Called with the current value, and then with every change, until it returns true.
    /// - Returns: The value. nil if the property was released before, or if the task was cancelled.
    /// ## Concurrency
    /// The predicate runs where the changes are delivered. If the current value satisfies it, the task isn't suspended.
    @inlinable
    @discardableResult
    nonisolated(nonsending) public func firstValue(
        where predicate: @escaping @Sendable (Value) -> Bool
    ) async -> Value? {
        await producer.filter(predicate).firstValue()
    }
}

extension Action where Output: Sendable {
    /// Executes the action with `input`, and suspends the task until the end of the execution.
    ///
    /// ```swift
    /// let receipt = try await pay.execute(order)
    /// ```
    ///
    /// - Returns: The last value of the execution. nil if it completed without one, if it was interrupted, or if the task was
    ///   cancelled, which cancels the execution. If the task was cancelled before, nothing is executed.
    /// - Throws: ``ActionError/disabled`` if the action isn't enabled or is executing; the failure of the execution as
    ///   ``ActionError/producerFailed(_:)``.
    @inlinable
    @discardableResult
    nonisolated(nonsending) public func execute(_ input: Input) async throws(ActionError<Error>) -> Output? {
        try await apply(input).lastValue()
    }
}

extension Action where Input == Void, Output: Sendable {
    /// Executes the action, and suspends the task until the end of the execution. See ``execute(_:)``.
    @inlinable
    @discardableResult
    nonisolated(nonsending) public func execute() async throws(ActionError<Error>) -> Output? { try await execute(()) }
}
