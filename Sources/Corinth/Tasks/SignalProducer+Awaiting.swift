extension SignalProducer {
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
    /// - Complexity: A constant number of allocations. One suspension, or none if the value comes during the start.
    /// ## Concurrency
    /// The producer starts on the calling thread. It blocks no thread. The start handler and the operators run where they
    /// would without a task.
    @inlinable
    nonisolated(nonsending) public func firstValue() async throws(Error) -> Value? {
        try await take(first: 1).only()
    }

    /// Starts this producer, and suspends the task until the end. See ``firstValue()`` for cancellation and concurrency.
    ///
    /// - Returns: The last value. nil if the producer completed without one, if it was interrupted, or if the task was
    ///   cancelled.
    /// - Throws: The failure.
    @inlinable
    nonisolated(nonsending) public func lastValue() async throws(Error) -> Value? {
        try await take(last: 1).only()
    }

    /// Starts this producer, and suspends the task until the second value or the end. See ``firstValue()`` for cancellation
    /// and concurrency.
    ///
    /// - Returns: The only value. nil if the producer completed with no value or sent two, if it was interrupted, or if the
    ///   task was cancelled.
    /// - Throws: The failure, if it came before a second value.
    @inlinable
    nonisolated(nonsending) public func singleValue() async throws(Error) -> Value? {
        guard let values = try await take(first: 2).allValues(), values.count == 1 else { return nil }
        return values[0]
    }

    /// Starts this producer, and suspends the task until the end. See ``firstValue()`` for cancellation and concurrency.
    ///
    /// - Returns: All values. nil if the producer was interrupted, or if the task was cancelled.
    /// - Throws: The failure.
    /// - Complexity: O(*n*) memory for *n* values.
    @inlinable
    nonisolated(nonsending) public func allValues() async throws(Error) -> [Value]? {
        let values = AwaitedValues<Value>()
        let end = await awaitEnd { values.all.append($0) }
        return try end.isCompletion() ? values.all : nil
    }

    /// Starts this producer, and suspends the task until the end. See ``firstValue()`` for cancellation and concurrency.
    ///
    /// - Returns: How the start ended. An interruption if the task was cancelled.
    @inlinable
    nonisolated(nonsending) public func termination() async -> Termination<Error> {
        await awaitEnd { _ in }
    }

    /// The value of a producer that sends at most one.
    @inlinable
    nonisolated(nonsending) func only() async throws(Error) -> Value? {
        let values = AwaitedValues<Value>()
        let end = await awaitEnd { values.one = $0 }
        return try end.isCompletion() ? values.one : nil
    }
}

/// What a task awaits. Owned by the stream, and by the task after the end.
@usableFromInline
final class AwaitedValues<Value> {
    @usableFromInline var one: Value?
    @usableFromInline var all: [Value] = []

    @inlinable
    init() {}
}

extension Termination {
    /// Whether the stream completed. Throws its failure.
    @inlinable
    func isCompletion() throws(Error) -> Bool {
        switch self {
        case .completed: true
        case .interrupted: false
        case .failed(let error): throw error
        }
    }
}

extension Signal {
    /// Suspends the task until the next value or the end.
    ///
    /// ```swift
    /// let answer = try await answers.nextValue()
    /// ```
    ///
    /// - Returns: The next value after this call. nil if the signal completed or was interrupted without one, or if the task
    ///   was cancelled. Then it isn't observed any more.
    /// - Throws: The failure of the signal, if it came before a value.
    /// ## Concurrency
    /// It observes the signal before it suspends the task. Values that are sent between two calls are missed: for these, see
    /// ``values(bufferingPolicy:statistics:)``. It blocks no thread.
    @inlinable
    nonisolated(nonsending) public func nextValue() async throws(Error) -> Value? {
        try await producer.firstValue()
    }
}

extension PropertyProtocol {
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

extension Action {
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
