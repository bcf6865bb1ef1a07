/// The kernel of `parallelMap`: maps several values concurrently on the schedulers of a pool.
///
/// The strand's owner hands values to workers, one worker for each scheduler, and receives their results. When every worker
/// has one value, a worker gets a second one while it maps the first. It then continues without waiting for the strand.
@usableFromInline
final class ParallelMap<Value, Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline typealias Worker = ParallelWorker<Value, Next>

    /// The maximum number of values that a worker has.
    @inlinable static var depth: Int { 2 }

    /// Set when the result has ended. Values that workers have not begun are then dropped.
    @usableFromInline let isOver = AnyDisposable()

    @usableFromInline let pool: QueueSchedulerPool
    @usableFromInline let transform: (Value) -> Next.Value
    @usableFromInline let isOrdered: Bool

    /// The error with which it fails on overflow. nil if it continues.
    @usableFromInline let failure: Next.Error?

    /// The permits that senders wait for. nil if senders never wait.
    @usableFromInline let permits: Permits?

    /// If ordered: the maximum number of values that are handed out and whose results are not sent yet.
    @usableFromInline let window: Int

    /// One worker for each value that is mapped at the same time. Owned by the strand's owner.
    @usableFromInline var workers: [Worker] = []

    /// What the strand's owner owns, besides the workers.
    @usableFromInline
    @safe struct State {
        /// Values that have not been handed out.
        @usableFromInline var waiting: Buffer<Value>
        /// The number of values that are handed out and have no result yet.
        @usableFromInline var outstanding = 0
        /// The number of the next value to hand out, and of the next result to send.
        @usableFromInline var handedOut = 0
        @usableFromInline var sent = 0
        /// Results that wait for an earlier one, each at its number modulo ``window``.
        @usableFromInline var results: [Next.Value?]
        @usableFromInline var isSourceCompleted = false
        /// Whether this prevents the pool from ending.
        @usableFromInline var holdsPool = false

        @inlinable @inline(__always)
        init(waiting: __owned Buffer<Value>, results: __owned [Next.Value?]) {
            self.waiting = waiting
            self.results = results
        }
    }

    @safe @exclusivity(unchecked)
    @usableFromInline var state: State

    @inlinable
    init(
        _ output: JoinOutput<Next>, on pool: QueueSchedulerPool, limit: Int, isOrdered: Bool,
        _ policy: BufferingPolicy<Next.Error>, counting statistics: BufferStatistics?,
        _ transform: @escaping (Value) -> Next.Value
    ) {
        self.pool = pool
        self.transform = transform
        self.isOrdered = isOrdered
        failure = policy.failure
        let schedulers = pool.continuing(limit)
        permits = policy.permits(on: schedulers[0])
        permits?.statistics = statistics
        window = 32 * schedulers.count
        state = State(
            waiting: Buffer(policy.bound, counting: statistics),
            results: isOrdered ? Array(repeating: nil, count: window) : [])
        super.init(output, sources: 1)
        workers = schedulers.enumerated().map { index, scheduler in
            // Each item references its map, so there is a reference cycle only while an item is in progress.
            ParallelWorker(index, Mailbox(on: scheduler.runningWorkItems, through: Strand()) { $0.map.work($0) })
        }
    }

    // MARK: The source

    /// The input for the source's events.
    @inlinable
    func input(until connection: CompositeDisposable) -> Sink<Value, Next.Error> {
        let (strand, permits) = (strand, permits)
        return Sink(
            value: { value in
                permits?.enter()
                strand.send(value, to: self, self.receive(value)) { $0.receive($1) }
                permits?.waitIfBeyondBound(outside: strand)
            },
            termination: { termination in
                // The shutdown of the pool disconnected the source. The source has not ended: its values are delivered.
                if case .interrupted = termination, connection.isDisposed { return }
                strand.perform(on: self, with: termination) { $0.end($1) }
            })
    }

    @inlinable
    func receive(_ value: Value) {
        // The pool accepts no more work. It interrupts this map when it has ended.
        guard !isTerminated, state.holdsPool || pool.core.hold() else {
            state.waiting.refuse()
            permits?.leave()
            return
        }
        state.holdsPool = true
        if state.waiting.isEmpty, let worker = workerForNext {
            state.waiting.pass()
            permits?.leave()
            hand(value, to: worker)
            return
        }
        if state.waiting.append(value) != nil, let failure { finish(.failed(failure)) }
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) {
        if case .completed = termination {
            state.isSourceCompleted = true
            if state.outstanding == 0, state.waiting.isEmpty { finish(.completed) }
        } else {
            finish(termination)
        }
    }

    /// Ends the result and drops all waiting values and results.
    @inlinable
    func finish(_ termination: Termination<Next.Error>) {
        isOver.dispose()
        permits?.leave(state.waiting.count)
        permits?.close()
        state.waiting.dropAll()
        state.results = []
        workers = []
        terminate(termination)
        releasePool()
    }

    @inlinable
    func interrupt() {
        // Takes effect at once, even while another thread owns the strand: workers begin no more values.
        isOver.dispose()
        strand.performAtOnce(on: self, with: ()) { map, _ in map.finish(.interrupted) }
    }

    // MARK: The workers

    /// Hands waiting values to workers with free capacity, the least loaded first.
    @inlinable
    func handOut() {
        while !state.waiting.isEmpty, let worker = workerForNext {
            guard let value = state.waiting.popFirst() else { return }
            permits?.leave()
            hand(value, to: worker)
        }
    }

    @inlinable
    func hand(_ value: Value, to worker: Worker) {
        worker.load += 1
        state.outstanding += 1
        let number = state.handedOut
        state.handedOut += 1
        worker.mailbox.post(ParallelItem(self, worker.index, number, value))
    }

    /// The least loaded worker with free capacity. nil if no value can be handed out.
    @inlinable
    var workerForNext: Worker? {
        if isOrdered, state.handedOut - state.sent >= window { return nil }
        var best: Worker?
        for worker in workers {
            if worker.load == 0 { return worker }
            if worker.load < best?.load ?? ParallelMap.depth { best = worker }
        }
        return best
    }

    /// Maps a value. Called on the worker's scheduler.
    @inlinable
    func work(_ item: ParallelItem<Value, Next>) {
        if isOver.isDisposed { return }
        let result = transform(item.value)
        strand.send((result, item.number, item.worker), to: self, take(result, item.number, of: item.worker)) {
            $0.take($1.0, $1.1, of: $1.2)
        }
    }

    /// Receives a result, and sends the results that are due.
    @inlinable
    func take(_ result: Next.Value, _ number: Int, of worker: Int) {
        if isTerminated { return }
        workers[worker].load -= 1
        state.outstanding -= 1
        if isOrdered {
            state.results[number % window] = result
            handOut()
            while let result = state.results[state.sent % window] {
                state.results[state.sent % window] = nil
                state.sent += 1
                next.receive(result)
            }
        } else {
            handOut()
            next.receive(result)
        }
        handOut()
        if state.outstanding == 0, state.waiting.isEmpty {
            if state.isSourceCompleted { finish(.completed) } else { releasePool() }
        }
    }

    @inlinable
    func releasePool() {
        guard state.holdsPool else { return }
        state.holdsPool = false
        pool.core.release()
    }
}

/// The state of one worker of a ``ParallelMap``. It maps one value at a time.
@usableFromInline
final class ParallelWorker<Value, Next: Receiver> {
    /// How many values the worker has. Owned by the owner of the map's strand.
    @safe @exclusivity(unchecked)
    @usableFromInline var load = 0

    /// Its index among the map's workers. An item holds this index instead of the worker: otherwise an item that its
    /// scheduler never runs would leave a reference cycle.
    @usableFromInline let index: Int

    @usableFromInline let mailbox: Mailbox<ParallelItem<Value, Next>>

    @inlinable
    init(_ index: Int, _ mailbox: Mailbox<ParallelItem<Value, Next>>) {
        self.index = index
        self.mailbox = mailbox
    }
}

/// A value for a worker.
@frozen
@usableFromInline
struct ParallelItem<Value, Next: Receiver> {
    @usableFromInline let map: ParallelMap<Value, Next>
    @usableFromInline let worker: Int
    @usableFromInline let number: Int
    @usableFromInline let value: Value

    @inlinable
    init(_ map: ParallelMap<Value, Next>, _ worker: Int, _ number: Int, _ value: Value) {
        self.map = map
        self.worker = worker
        self.number = number
        self.value = value
    }
}
