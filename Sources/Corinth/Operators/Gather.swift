/// One value of each source, together: the kernel of `combineLatest` and of `zip`.
///
/// `combineLatest` sends the latest values whenever one source sends and all have sent; it completes when all have
/// completed. `zip` sends the first values, then the second ones, and so on; it completes when a source that has completed
/// has nothing left. A failure or an interruption ends either at once (law E6).
@usableFromInline
final class Gather<Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline let state: GatherState

    /// Takes a value of each source.
    @usableFromInline let assemble: () -> Next.Value

    @inlinable
    init(_ state: GatherState, _ output: JoinOutput<Next>, assemble: @escaping () -> Next.Value) {
        self.state = state
        self.assemble = assemble
        super.init(output, sources: state.sources)
    }

    /// The way in for the source whose values `cell` keeps.
    @inlinable
    func port<Value>(for cell: GatherCell<Value>) -> Sink<Value, Next.Error> {
        let port = GatherPort(self, cell)
        // Captured by itself: reached through the port, it would be retained for each value.
        let strand = strand
        return Sink(
            value: { value in
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
    func receive<Value>(_ value: Value, in cell: GatherCell<Value>) {
        if isTerminated { return }
        cell.put(value)
        guard state.missing == 0 else { return }
        next.receive(assemble())
        if state.isExhausted { terminate(.completed) }
    }

    @inlinable
    func end<Value>(_ termination: Termination<Next.Error>, of cell: GatherCell<Value>) {
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
final class GatherPort<Next: Receiver, Value> {
    @usableFromInline let gather: Gather<Next>
    @usableFromInline let cell: GatherCell<Value>

    @inlinable
    init(_ gather: Gather<Next>, _ cell: GatherCell<Value>) {
        self.gather = gather
        self.cell = cell
    }
}

/// What the cells of a gathering have in common. Owned by whoever owns its strand.
@usableFromInline
final class GatherState {
    /// Whether each value is used once, as `zip` does, or until the next one comes, as `combineLatest` does.
    @usableFromInline let takesOnce: Bool

    /// How many cells there are.
    @safe @exclusivity(unchecked)
    @usableFromInline var sources = 0

    /// How many have no value to give.
    @safe @exclusivity(unchecked)
    @usableFromInline var missing = 0

    /// Whether one will never have a value again.
    @safe @exclusivity(unchecked)
    @usableFromInline var isExhausted = false

    @inlinable
    init(takesOnce: Bool) {
        self.takesOnce = takesOnce
    }

    @inlinable
    func makeCell<Value>() -> GatherCell<Value> {
        sources += 1
        missing += 1
        return GatherCell(self)
    }
}

/// The values of one source that have not been used. Owned by whoever owns the gathering's strand.
@usableFromInline
final class GatherCell<Value> {
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

    @inlinable @inline(__always)
    func put(_ value: Value) {
        if first == nil {
            state.missing -= 1
        } else if state.takesOnce {
            rest.append(value)
            return
        }
        first = value
    }

    /// The value whose turn it is. There is one: ``GatherState/missing`` says so.
    @inlinable @inline(__always)
    func take() -> Value {
        guard let value = first else { preconditionFailure("a source that has no value was asked for one") }
        if state.takesOnce {
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
        if state.takesOnce, first == nil { state.isExhausted = true }
    }
}
