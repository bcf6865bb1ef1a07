/// Each value of a source, together with the latest values of others, which only give samples.
///
/// It ends as the source does: how the others end makes no difference.
@usableFromInline
final class WithLatest<Next: Receiver, Value>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline let state: GatherState

    /// Puts a value together with the latest ones.
    @usableFromInline let assemble: (Value) -> Next.Value

    @inlinable
    init(_ state: GatherState, _ output: JoinOutput<Next>, assemble: @escaping (Value) -> Next.Value) {
        self.state = state
        self.assemble = assemble
        super.init(output, sources: 1)
    }

    @inlinable @inline(__always)
    func receive(_ value: Value) {
        if state.missing == 0, !isTerminated { next.receive(assemble(value)) }
    }

    /// The way in for the source.
    @inlinable
    var source: Sink<Value, Next.Error> {
        // Captured by itself: reached through this, it would be retained for each value.
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

    /// The way in for the source whose latest value `cell` keeps.
    @inlinable
    func port<Sample>(for cell: GatherCell<Sample, LatestUse>) -> Sink<Sample, Never> {
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

    /// Connects a source, and one source whose latest values go with its own.
    ///
    /// - Parameter startsLast: Whether the source is a producer, which must not send before the others can have sent.
    @inlinable
    static func connect<Source: JoinSource, B: JoinSource>(
        _ source: Source, from b: B, to output: JoinOutput<Next>, startsLast: Bool
    )
    where
        Next.Value == (Source.JoinedValue, B.JoinedValue),
        Source.JoinedError == Next.Error,
        B.JoinedError == Never,
        Value == Source.JoinedValue
    {
        let state = GatherState()
        let bCell: GatherCell<B.JoinedValue, LatestUse> = state.makeCell()
        let join = WithLatest(state, output) { value in (value, bCell.take()) }
        if !startsLast { source.connect(to: join.source, until: output.resources) }
        b.connect(to: join.port(for: bCell), until: output.resources)
        if startsLast { source.connect(to: join.source, until: output.resources) }
    }

    /// Connects a source, and 2 sources whose latest values go with its own.
    ///
    /// - Parameter startsLast: Whether the source is a producer, which must not send before the others can have sent.
    @inlinable
    static func connect<Source: JoinSource, B: JoinSource, C: JoinSource>(
        _ source: Source, from b: B, _ c: C, to output: JoinOutput<Next>, startsLast: Bool
    )
    where
        Next.Value == (Source.JoinedValue, B.JoinedValue, C.JoinedValue),
        Source.JoinedError == Next.Error,
        B.JoinedError == Never,
        C.JoinedError == Never,
        Value == Source.JoinedValue
    {
        let state = GatherState()
        let bCell: GatherCell<B.JoinedValue, LatestUse> = state.makeCell()
        let cCell: GatherCell<C.JoinedValue, LatestUse> = state.makeCell()
        let join = WithLatest(state, output) { value in (value, bCell.take(), cCell.take()) }
        if !startsLast { source.connect(to: join.source, until: output.resources) }
        b.connect(to: join.port(for: bCell), until: output.resources)
        c.connect(to: join.port(for: cCell), until: output.resources)
        if startsLast { source.connect(to: join.source, until: output.resources) }
    }

    /// Connects a source, and 3 sources whose latest values go with its own.
    ///
    /// - Parameter startsLast: Whether the source is a producer, which must not send before the others can have sent.
    @inlinable
    static func connect<Source: JoinSource, B: JoinSource, C: JoinSource, D: JoinSource>(
        _ source: Source, from b: B, _ c: C, _ d: D, to output: JoinOutput<Next>, startsLast: Bool
    )
    where
        Next.Value == (Source.JoinedValue, B.JoinedValue, C.JoinedValue, D.JoinedValue),
        Source.JoinedError == Next.Error,
        B.JoinedError == Never,
        C.JoinedError == Never,
        D.JoinedError == Never,
        Value == Source.JoinedValue
    {
        let state = GatherState()
        let bCell: GatherCell<B.JoinedValue, LatestUse> = state.makeCell()
        let cCell: GatherCell<C.JoinedValue, LatestUse> = state.makeCell()
        let dCell: GatherCell<D.JoinedValue, LatestUse> = state.makeCell()
        let join = WithLatest(state, output) { value in (value, bCell.take(), cCell.take(), dCell.take()) }
        if !startsLast { source.connect(to: join.source, until: output.resources) }
        b.connect(to: join.port(for: bCell), until: output.resources)
        c.connect(to: join.port(for: cCell), until: output.resources)
        d.connect(to: join.port(for: dCell), until: output.resources)
        if startsLast { source.connect(to: join.source, until: output.resources) }
    }

    /// Connects a source, and 4 sources whose latest values go with its own.
    ///
    /// - Parameter startsLast: Whether the source is a producer, which must not send before the others can have sent.
    @inlinable
    static func connect<Source: JoinSource, B: JoinSource, C: JoinSource, D: JoinSource, E: JoinSource>(
        _ source: Source, from b: B, _ c: C, _ d: D, _ e: E, to output: JoinOutput<Next>, startsLast: Bool
    )
    where
        Next.Value == (Source.JoinedValue, B.JoinedValue, C.JoinedValue, D.JoinedValue, E.JoinedValue),
        Source.JoinedError == Next.Error,
        B.JoinedError == Never,
        C.JoinedError == Never,
        D.JoinedError == Never,
        E.JoinedError == Never,
        Value == Source.JoinedValue
    {
        let state = GatherState()
        let bCell: GatherCell<B.JoinedValue, LatestUse> = state.makeCell()
        let cCell: GatherCell<C.JoinedValue, LatestUse> = state.makeCell()
        let dCell: GatherCell<D.JoinedValue, LatestUse> = state.makeCell()
        let eCell: GatherCell<E.JoinedValue, LatestUse> = state.makeCell()
        let join = WithLatest(state, output) { value in (value, bCell.take(), cCell.take(), dCell.take(), eCell.take())
        }
        if !startsLast { source.connect(to: join.source, until: output.resources) }
        b.connect(to: join.port(for: bCell), until: output.resources)
        c.connect(to: join.port(for: cCell), until: output.resources)
        d.connect(to: join.port(for: dCell), until: output.resources)
        e.connect(to: join.port(for: eCell), until: output.resources)
        if startsLast { source.connect(to: join.source, until: output.resources) }
    }
}
