/// The kernel of `combineLatest` and `zip`: sends one value of each source, together.
///
/// `combineLatest` sends the latest values whenever a source sends, as soon as all have sent. It completes when all sources
/// have completed. `zip` sends the first values, then the second values, and so on. It completes when a completed source
/// has no value left. A failure or an interruption of a source ends either at once (law E6).
@usableFromInline
final class Aggregate<Use: AggregateStrategy, Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline let state: AggregateState

    /// Takes a value of each source and sends them together. It doesn't return them: a returned tuple is written to memory
    /// in parts and read as a whole, which stalls the processor.
    @usableFromInline let send: (Next) -> Void

    /// The error with which it fails on overflow. nil if it continues.
    @usableFromInline let failure: Next.Error?

    /// Closures that drop the waiting values of each source, if they are counted. Owned by the strand's owner.
    @usableFromInline var drops: [() -> Void]

    @inlinable
    init(
        _ state: AggregateState, _ output: JoinOutput<Next>, failure: Next.Error?, send: @escaping (Next) -> Void
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
        // Runs after the end, or when the result is no longer observed.
        output.resources.add {
            self.strand.perform(on: self, with: ()) { aggregate, _ in aggregate.dropWaiting() }
        }
    }

    @usableFromInline
    func dropWaiting() {
        isTerminated = true
        for drop in drops { drop() }
        drops = []
    }

    /// The input for the source whose values are stored in `cell`.
    @inlinable
    func input<Value>(for cell: AggregateCell<Value, Use>) -> Sink<Value, Next.Error> {
        let input = AggregateInput(self, cell)
        // They capture the input alone, so nothing is allocated for them.
        return Sink(value: { input.send($0) }, termination: { input.send($0) })
    }

    @inlinable @inline(__always)
    func receive<Value>(_ value: Value, in cell: AggregateCell<Value, Use>) {
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

    /// Applies the overflow policy to a value.
    @inlinable
    @inline(never)
    func overflow<Value>(_ value: Value, in cell: AggregateCell<Value, Use>) {
        state.statistics?.countDropped()
        if let failure {
            terminate(.failed(failure))
        } else if state.bound.dropsOldest {
            cell.replaceOldest(with: value)
        }
    }

    @inlinable
    func end<Value>(_ termination: Termination<Next.Error>, of cell: AggregateCell<Value, Use>) {
        guard case .completed = termination else {
            terminate(termination)
            return
        }
        active -= 1
        cell.complete()
        if active == 0 || state.isExhausted { terminate(.completed) }
    }
}

/// An aggregate and one of its sources.
@usableFromInline
final class AggregateInput<Use: AggregateStrategy, Next: Receiver, Value> {
    @usableFromInline let aggregate: Aggregate<Use, Next>
    @usableFromInline let cell: AggregateCell<Value, Use>

    // The aggregate's. Here, too: if they were reached through the aggregate, they would be retained for each value.
    @usableFromInline let strand: Strand
    @usableFromInline let statistics: BufferStatistics?

    @inlinable
    init(_ aggregate: Aggregate<Use, Next>, _ cell: AggregateCell<Value, Use>) {
        self.aggregate = aggregate
        self.cell = cell
        strand = aggregate.strand
        statistics = aggregate.state.statistics
    }

    @inlinable @inline(__always)
    func send(_ value: Value) {
        statistics?.countSent()
        strand.send(value, to: self, aggregate.receive(value, in: cell)) { input, value in
            input.aggregate.receive(value, in: input.cell)
        }
    }

    @inlinable @inline(__always)
    func send(_ termination: Termination<Next.Error>) {
        strand.perform(on: self, with: termination) { input, termination in
            input.aggregate.end(termination, of: input.cell)
        }
    }
}

/// How often an aggregate uses each value. A type, so that specialised code knows it at compile time.
@usableFromInline
protocol AggregateStrategy: SendableMetatype {
    static var takesOnce: Bool { get }
}

/// Uses each value until the next one arrives, as `combineLatest` does.
@usableFromInline
enum CombineLatestStrategy: AggregateStrategy {
    @inlinable static var takesOnce: Bool { false }
}

/// Uses each value once, as `zip` does.
@usableFromInline
enum ZipStrategy: AggregateStrategy {
    @inlinable static var takesOnce: Bool { true }
}

/// The shared state of an aggregate's cells. Owned by the strand's owner.
@usableFromInline
final class AggregateState {
    /// The number of cells.
    @safe @exclusivity(unchecked)
    @usableFromInline var sources = 0

    /// The number of cells without a value.
    @safe @exclusivity(unchecked)
    @usableFromInline var missing = 0

    /// Whether a cell has no value and its source has completed.
    @safe @exclusivity(unchecked)
    @usableFromInline var isExhausted = false

    /// The capacity of each cell, and the statistics.
    @usableFromInline let bound: BufferBound
    @usableFromInline let statistics: BufferStatistics?

    /// Closures that drop the waiting values of each cell, if they are counted. The aggregate takes them over.
    @usableFromInline var drops: [() -> Void] = []

    @inlinable
    init(_ bound: BufferBound = BufferBound(capacity: .max), counting statistics: BufferStatistics? = nil) {
        self.bound = bound
        self.statistics = statistics
    }

    @inlinable
    func makeCell<Value, Use: AggregateStrategy>() -> AggregateCell<Value, Use> {
        sources += 1
        missing += 1
        let cell = AggregateCell<Value, Use>(self)
        if statistics != nil { addDrops(of: cell) }
        return cell
    }

    @inlinable
    @inline(never)
    func addDrops<Value, Use: AggregateStrategy>(of cell: AggregateCell<Value, Use>) {
        drops.append { cell.dropWaiting() }
    }
}

/// The unused values of one source. Owned by the strand's owner.
@usableFromInline
final class AggregateCell<Value, Use: AggregateStrategy> {
    @usableFromInline let state: AggregateState

    @safe @exclusivity(unchecked)
    @usableFromInline var first: Value?

    /// The values of `zip` after `first`.
    @safe @exclusivity(unchecked)
    @usableFromInline var rest = Deque<Value>()

    @safe @exclusivity(unchecked)
    @usableFromInline var isCompleted = false

    @inlinable
    init(_ state: AggregateState) {
        self.state = state
        first = nil
    }

    /// Stores a value. Returns false if the cell is full.
    @inlinable @inline(__always)
    @discardableResult
    func put(_ value: Value) -> Bool {
        if first == nil {
            state.missing -= 1
        } else if Use.takesOnce {
            // `first` counts towards the capacity.
            if rest.count + 1 >= state.bound.capacity { return false }
            rest.append(value)
            return true
        }
        first = value
        return true
    }

    /// Appends a value and drops the oldest one.
    @inlinable
    func replaceOldest(with value: Value) {
        let dropped = first
        rest.append(value)
        first = rest.popFirst()
        // Released after the cell is consistent again, because the release may run user code.
        _ = dropped
    }

    /// Drops all waiting values.
    @inlinable
    func dropWaiting() {
        while first != nil {
            state.statistics?.countDropped()
            first = rest.popFirst()
        }
    }

    /// Returns the oldest value. The cell has one, because ``AggregateState/missing`` is 0.
    @inlinable @inline(__always)
    func take() -> Value {
        guard let value = first else { preconditionFailure("a source has no buffered value") }
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
