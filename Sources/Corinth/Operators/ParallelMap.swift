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

    /// Of an ordered map, how many values may have been handed out and not sent on.
    @usableFromInline let window: Int

    /// One for each value that is worked on at the same time. Owned by whoever owns the strand, as all that follows.
    @usableFromInline var lanes: [Lane] = []

    /// Values that have not been handed out.
    @safe @exclusivity(unchecked)
    @usableFromInline var waiting = Fifo<Value>()

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
        _ transform: @escaping (Value) -> Next.Value
    ) {
        self.pool = pool
        self.transform = transform
        self.isOrdered = isOrdered
        let schedulers = pool.continuing(limit)
        window = 32 * schedulers.count
        results = isOrdered ? Array(repeating: nil, count: window) : []
        super.init(output, sources: 1)
        lanes = schedulers.map { scheduler in
            // The items bring along what they are for: there is no cycle but while something is in hand.
            ParallelLane(Mailbox(on: scheduler, through: Strand()) { $0.map.work($0) })
        }
    }

    // MARK: The source

    /// Where the source sends to.
    @inlinable
    func port(until connection: CompositeDisposable) -> Sink<Value, Next.Error> {
        let strand = strand
        return Sink(
            value: { value in
                if strand.tryEnter() {
                    self.receive(value)
                    strand.leave()
                } else {
                    strand.queue(value, for: self) { map, value in map.receive(value) }
                }
            },
            termination: { termination in
                // A source that was cut off because the pool is shut down has not ended: its values are delivered.
                if case .interrupted = termination, connection.isDisposed { return }
                strand.perform(on: self, with: termination) { map, termination in map.end(termination) }
            })
    }

    @inlinable
    func receive(_ value: Value) {
        if isTerminated { return }
        if !holdsPool {
            // A pool that takes nothing more interrupts this when it has ended.
            guard pool.core.hold() else { return }
            holdsPool = true
        }
        waiting.append(value)
        handOut()
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
        waiting = Fifo()
        results = []
        lanes = []
        terminate(termination)
        releasePool()
    }

    @inlinable
    func interrupt() {
        strand.performAtOnce(on: self, with: ()) { map, _ in map.finish(.interrupted) }
    }

    // MARK: The lanes

    /// Gives values to lanes that have room, the emptiest first.
    @inlinable
    func handOut() {
        while !waiting.isEmpty, !isOrdered || handedOut - sent < window, let lane = freeLane {
            guard let value = waiting.popFirst() else { return }
            lane.load += 1
            outstanding += 1
            let number = handedOut
            handedOut += 1
            lane.mailbox.post(ParallelItem(self, lane, number, value))
        }
    }

    @inlinable
    var freeLane: Lane? {
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
    func take(_ result: Next.Value, _ number: Int, of lane: Lane) {
        if isTerminated { return }
        lane.load -= 1
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

    @usableFromInline let mailbox: Mailbox<ParallelItem<Value, Next>>

    @inlinable
    init(_ mailbox: Mailbox<ParallelItem<Value, Next>>) {
        self.mailbox = mailbox
    }
}

/// A value on its way to a lane.
@frozen
@usableFromInline
struct ParallelItem<Value, Next: Receiver> {
    @usableFromInline let map: ParallelMap<Value, Next>
    @usableFromInline let lane: ParallelLane<Value, Next>
    @usableFromInline let number: Int
    @usableFromInline let value: Value

    @inlinable
    init(_ map: ParallelMap<Value, Next>, _ lane: ParallelLane<Value, Next>, _ number: Int, _ value: Value) {
        self.map = map
        self.lane = lane
        self.number = number
        self.value = value
    }
}
