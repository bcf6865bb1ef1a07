/// One value of each source, together: the kernel of `combineLatest` and of `zip`.
///
/// `combineLatest` sends the latest values whenever one source sends and all have sent; it completes when all have
/// completed. `zip` sends the first values, then the second ones, and so on; it completes when a source that has completed
/// has nothing left. A failure or an interruption ends either at once (law E6).
@usableFromInline
final class Gather<Use: GatherUse, Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline let state: GatherState

    /// Takes a value of each source, and sends them together. Not a function that returns them: what it returns goes through
    /// memory, written in parts and read as a whole, for which a processor has to wait.
    @usableFromInline let send: (Next) -> Void

    /// What it fails with when a value finds no room; nil if it goes on.
    @usableFromInline let failure: Next.Error?

    /// What drops the values that wait of each source, if they are counted. Owned by whoever owns the strand.
    @usableFromInline var drops: [() -> Void]

    @inlinable
    init(
        _ state: GatherState, _ output: JoinOutput<Next>, failure: Next.Error?, send: @escaping (Next) -> Void
    ) {
        self.state = state
        self.failure = failure
        if let statistics = state.statistics {
            self.send = { next in
                statistics.countDelivered(state.sources)
                send(next)
            }
        } else {
            self.send = send
        }
        drops = state.drops
        state.drops = []
        super.init(output, sources: state.sources)
        guard state.statistics != nil else { return }
        // After the end, or when nobody needs the result any more.
        output.resources.add {
            self.strand.perform(on: self, with: ()) { gather, _ in gather.dropWaiting() }
        }
    }

    @usableFromInline
    func dropWaiting() {
        isTerminated = true
        for drop in drops { drop() }
        drops = []
    }

    /// The way in for the source whose values `cell` keeps.
    @inlinable
    func port<Value>(for cell: GatherCell<Value, Use>) -> Sink<Value, Next.Error> {
        let port = GatherPort(self, cell)
        // Captured by itself: reached through the port, it would be retained for each value.
        let strand = strand
        let statistics = state.statistics
        return Sink(
            value: { value in
                statistics?.countSent()
                if strand.tryEnter() {
                    port.gather.receive(value, in: port.cell)
                    strand.leave()
                } else {
                    strand.queue(value, for: port) { port, value in port.gather.receive(value, in: port.cell) }
                }
            },
            termination: { termination in
                strand.perform(on: port, with: termination) { port, termination in
                    port.gather.end(termination, of: port.cell)
                }
            })
    }

    @inlinable @inline(__always)
    func receive<Value>(_ value: Value, in cell: GatherCell<Value, Use>) {
        if isTerminated {
            state.statistics?.countDropped()
            return
        }
        guard cell.put(value) else {
            overflow(value, in: cell)
            return
        }
        guard state.missing == 0 else { return }
        send(next)
        if Use.takesOnce, state.isExhausted { terminate(.completed) }
    }

    /// What becomes of a value that finds no room.
    @inlinable
    @inline(never)
    func overflow<Value>(_ value: Value, in cell: GatherCell<Value, Use>) {
        state.statistics?.countDropped()
        if let failure {
            terminate(.failed(failure))
        } else if state.bound.dropsOldest {
            cell.replaceOldest(with: value)
        }
    }

    @inlinable
    func end<Value>(_ termination: Termination<Next.Error>, of cell: GatherCell<Value, Use>) {
        guard case .completed = termination else {
            terminate(termination)
            return
        }
        active -= 1
        cell.complete()
        if active == 0 || state.isExhausted { terminate(.completed) }
    }
}

/// A gathering and one of its sources.
@usableFromInline
final class GatherPort<Use: GatherUse, Next: Receiver, Value> {
    @usableFromInline let gather: Gather<Use, Next>
    @usableFromInline let cell: GatherCell<Value, Use>

    @inlinable
    init(_ gather: Gather<Use, Next>, _ cell: GatherCell<Value, Use>) {
        self.gather = gather
        self.cell = cell
    }
}

/// How often a gathering uses each value. A type, so that it is known where code is specialised.
@usableFromInline
protocol GatherUse: SendableMetatype {
    static var takesOnce: Bool { get }
}

/// Each value is used until the next one comes, as `combineLatest` does.
@usableFromInline
enum LatestUse: GatherUse {
    @inlinable static var takesOnce: Bool { false }
}

/// Each value is used once, as `zip` does.
@usableFromInline
enum SingleUse: GatherUse {
    @inlinable static var takesOnce: Bool { true }
}

/// What the cells of a gathering have in common. Owned by whoever owns its strand.
@usableFromInline
final class GatherState {
    /// How many cells there are.
    @safe @exclusivity(unchecked)
    @usableFromInline var sources = 0

    /// How many have no value to give.
    @safe @exclusivity(unchecked)
    @usableFromInline var missing = 0

    /// Whether one will never have a value again.
    @safe @exclusivity(unchecked)
    @usableFromInline var isExhausted = false

    /// How many values of a source may wait, and what is counted.
    @usableFromInline let bound: BufferBound
    @usableFromInline let statistics: BufferStatistics?

    /// What drops the values that wait in each cell, if they are counted, until the gathering takes it over.
    @usableFromInline var drops: [() -> Void] = []

    @inlinable
    init(_ bound: BufferBound = BufferBound(capacity: .max), counting statistics: BufferStatistics? = nil) {
        self.bound = bound
        self.statistics = statistics
    }

    @inlinable
    func makeCell<Value, Use: GatherUse>() -> GatherCell<Value, Use> {
        sources += 1
        missing += 1
        let cell = GatherCell<Value, Use>(self)
        if statistics != nil { drops.append { cell.dropWaiting() } }
        return cell
    }
}

/// The values of one source that have not been used. Owned by whoever owns the gathering's strand.
@usableFromInline
final class GatherCell<Value, Use: GatherUse> {
    @usableFromInline let state: GatherState

    @safe @exclusivity(unchecked)
    @usableFromInline var first: Value?

    /// What `zip` has still to send, behind `first`.
    @safe @exclusivity(unchecked)
    @usableFromInline var rest = Fifo<Value>()

    @safe @exclusivity(unchecked)
    @usableFromInline var isCompleted = false

    @inlinable
    init(_ state: GatherState) {
        self.state = state
        first = nil
    }

    /// Takes a value in, and says whether there was room.
    @inlinable @inline(__always)
    @discardableResult
    func put(_ value: Value) -> Bool {
        if first == nil {
            state.missing -= 1
        } else if Use.takesOnce {
            // `first` waits, too.
            if rest.count + 1 >= state.bound.capacity { return false }
            rest.append(value)
            return true
        }
        first = value
        return true
    }

    /// Puts a value behind those that wait, the first of which is dropped.
    @inlinable
    func replaceOldest(with value: Value) {
        let dropped = first
        rest.append(value)
        first = rest.popFirst()
        // Let go of only when everything is in its place.
        _ = dropped
    }

    /// Lets go of the values that wait.
    @inlinable
    func dropWaiting() {
        while first != nil {
            state.statistics?.countDropped()
            first = rest.popFirst()
        }
    }

    /// The value whose turn it is. There is one: ``GatherState/missing`` says so.
    @inlinable @inline(__always)
    func take() -> Value {
        guard let value = first else { preconditionFailure("a source that has no value was asked for one") }
        if Use.takesOnce {
            first = rest.popFirst()
            if first == nil {
                state.missing += 1
                if isCompleted { state.isExhausted = true }
            }
        }
        return value
    }

    @inlinable
    func complete() {
        isCompleted = true
        if Use.takesOnce, first == nil { state.isExhausted = true }
    }
}
