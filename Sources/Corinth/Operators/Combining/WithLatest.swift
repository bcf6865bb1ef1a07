/// The kernel of `withLatest`: sends each value of a source together with the latest values of other sources.
///
/// It ends with the source. The end of another source has no effect.
@usableFromInline
final class WithLatest<Next: Receiver, Value>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline let state: AggregateState

    /// Combines a value with the latest values.
    @usableFromInline let assemble: (Value) -> Next.Value

    @inlinable
    init(_ state: AggregateState, _ output: JoinOutput<Next>, assemble: @escaping (Value) -> Next.Value) {
        self.state = state
        self.assemble = assemble
        super.init(output, sources: 1)
    }

    @inlinable @inline(__always)
    func receive(_ value: Value) {
        if state.missing == 0, !isTerminated { next.receive(assemble(value)) }
    }

    /// The input for the source's events.
    @inlinable
    var source: Sink<Value, Next.Error> {
        // Captured separately: if reached through `self`, it would be retained for each value.
        let strand = strand
        return Sink(
            value: { value in
                if strand.tryEnter() {
                    self.receive(value)
                    strand.leave()
                } else {
                    strand.queue(value, for: self) { join, value in join.receive(value) }
                }
            },
            termination: { termination in
                strand.perform(on: self, with: termination) { join, termination in join.terminate(termination) }
            })
    }

    /// The input for the source whose latest value is stored in `cell`.
    @inlinable
    func input<Sample>(for cell: AggregateCell<Sample, CombineLatestStrategy>) -> Sink<Sample, Never> {
        let strand = strand
        return Sink(
            value: { sample in
                if strand.tryEnter() {
                    cell.put(sample)
                    strand.leave()
                } else {
                    strand.queue(sample, for: cell) { cell, sample in cell.put(sample) }
                }
            },
            termination: { _ in })
    }
}
