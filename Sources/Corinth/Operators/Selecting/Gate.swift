/// Forwards the values of a source while a gate is open. A second source, the trigger, opens, closes or ends the gate.
@usableFromInline
final class Gate<Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    /// Owned by the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline var isOpen: Bool

    @inlinable
    init(_ output: JoinOutput<Next>, isOpen: Bool) {
        self.isOpen = isOpen
        super.init(output, sources: 1)
    }

    @inlinable @inline(__always)
    func receive(_ value: Next.Value) {
        if isOpen, !isTerminated { next.receive(value) }
    }

    /// The input for the source's events.
    ///
    /// - Parameter ended: Handles the source's termination. Called by the strand's owner.
    @inlinable
    func source(
        ended: @escaping (Gate<Next>, Termination<Next.Error>) -> Void
    ) -> Sink<Next.Value, Next.Error> {
        let strand = strand
        return Sink(
            value: { value in strand.send(value, to: self, self.receive(value)) { $0.receive($1) } },
            termination: { strand.perform(on: self, with: $0, ended) })
    }

    /// The input for a trigger, which fires with a value or on completion. An interrupted trigger never fires.
    ///
    /// - Parameter fired: Handles the trigger. Called by the strand's owner.
    @inlinable
    func trigger(fired: @escaping (Gate<Next>) -> Void) -> Sink<Void, Never> {
        let strand = strand
        return Sink(
            value: { strand.perform(on: self, with: fired) { gate, fired in fired(gate) } },
            termination: { termination in
                if case .completed = termination {
                    strand.perform(on: self, with: fired) { gate, fired in fired(gate) }
                }
            })
    }

    /// Completes the result. Thread-safe.
    @inlinable
    func complete() {
        strand.perform(on: self, with: ()) { gate, _ in gate.terminate(.completed) }
    }
}
