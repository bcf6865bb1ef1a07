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
        Sink(
            value: { value in self.send(value, to: self, self.receive(value)) { $0.receive($1) } },
            termination: { self.perform(on: self, with: $0) { $0.terminate($1) } })
    }

    /// The input for the source whose latest value is stored in `cell`.
    @inlinable
    func input<Sample>(for cell: AggregateCells<Sample, CombineLatestStrategy>) -> Sink<Sample, Never> {
        let strand = strand
        return Sink(
            value: { sample in strand.send(sample, to: cell, cell.put(sample)) { $0.put($1) } },
            termination: { _ in })
    }
}
