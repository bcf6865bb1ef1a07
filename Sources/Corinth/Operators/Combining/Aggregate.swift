/// The kernel of `combineLatest` and `zip`, which send one value of each source, together, and of `merge(ordered:)`.
///
/// `combineLatest` sends the latest values whenever a source sends, as soon as all have sent. It completes when all sources
/// have completed. `zip` sends the first values, then the second values, and so on. It completes when a completed source
/// has no value left. `merge(ordered:)` sends the smallest of the oldest values as long as no source may send a smaller one. It
/// completes when all sources have completed. A failure or an interruption of a source ends each of them at once (law E6).
@usableFromInline
@safe
final class Aggregate<Use: AggregateStrategy, Next: Receiver>: Join<Next>,
    @unchecked Sendable  // As its superclass.
{
    @usableFromInline let state: AggregateState

    /// Sends what it can, because no value is missing. `combineLatest` and `zip` take a value of each source and send them
    /// together. It doesn't return them: a returned tuple is written to memory in parts and read as a whole, which stalls the
    /// processor.
    @usableFromInline let send: (Next) -> Void

    /// The error with which it fails on overflow. nil if it continues.
    @usableFromInline let failure: Next.Error?

    /// Closures that drop the waiting values of each source, if they are counted. Owned by the strand's owner.
    @usableFromInline var drops: [() -> Void]

    /// Called with the address of a cell whose oldest value was replaced; nil if that makes no difference. Set before the
    /// sources are connected.
    @usableFromInline var replaced: ((UnsafeRawPointer) -> Void)?

    @inlinable
    init(
        _ state: AggregateState, _ output: JoinOutput<Next>, failure: Next.Error?, send: @escaping (Next) -> Void
    ) {
        self.state = state
        self.failure = failure
        if let statistics = state.statistics, !Use.sendsSingly {
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
            self.strand.performAtOnce(on: self, with: ()) { aggregate, _ in aggregate.dropWaiting() }
        }
    }

    @usableFromInline
    func dropWaiting() {
        isTerminated = true
        for drop in drops { drop() }
        drops = []
    }

    /// The input for the source whose values are stored in a cell.
    @inlinable
    func input<Value>(for cells: AggregateCells<Value, Use>, at index: Int = 0) -> Sink<Value, Next.Error> {
        let input = unsafe AggregateInput(self, cells.cell(index))
        if cells.state.statistics != nil { return input.countingSink }
        // They capture the input alone, so nothing is allocated for them.
        return Sink(value: { input.send($0) }, termination: { input.send($0) })
    }

    @inlinable @inline(__always)
    func receive<Value>(_ value: Value, in cell: UnsafeMutablePointer<AggregateCell<Value, Use>>) {
        if isTerminated {
            state.statistics?.countDropped()
            return
        }
        guard unsafe cell.pointee.put(value, state) else {
            unsafe overflow(value, in: cell)
            return
        }
        guard state.missing == 0 else { return }
        send(next)
        if Use.takesOnce, !Use.sendsSingly, state.isExhausted { terminate(.completed) }
    }

    /// Applies the overflow policy to a value.
    @inlinable
    @inline(never)
    func overflow<Value>(_ value: Value, in cell: UnsafeMutablePointer<AggregateCell<Value, Use>>) {
        state.statistics?.countDropped()
        if let failure {
            terminate(.failed(failure))
        } else if state.bound.dropsOldest {
            unsafe cell.pointee.replaceOldest(with: value)
            unsafe replaced?(UnsafeRawPointer(cell))
        }
    }

    @inlinable
    func end<Value>(
        _ termination: Termination<Next.Error>, of cell: UnsafeMutablePointer<AggregateCell<Value, Use>>
    ) {
        guard case .completed = termination else {
            terminate(termination)
            return
        }
        active -= 1
        unsafe cell.pointee.complete(state)
        if Use.sendsSingly {
            if state.missing == 0, !isTerminated { send(next) }
            if active == 0 { terminate(.completed) }
        } else if active == 0 || state.isExhausted {
            terminate(.completed)
        }
    }
}

/// An aggregate and one of its sources.
@usableFromInline
@safe final class AggregateInput<Use: AggregateStrategy, Next: Receiver, Value> {
    @usableFromInline let aggregate: Aggregate<Use, Next>

    /// In the memory of cells that the aggregate retains.
    @usableFromInline let cell: UnsafeMutablePointer<AggregateCell<Value, Use>>

    @inlinable
    init(_ aggregate: Aggregate<Use, Next>, _ cell: UnsafeMutablePointer<AggregateCell<Value, Use>>) {
        self.aggregate = aggregate
        unsafe self.cell = unsafe cell
    }

    @inlinable @inline(__always)
    func send(_ value: Value) {
        unsafe aggregate.send(value, to: self, aggregate.receive(value, in: cell)) { input, value in
            unsafe input.aggregate.receive(value, in: input.cell)
        }
    }

    @inlinable @inline(__always)
    func send(_ termination: Termination<Next.Error>) {
        aggregate.perform(on: self, with: termination) { input, termination in
            unsafe input.aggregate.end(termination, of: input.cell)
        }
    }

    /// The sink that counts the values, too.
    @inlinable
    var countingSink: Sink<Value, Next.Error> {
        @inline(never)
        get {
            let statistics = aggregate.state.statistics
            return Sink(
                value: {
                    statistics?.countSent()
                    self.send($0)
                },
                termination: { self.send($0) })
        }
    }
}

/// How an aggregate uses the values. A type, so that specialised code knows it at compile time.
@usableFromInline
protocol AggregateStrategy: SendableMetatype {
    /// Whether it uses each value once. Otherwise it does until the next one arrives.
    static var takesOnce: Bool { get }

    /// Whether it sends single values, also when sources have completed. Otherwise it sends one of each source, together.
    static var sendsSingly: Bool { get }
}

extension AggregateStrategy {
    @inlinable static var sendsSingly: Bool { false }
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

/// Sends each value once and singly, as `merge(ordered:)` does.
@usableFromInline
enum OrderedMergeStrategy: AggregateStrategy {
    @inlinable static var takesOnce: Bool { true }
    @inlinable static var sendsSingly: Bool { true }
}

/// The shared state of an aggregate's cells. Owned by the strand's owner.
@usableFromInline
final class AggregateState {
    /// The number of cells.
    @safe @exclusivity(unchecked)
    @usableFromInline var sources = 0

    /// The number of cells without a value that still get one.
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

    /// Makes the cells of one or several sources.
    @inlinable
    func makeCells<Value, Use: AggregateStrategy>(_ count: Int = 1) -> AggregateCells<Value, Use> {
        sources += count
        missing += count
        let cells = AggregateCells<Value, Use>.make(count, self)
        if statistics != nil { addDrops(of: cells) }
        return cells
    }

    @inlinable
    @inline(never)
    func addDrops<Value, Use: AggregateStrategy>(of cells: AggregateCells<Value, Use>) {
        drops.append { cells.dropWaiting() }
    }
}

/// The cells of one or several sources whose values have the same type, in one allocation. Owned by the strand's owner.
@usableFromInline
final class AggregateCells<Value, Use: AggregateStrategy>:
    ManagedBuffer<AggregateCellsHeader, AggregateCell<Value, Use>>
{
    @inlinable
    static func make(_ count: Int, _ state: AggregateState) -> AggregateCells {
        let made = create(minimumCapacity: count) { _ in AggregateCellsHeader(count: count, state: state) }
        unsafe made.withUnsafeMutablePointerToElements {
            unsafe $0.initialize(repeating: AggregateCell(), count: count)
        }
        return unsafe unsafeDowncast(made, to: AggregateCells.self)
    }

    @inlinable
    deinit {
        _ = unsafe withUnsafeMutablePointers { unsafe $1.deinitialize(count: $0.pointee.count) }
    }

    // Not `header`, whose accesses are checked for exclusivity.
    @inlinable
    var state: AggregateState {
        @inline(__always)
        get { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.state } }
    }

    @inlinable
    var count: Int { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.count } }

    /// The memory of a cell.
    @inlinable @inline(__always)
    func cell(_ index: Int) -> UnsafeMutablePointer<AggregateCell<Value, Use>> {
        unsafe withUnsafeMutablePointerToElements { unsafe $0 + index }
    }

    /// Stores a sample in the only cell.
    @inlinable @inline(__always)
    func put(_ value: Value) { unsafe _ = cell(0).pointee.put(value, state) }

    /// Returns the oldest value of a cell. It has one, because ``AggregateState/missing`` is 0.
    @inlinable @inline(__always)
    func take(_ index: Int = 0) -> Value { unsafe cell(index).pointee.take(state) }

    /// Drops all waiting values.
    @inlinable
    func dropWaiting() {
        for index in 0..<count { unsafe cell(index).pointee.dropWaiting(state) }
    }
}

@frozen
@usableFromInline
struct AggregateCellsHeader {
    @usableFromInline let count: Int
    @usableFromInline let state: AggregateState

    @inlinable
    init(count: Int, state: AggregateState) {
        self.count = count
        self.state = state
    }
}

/// The unused values of one source.
@frozen
@usableFromInline
struct AggregateCell<Value, Use: AggregateStrategy> {
    @usableFromInline var first: Value?

    /// The values after `first`, if each is used once.
    @usableFromInline var rest = Deque<Value>()

    @usableFromInline var isCompleted = false

    @inlinable
    init() { first = nil }

    /// Stores a value. Returns false if the cell is full.
    @inlinable @inline(__always)
    mutating func put(_ value: Value, _ state: AggregateState) -> Bool {
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
    mutating func replaceOldest(with value: Value) {
        let dropped = first
        rest.append(value)
        first = rest.popFirst()
        // Released after the cell is consistent again, because the release may run user code.
        _ = dropped
    }

    /// Drops all waiting values.
    @inlinable
    mutating func dropWaiting(_ state: AggregateState) {
        while first != nil {
            state.statistics?.countDropped()
            first = rest.popFirst()
        }
    }

    @inlinable @inline(__always)
    mutating func take(_ state: AggregateState) -> Value {
        guard let value = first else { preconditionFailure("a source has no buffered value") }
        if Use.takesOnce {
            first = rest.popFirst()
            if first == nil {
                if isCompleted { state.isExhausted = true } else { state.missing += 1 }
            }
        }
        return value
    }

    @inlinable
    mutating func complete(_ state: AggregateState) {
        isCompleted = true
        if Use.takesOnce, first == nil {
            state.missing -= 1
            state.isExhausted = true
        }
    }
}
