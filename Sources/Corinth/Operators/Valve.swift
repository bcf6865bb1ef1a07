/// A source whose values pass while a valve is open. What opens it, closes it or ends it is another source, the trigger.
@usableFromInline
final class Valve<Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    /// Owned by whoever owns the strand.
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

    /// The way in for the source.
    ///
    /// - Parameter ended: What its end means. Called by the owner of the strand.
    @inlinable
    func source(
        ended: @escaping (Valve<Next>, Termination<Next.Error>) -> Void
    ) -> Sink<Next.Value, Next.Error> {
        // Captured by itself: reached through this, it would be retained for each value.
        let strand = strand
        return Sink(
            value: { value in
                if strand.tryEnter() {
                    self.receive(value)
                    strand.leave()
                } else {
                    strand.queue(value, for: self) { valve, value in valve.receive(value) }
                }
            },
            termination: { strand.perform(on: self, with: $0, ended) })
    }

    /// The way in for a trigger that fires with a value or on completion. One that is interrupted never fires.
    ///
    /// - Parameter fired: What that means. Called by the owner of the strand.
    @inlinable
    func trigger(fired: @escaping (Valve<Next>) -> Void) -> Sink<Void, Never> {
        let strand = strand
        return Sink(
            value: { strand.perform(on: self, with: fired) { valve, fired in fired(valve) } },
            termination: { termination in
                if case .completed = termination {
                    strand.perform(on: self, with: fired) { valve, fired in fired(valve) }
                }
            })
    }

    /// Ends with a completion. Called by any thread.
    @inlinable
    func complete() {
        strand.perform(on: self, with: ()) { valve, _ in valve.terminate(.completed) }
    }
}
