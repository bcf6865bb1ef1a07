/// One iteration of a stream by a task: the receiver of the stream's events, and the queue from which the task takes them.
///
/// It is a hop to the task, with the overflow policies of `observe(on:)`. The stream's serial events post to the queue. An
/// interruption overtakes queued values (law E6), and so does the end of the iteration.
@usableFromInline
final class Iteration<Value, Failure: Error>: @unchecked Sendable {  // Each field has an owner.
    @usableFromInline typealias Item = Signal<Value, Failure>.Event

    @usableFromInline let queue: TaskQueue<Item>
    @usableFromInline let task: SuspendedTask
    @usableFromInline let statistics: BufferStatistics?

    /// The error with which the sequence fails on overflow. nil if it continues.
    @usableFromInline let failure: Failure?

    /// What the stream uses: disposing of it ends the observation or the start.
    @usableFromInline let source = CompositeDisposable()

    /// Whether nothing more is posted, after an overflow. Owned by the side that posts.
    @safe @exclusivity(unchecked)
    @usableFromInline var isClosed = false

    @inlinable
    init(_ policy: BufferingPolicy<Failure>, counting statistics: BufferStatistics?) {
        let task = SuspendedTask()
        let abandon = statistics.map { statistics in
            { (item: Item) in if case .value = item { statistics.countDropped() } }
        }
        switch policy.kind {
        case .blocking(let bound):
            queue = TaskQueue(bound: bound, waking: task, abandon: abandon)
            queue.permits?.statistics = statistics
        case .dropping(let capacity, let oldest) where !BufferingPolicy<Failure>.isUnlimited(capacity):
            queue = TaskQueue(capacity: capacity, dropsOldest: oldest, waking: task, abandon: abandon)
        case .failing(let capacity, _) where !BufferingPolicy<Failure>.isUnlimited(capacity):
            queue = TaskQueue(capacity: capacity, dropsOldest: false, waking: task, abandon: abandon)
        case .unbounded, .dropping, .failing:
            queue = TaskQueue(bound: nil, waking: task, abandon: abandon)
        }
        self.task = task
        self.statistics = statistics
        failure = policy.failure
    }

    // MARK: The stream

    /// The input for the stream's events, which are serial.
    @inlinable
    var sink: Sink<Value, Failure> {
        guard let statistics else { return Sink(value: { self.post($0) }, termination: { self.post($0) }) }
        return Sink(
            value: {
                statistics.countSent()
                self.post($0)
            },
            termination: { self.post($0) })
    }

    @inlinable
    func post(_ value: Value) {
        // Not retained: the task reads from the same cache line. This retains it.
        let isPosted = unsafe Unmanaged.passUnretained(queue)._withUnsafeGuaranteedRef { queue in
            !isClosed && !queue.isCut && queue.post(.value(value))
        }
        if !isPosted { dropOne() }
    }

    /// A value was dropped: this one or the oldest.
    @inlinable
    func dropOne() {
        statistics?.countDropped()
        guard let failure, !isClosed, !queue.isCut else { return }
        isClosed = true
        queue.postLast(.failed(failure))
        source.dispose()
    }

    @inlinable
    func post(_ termination: Termination<Failure>) {
        // After an overflow, the failure is the end.
        if isClosed { return }
        if case .interrupted = termination { queue.cut() } else { queue.postLast(Item(termination)) }
    }

    // MARK: The task

    /// Starts the stream, unless the task was cancelled before. A cancellation ends the iteration, also while this runs.
    ///
    /// - Parameters:
    ///   - actor: The actor of the caller.
    ///   - start: Starts the stream. It never waits for a permit: the thread runs a task.
    @inlinable
    func begin(isolation actor: isolated (any Actor)?, by start: (Iteration) -> Void) async {
        await withTaskCancellationHandler {
            // Captured: otherwise the closure isn't isolated to the actor, and the task hops to the pool and back.
            _ = actor
            // If the task was cancelled before, the handler has been called.
            if !queue.isCut { Strand.withoutWaiting { start(self) } }
        } onCancel: {
            cancel()
        }
    }

    /// The next value; nil at the end. Fails if the stream has failed.
    ///
    /// - Parameter actor: The actor of the caller.
    @inlinable
    func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Value? {
        while true {
            if let next = try nextAtOnce() { return next }
            await suspend(isolation: actor)
        }
    }

    /// The next value, or nil for the end, if the task needn't be suspended for it. A value that waits costs no asynchronous
    /// call then, each of which allocates a frame.
    @inlinable
    func nextAtOnce() throws(Failure) -> Value?? {
        if Task.isCancelled { cancel() }
        if let item = queue.take() {
            if case .value(let value) = item {
                statistics?.countDelivered()
                return .some(value)
            }
            end()
            if case .failed(let error) = item { throw error }
            return .some(nil)
        }
        if queue.isCut {
            end()
            return .some(nil)
        }
        return nil
    }

    /// Suspends the task until there is an element, or until the end.
    @inlinable
    func suspend(isolation actor: isolated (any Actor)?) async {
        await withTaskCancellationHandler {
            // Captured, as in `begin(isolation:by:)`.
            _ = actor
            await task.wait { queue.rest() }
        } onCancel: {
            cancel()
        }
    }

    /// Releases everything. Later events are dropped.
    @inlinable
    func end() {
        cancel()
        queue.dropAll { if case .value = $0 { statistics?.countDropped() } }
    }

    // MARK: From any thread

    /// Ends the observation or the start, and the sequence. Idempotent. The task is woken after the disposal.
    @inlinable
    func cancel() {
        source.dispose()
        queue.cut()
    }
}

/// What an iterator holds. The iteration ends when the iterator is released.
@usableFromInline
final class IterationHandle<Value, Failure: Error>: @unchecked Sendable {  // Only the task uses it.
    @usableFromInline let iteration: Iteration<Value, Failure>

    /// Starts the stream when the first value is requested; nil afterwards, and if it has started already.
    @safe @exclusivity(unchecked)
    @usableFromInline var start: (@Sendable (Iteration<Value, Failure>) -> Void)?

    @inlinable
    init(_ iteration: Iteration<Value, Failure>, startingBy start: (@Sendable (Iteration<Value, Failure>) -> Void)?) {
        self.iteration = iteration
        self.start = start
    }

    @inlinable
    deinit { iteration.end() }

    /// The next value, or nil for the end, if the task needn't be suspended for it, and if the stream has been started.
    @inlinable
    func nextAtOnce() throws(Failure) -> Value?? { start == nil ? try iteration.nextAtOnce() : nil }

    /// The next value; nil at the end. The first request starts the stream.
    ///
    /// - Parameter actor: The actor of the caller.
    @inlinable
    func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Value? {
        if let start = start.take() { await iteration.begin(isolation: actor, by: start) }
        return try await iteration.next(isolation: actor)
    }
}
