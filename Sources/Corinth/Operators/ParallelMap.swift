/// Maps several values at the same time, on the schedulers of a pool.
///
/// Whoever owns the strand hands values out to lanes, one lane for each scheduler, and takes the results in. A lane gets a
/// second value while it works on the first one, but only when every lane has one: so that it needs not wait for the strand.
@usableFromInline
final class ParallelMap<Value, Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline typealias Lane = ParallelLane<Value, Next>

    /// How many values a lane has at most.
    @inlinable static var depth: Int { 2 }

    /// Set when the result has ended: what still waits in lanes is dropped.
    @usableFromInline let isOver = AnyDisposable()

    @usableFromInline let pool: QueueSchedulerPool
    @usableFromInline let transform: (Value) -> Next.Value
    @usableFromInline let isOrdered: Bool

    /// What values that find no room make it fail with; nil if it goes on.
    @usableFromInline let failure: Next.Error?

    /// Where senders wait for a place, if they do.
    @usableFromInline let permits: Permits?

    /// Of an ordered map, how many values may have been handed out and not sent on.
    @usableFromInline let window: Int

    /// One for each value that is worked on at the same time. Owned by whoever owns the strand, as all that follows.
    @usableFromInline var lanes: [Lane] = []

    /// Values that have not been handed out.
    @safe @exclusivity(unchecked)
    @usableFromInline var waiting: Buffer<Value>

    /// How many have been handed out and have not come back.
    @safe @exclusivity(unchecked)
    @usableFromInline var outstanding = 0

    /// The number of the next value that is handed out, and of the next result that is sent.
    @safe @exclusivity(unchecked)
    @usableFromInline var handedOut = 0
    @safe @exclusivity(unchecked)
    @usableFromInline var sent = 0

    /// Results that wait for one before them, each at its number modulo ``window``.
    @safe @exclusivity(unchecked)
    @usableFromInline var results: [Next.Value?]

    @safe @exclusivity(unchecked)
    @usableFromInline var isSourceCompleted = false

    /// Whether the pool is kept from ending.
    @safe @exclusivity(unchecked)
    @usableFromInline var holdsPool = false

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
        waiting = Buffer(policy.bound, counting: statistics)
        let schedulers = pool.continuing(limit)
        permits = policy.permits(on: schedulers[0])
        permits?.statistics = statistics
        window = 32 * schedulers.count
        results = isOrdered ? Array(repeating: nil, count: window) : []
        super.init(output, sources: 1)
        lanes = schedulers.enumerated().map { index, scheduler in
            // The items bring along what they are for: there is no cycle but while something is in hand.
            ParallelLane(index, Mailbox(on: scheduler, through: Strand()) { $0.map.work($0) })
        }
    }

    // MARK: The source

    /// Where the source sends to.
    @inlinable
    func port(until connection: CompositeDisposable) -> Sink<Value, Next.Error> {
        let (strand, permits) = (strand, permits)
        return Sink(
            value: { value in
                permits?.enter()
                if strand.tryEnter() {
                    self.receive(value)
                    strand.leave()
                } else {
                    strand.queue(value, for: self) { map, value in map.receive(value) }
                }
                permits?.settle(outside: strand)
            },
            termination: { termination in
                // A source that was cut off because the pool is shut down has not ended: its values are delivered.
                if case .interrupted = termination, connection.isDisposed { return }
                strand.perform(on: self, with: termination) { map, termination in map.end(termination) }
            })
    }

    @inlinable
    func receive(_ value: Value) {
        // A pool that takes nothing more interrupts this when it has ended.
        guard !isTerminated, holdsPool || pool.core.hold() else {
            waiting.refuse()
            permits?.leave()
            return
        }
        holdsPool = true
        if waiting.isEmpty, let lane = laneForNext {
            waiting.pass()
            permits?.leave()
            hand(value, to: lane)
            return
        }
        if waiting.append(value) != nil, let failure { finish(.failed(failure)) }
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) {
        if case .completed = termination {
            isSourceCompleted = true
            if outstanding == 0, waiting.isEmpty { finish(.completed) }
        } else {
            finish(termination)
        }
    }

    /// Ends the result, and drops what there is.
    @inlinable
    func finish(_ termination: Termination<Next.Error>) {
        isOver.dispose()
        permits?.leave(waiting.count)
        permits?.close()
        waiting.dropAll()
        results = []
        lanes = []
        terminate(termination)
        releasePool()
    }

    @inlinable
    func interrupt() {
        // At once, whoever owns the strand: what is in lanes is not begun any more.
        isOver.dispose()
        strand.performAtOnce(on: self, with: ()) { map, _ in map.finish(.interrupted) }
    }

    // MARK: The lanes

    /// Gives values to lanes that have room, the emptiest first.
    @inlinable
    func handOut() {
        while !waiting.isEmpty, let lane = laneForNext {
            guard let value = waiting.popFirst() else { return }
            permits?.leave()
            hand(value, to: lane)
        }
    }

    @inlinable
    func hand(_ value: Value, to lane: Lane) {
        lane.load += 1
        outstanding += 1
        let number = handedOut
        handedOut += 1
        lane.mailbox.post(ParallelItem(self, lane.index, number, value))
    }

    /// A lane that takes the next value, if it can be handed out.
    @inlinable
    var laneForNext: Lane? {
        if isOrdered, handedOut - sent >= window { return nil }
        var best: Lane?
        for lane in lanes {
            if lane.load == 0 { return lane }
            if lane.load < best?.load ?? ParallelMap.depth { best = lane }
        }
        return best
    }

    /// Maps a value. Called where the lane's scheduler runs.
    @inlinable
    func work(_ item: ParallelItem<Value, Next>) {
        if isOver.isDisposed { return }
        let result = transform(item.value)
        if strand.tryEnter() {
            take(result, item.number, of: item.lane)
            strand.leave()
        } else {
            strand.queue((result, item.number, item.lane), for: self) { $0.take($1.0, $1.1, of: $1.2) }
        }
    }

    /// Takes a result in, and sends on what can be.
    @inlinable
    func take(_ result: Next.Value, _ number: Int, of lane: Int) {
        if isTerminated { return }
        lanes[lane].load -= 1
        outstanding -= 1
        if isOrdered {
            results[number % window] = result
            handOut()
            while let result = results[sent % window] {
                results[sent % window] = nil
                sent += 1
                next.receive(result)
            }
        } else {
            handOut()
            next.receive(result)
        }
        handOut()
        if outstanding == 0, waiting.isEmpty {
            if isSourceCompleted { finish(.completed) } else { releasePool() }
        }
    }

    @inlinable
    func releasePool() {
        guard holdsPool else { return }
        holdsPool = false
        pool.core.release()
    }
}

/// Where a ``ParallelMap`` works on one value at a time.
@usableFromInline
final class ParallelLane<Value, Next: Receiver> {
    /// How many values it has. Owned by whoever owns the map's strand.
    @safe @exclusivity(unchecked)
    @usableFromInline var load = 0

    /// Its place among the map's lanes. An item has this and not the lane: a scheduler that never comes to an item would
    /// leave a cycle.
    @usableFromInline let index: Int

    @usableFromInline let mailbox: Mailbox<ParallelItem<Value, Next>>

    @inlinable
    init(_ index: Int, _ mailbox: Mailbox<ParallelItem<Value, Next>>) {
        self.index = index
        self.mailbox = mailbox
    }
}

/// A value on its way to a lane.
@frozen
@usableFromInline
struct ParallelItem<Value, Next: Receiver> {
    @usableFromInline let map: ParallelMap<Value, Next>
    @usableFromInline let lane: Int
    @usableFromInline let number: Int
    @usableFromInline let value: Value

    @inlinable
    init(_ map: ParallelMap<Value, Next>, _ lane: Int, _ number: Int, _ value: Value) {
        self.map = map
        self.lane = lane
        self.number = number
        self.value = value
    }
}
