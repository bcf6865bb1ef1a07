/// The values of a stream as an asynchronous sequence.
///
/// ```swift
/// for await line in lines.values() { await store.add(line) }  // `lines` can't fail: no `try`
/// for try await page in pages.values() { show(page) }         // `error` has the type of the stream's errors
/// ```
///
/// The sequence ends when the stream completes. It also ends when the stream is interrupted, since an interruption is a
/// cancellation: the values that wait are dropped (law [E6](doc:Contracts#E6-Three-ways-to-end)). It throws the failure of the
/// stream, after the values that came before it.
///
/// - An iteration of a signal's values observes the signal from `makeIterator()` on, which `for await` calls at once.
/// - An iteration of a producer's values is a start of its own (law [P1](doc:Contracts#P1-Cold)). It begins with the first call of
///   `next()`, on the thread of the caller. If the task has been cancelled by then, nothing is started.
///
/// The observation or the start is disposed of when the sequence ends, when the task is cancelled while it waits for a value,
/// requests one, or starts the producer, or when the iterator is released, as at a `break`. After that, the iterator returns
/// nil.
///
/// ## Buffering
/// Values that the task hasn't requested yet wait in a buffer, with the overflow policies of `observe(on:)`. With
/// ``BufferingPolicy/blocking(capacity:stallTimeout:)-(_,DispatchTimeInterval)``, a sending thread waits for a permit, a task
/// that sends with ``Signal/Observer/suspendingSend(value:)`` is suspended, and a scheduler's drain stops.
///
/// A task that calls the synchronous ``Signal/Observer/send(value:)`` blocks its thread while the buffer is full, as long as the
/// iterating task takes values. If it takes none, it may need that thread: then the sender goes on beyond the bound, by one
/// capacity at a time (law [X2](doc:Contracts#X2-Bounded-memory)). A producer that sends many values while it starts, such as one
/// of a sequence, exceeds the bound: the start is a part of the task that iterates, and waits for nothing, not even for a hop in
/// between. `start(on:)` moves it to a scheduler, which waits.
///
/// - Complexity: O(1) per value, without an allocation in the steady state. One resumption of the task for a burst.
/// ## Concurrency
/// Any thread may make iterators. Each iterator belongs to one task. Its `next()` returns on the actor of the caller.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct AsyncValues<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// Connects the stream with an iteration.
    @usableFromInline let connect: @Sendable (Iteration<Element, Failure>) -> Void

    /// Whether an iteration begins with its iterator. Otherwise it begins with the first request.
    @usableFromInline let beginsAtOnce: Bool
    @usableFromInline let policy: BufferingPolicy<Failure>
    @usableFromInline let statistics: BufferStatistics?

    @inlinable
    init(
        _ policy: BufferingPolicy<Failure>, counting statistics: BufferStatistics?, beginningAtOnce: Bool,
        _ connect: @escaping @Sendable (Iteration<Element, Failure>) -> Void
    ) {
        self.connect = connect
        beginsAtOnce = beginningAtOnce
        self.policy = policy
        self.statistics = statistics
    }

    /// Makes an iterator. See the type for when the iteration begins.
    @inlinable
    public func makeAsyncIterator() -> AsyncIterator {
        let iteration = Iteration<Element, Failure>(policy, counting: statistics)
        if beginsAtOnce { connect(iteration) }
        return AsyncIterator(IterationHandle(iteration, startingBy: beginsAtOnce ? nil : connect))
    }

    /// An iteration of a stream's values. When it is released, the observation or the start is disposed of.
    public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline let handle: IterationHandle<Element, Failure>

        @inlinable
        init(_ handle: IterationHandle<Element, Failure>) {
            self.handle = handle
        }

        /// The next value; nil after the end.
        ///
        /// - Throws: The failure of the stream.
        @inlinable
        nonisolated(nonsending) public mutating func next() async throws(Failure) -> Element? {
            if let next = try handle.nextAtOnce() { return next }
            return try await handle.next(isolation: #isolation)
        }

        /// The next value; nil after the end.
        ///
        /// - Parameter actor: The actor of the caller.
        /// - Throws: The failure of the stream.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            if let next = try handle.nextAtOnce() { return next }
            return try await handle.next(isolation: actor)
        }
    }
}
