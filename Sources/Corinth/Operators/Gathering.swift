/// A gathering in the making: connects sources of different types, in their order.
///
/// One function for each number of sources, and not one with a parameter pack: code with packs is not specialised in the
/// client by Swift 6.3, which makes an event ten times as expensive (126 against 13 ns with two sources).
@frozen
@usableFromInline
struct Gathering<Use: GatherUse, Next: Receiver> {
    @usableFromInline let state: GatherState
    @usableFromInline let output: JoinOutput<Next>

    /// What it fails with when a value finds no room; nil if it goes on.
    @usableFromInline let failure: Next.Error?

    /// - Parameter buffering: What becomes of the values of each source that wait.
    @inlinable
    init(_ use: Use.Type, _ output: JoinOutput<Next>, _ buffering: Buffering<Next.Error> = .unbounded) {
        state = GatherState(buffering.bound, counting: buffering.statistics)
        self.output = output
        failure = buffering.failure
    }

    /// Connects sources of one type.
    @inlinable
    func connect<Source: JoinSource>(_ sources: [Source])
    where Next.Value == [Source.JoinedValue], Source.JoinedError == Next.Error {
        let cells = sources.map { _ -> GatherCell<Source.JoinedValue, Use> in state.makeCell() }
        let gather = Gather<Use, Next>(state, output, failure: failure) { next in next.receive(cells.map { $0.take() })
        }
        for (source, cell) in zip(sources, cells) {
            source.connect(to: gather.port(for: cell), until: output.resources)
        }
    }

    @inlinable
    func connect<A: JoinSource, B: JoinSource>(
        _ a: A, _ b: B
    )
    where
        Next.Value == (A.JoinedValue, B.JoinedValue),
        A.JoinedError == Next.Error,
        B.JoinedError == Next.Error
    {
        let aCell: GatherCell<A.JoinedValue, Use> = state.makeCell()
        let bCell: GatherCell<B.JoinedValue, Use> = state.makeCell()
        let gather = Gather<Use, Next>(state, output, failure: failure) { next in
            next.receive((aCell.take(), bCell.take()))
        }
        a.connect(to: gather.port(for: aCell), until: output.resources)
        b.connect(to: gather.port(for: bCell), until: output.resources)
    }

    @inlinable
    func connect<A: JoinSource, B: JoinSource, C: JoinSource>(
        _ a: A, _ b: B, _ c: C
    )
    where
        Next.Value == (A.JoinedValue, B.JoinedValue, C.JoinedValue),
        A.JoinedError == Next.Error,
        B.JoinedError == Next.Error,
        C.JoinedError == Next.Error
    {
        let aCell: GatherCell<A.JoinedValue, Use> = state.makeCell()
        let bCell: GatherCell<B.JoinedValue, Use> = state.makeCell()
        let cCell: GatherCell<C.JoinedValue, Use> = state.makeCell()
        let gather = Gather<Use, Next>(state, output, failure: failure) { next in
            next.receive((aCell.take(), bCell.take(), cCell.take()))
        }
        a.connect(to: gather.port(for: aCell), until: output.resources)
        b.connect(to: gather.port(for: bCell), until: output.resources)
        c.connect(to: gather.port(for: cCell), until: output.resources)
    }

    @inlinable
    func connect<A: JoinSource, B: JoinSource, C: JoinSource, D: JoinSource>(
        _ a: A, _ b: B, _ c: C, _ d: D
    )
    where
        Next.Value == (A.JoinedValue, B.JoinedValue, C.JoinedValue, D.JoinedValue),
        A.JoinedError == Next.Error,
        B.JoinedError == Next.Error,
        C.JoinedError == Next.Error,
        D.JoinedError == Next.Error
    {
        let aCell: GatherCell<A.JoinedValue, Use> = state.makeCell()
        let bCell: GatherCell<B.JoinedValue, Use> = state.makeCell()
        let cCell: GatherCell<C.JoinedValue, Use> = state.makeCell()
        let dCell: GatherCell<D.JoinedValue, Use> = state.makeCell()
        let gather = Gather<Use, Next>(state, output, failure: failure) { next in
            next.receive((aCell.take(), bCell.take(), cCell.take(), dCell.take()))
        }
        a.connect(to: gather.port(for: aCell), until: output.resources)
        b.connect(to: gather.port(for: bCell), until: output.resources)
        c.connect(to: gather.port(for: cCell), until: output.resources)
        d.connect(to: gather.port(for: dCell), until: output.resources)
    }

    @inlinable
    func connect<
        A: JoinSource,
        B: JoinSource,
        C: JoinSource,
        D: JoinSource,
        E: JoinSource
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
    )
    where
        Next.Value == (A.JoinedValue, B.JoinedValue, C.JoinedValue, D.JoinedValue, E.JoinedValue),
        A.JoinedError == Next.Error,
        B.JoinedError == Next.Error,
        C.JoinedError == Next.Error,
        D.JoinedError == Next.Error,
        E.JoinedError == Next.Error
    {
        let aCell: GatherCell<A.JoinedValue, Use> = state.makeCell()
        let bCell: GatherCell<B.JoinedValue, Use> = state.makeCell()
        let cCell: GatherCell<C.JoinedValue, Use> = state.makeCell()
        let dCell: GatherCell<D.JoinedValue, Use> = state.makeCell()
        let eCell: GatherCell<E.JoinedValue, Use> = state.makeCell()
        let gather = Gather<Use, Next>(state, output, failure: failure) { next in
            next.receive((aCell.take(), bCell.take(), cCell.take(), dCell.take(), eCell.take()))
        }
        a.connect(to: gather.port(for: aCell), until: output.resources)
        b.connect(to: gather.port(for: bCell), until: output.resources)
        c.connect(to: gather.port(for: cCell), until: output.resources)
        d.connect(to: gather.port(for: dCell), until: output.resources)
        e.connect(to: gather.port(for: eCell), until: output.resources)
    }

    @inlinable
    func connect<
        A: JoinSource,
        B: JoinSource,
        C: JoinSource,
        D: JoinSource,
        E: JoinSource,
        F: JoinSource
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
    )
    where
        Next.Value == (A.JoinedValue, B.JoinedValue, C.JoinedValue, D.JoinedValue, E.JoinedValue, F.JoinedValue),
        A.JoinedError == Next.Error,
        B.JoinedError == Next.Error,
        C.JoinedError == Next.Error,
        D.JoinedError == Next.Error,
        E.JoinedError == Next.Error,
        F.JoinedError == Next.Error
    {
        let aCell: GatherCell<A.JoinedValue, Use> = state.makeCell()
        let bCell: GatherCell<B.JoinedValue, Use> = state.makeCell()
        let cCell: GatherCell<C.JoinedValue, Use> = state.makeCell()
        let dCell: GatherCell<D.JoinedValue, Use> = state.makeCell()
        let eCell: GatherCell<E.JoinedValue, Use> = state.makeCell()
        let fCell: GatherCell<F.JoinedValue, Use> = state.makeCell()
        let gather = Gather<Use, Next>(state, output, failure: failure) { next in
            next.receive((aCell.take(), bCell.take(), cCell.take(), dCell.take(), eCell.take(), fCell.take()))
        }
        a.connect(to: gather.port(for: aCell), until: output.resources)
        b.connect(to: gather.port(for: bCell), until: output.resources)
        c.connect(to: gather.port(for: cCell), until: output.resources)
        d.connect(to: gather.port(for: dCell), until: output.resources)
        e.connect(to: gather.port(for: eCell), until: output.resources)
        f.connect(to: gather.port(for: fCell), until: output.resources)
    }

    @inlinable
    func connect<
        A: JoinSource,
        B: JoinSource,
        C: JoinSource,
        D: JoinSource,
        E: JoinSource,
        F: JoinSource,
        G: JoinSource
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
    )
    where
        Next.Value == (
            A.JoinedValue, B.JoinedValue, C.JoinedValue, D.JoinedValue, E.JoinedValue, F.JoinedValue, G.JoinedValue
        ),
        A.JoinedError == Next.Error,
        B.JoinedError == Next.Error,
        C.JoinedError == Next.Error,
        D.JoinedError == Next.Error,
        E.JoinedError == Next.Error,
        F.JoinedError == Next.Error,
        G.JoinedError == Next.Error
    {
        let aCell: GatherCell<A.JoinedValue, Use> = state.makeCell()
        let bCell: GatherCell<B.JoinedValue, Use> = state.makeCell()
        let cCell: GatherCell<C.JoinedValue, Use> = state.makeCell()
        let dCell: GatherCell<D.JoinedValue, Use> = state.makeCell()
        let eCell: GatherCell<E.JoinedValue, Use> = state.makeCell()
        let fCell: GatherCell<F.JoinedValue, Use> = state.makeCell()
        let gCell: GatherCell<G.JoinedValue, Use> = state.makeCell()
        let gather = Gather<Use, Next>(state, output, failure: failure) { next in
            next.receive(
                (aCell.take(), bCell.take(), cCell.take(), dCell.take(), eCell.take(), fCell.take(), gCell.take()))
        }
        a.connect(to: gather.port(for: aCell), until: output.resources)
        b.connect(to: gather.port(for: bCell), until: output.resources)
        c.connect(to: gather.port(for: cCell), until: output.resources)
        d.connect(to: gather.port(for: dCell), until: output.resources)
        e.connect(to: gather.port(for: eCell), until: output.resources)
        f.connect(to: gather.port(for: fCell), until: output.resources)
        g.connect(to: gather.port(for: gCell), until: output.resources)
    }

    @inlinable
    func connect<
        A: JoinSource,
        B: JoinSource,
        C: JoinSource,
        D: JoinSource,
        E: JoinSource,
        F: JoinSource,
        G: JoinSource,
        H: JoinSource
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    )
    where
        Next.Value == (
            A.JoinedValue, B.JoinedValue, C.JoinedValue, D.JoinedValue, E.JoinedValue, F.JoinedValue, G.JoinedValue,
            H.JoinedValue
        ),
        A.JoinedError == Next.Error,
        B.JoinedError == Next.Error,
        C.JoinedError == Next.Error,
        D.JoinedError == Next.Error,
        E.JoinedError == Next.Error,
        F.JoinedError == Next.Error,
        G.JoinedError == Next.Error,
        H.JoinedError == Next.Error
    {
        let aCell: GatherCell<A.JoinedValue, Use> = state.makeCell()
        let bCell: GatherCell<B.JoinedValue, Use> = state.makeCell()
        let cCell: GatherCell<C.JoinedValue, Use> = state.makeCell()
        let dCell: GatherCell<D.JoinedValue, Use> = state.makeCell()
        let eCell: GatherCell<E.JoinedValue, Use> = state.makeCell()
        let fCell: GatherCell<F.JoinedValue, Use> = state.makeCell()
        let gCell: GatherCell<G.JoinedValue, Use> = state.makeCell()
        let hCell: GatherCell<H.JoinedValue, Use> = state.makeCell()
        let gather = Gather<Use, Next>(state, output, failure: failure) { next in
            next.receive(
                (
                    aCell.take(), bCell.take(), cCell.take(), dCell.take(), eCell.take(), fCell.take(),
                    gCell.take(), hCell.take()
                ))
        }
        a.connect(to: gather.port(for: aCell), until: output.resources)
        b.connect(to: gather.port(for: bCell), until: output.resources)
        c.connect(to: gather.port(for: cCell), until: output.resources)
        d.connect(to: gather.port(for: dCell), until: output.resources)
        e.connect(to: gather.port(for: eCell), until: output.resources)
        f.connect(to: gather.port(for: fCell), until: output.resources)
        g.connect(to: gather.port(for: gCell), until: output.resources)
        h.connect(to: gather.port(for: hCell), until: output.resources)
    }

    @inlinable
    func connect<
        A: JoinSource,
        B: JoinSource,
        C: JoinSource,
        D: JoinSource,
        E: JoinSource,
        F: JoinSource,
        G: JoinSource,
        H: JoinSource,
        I: JoinSource
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I
    )
    where
        Next.Value == (
            A.JoinedValue, B.JoinedValue, C.JoinedValue, D.JoinedValue, E.JoinedValue, F.JoinedValue, G.JoinedValue,
            H.JoinedValue, I.JoinedValue
        ),
        A.JoinedError == Next.Error,
        B.JoinedError == Next.Error,
        C.JoinedError == Next.Error,
        D.JoinedError == Next.Error,
        E.JoinedError == Next.Error,
        F.JoinedError == Next.Error,
        G.JoinedError == Next.Error,
        H.JoinedError == Next.Error,
        I.JoinedError == Next.Error
    {
        let aCell: GatherCell<A.JoinedValue, Use> = state.makeCell()
        let bCell: GatherCell<B.JoinedValue, Use> = state.makeCell()
        let cCell: GatherCell<C.JoinedValue, Use> = state.makeCell()
        let dCell: GatherCell<D.JoinedValue, Use> = state.makeCell()
        let eCell: GatherCell<E.JoinedValue, Use> = state.makeCell()
        let fCell: GatherCell<F.JoinedValue, Use> = state.makeCell()
        let gCell: GatherCell<G.JoinedValue, Use> = state.makeCell()
        let hCell: GatherCell<H.JoinedValue, Use> = state.makeCell()
        let iCell: GatherCell<I.JoinedValue, Use> = state.makeCell()
        let gather = Gather<Use, Next>(state, output, failure: failure) { next in
            next.receive(
                (
                    aCell.take(), bCell.take(), cCell.take(), dCell.take(), eCell.take(), fCell.take(),
                    gCell.take(), hCell.take(), iCell.take()
                ))
        }
        a.connect(to: gather.port(for: aCell), until: output.resources)
        b.connect(to: gather.port(for: bCell), until: output.resources)
        c.connect(to: gather.port(for: cCell), until: output.resources)
        d.connect(to: gather.port(for: dCell), until: output.resources)
        e.connect(to: gather.port(for: eCell), until: output.resources)
        f.connect(to: gather.port(for: fCell), until: output.resources)
        g.connect(to: gather.port(for: gCell), until: output.resources)
        h.connect(to: gather.port(for: hCell), until: output.resources)
        i.connect(to: gather.port(for: iCell), until: output.resources)
    }

    @inlinable
    func connect<
        A: JoinSource,
        B: JoinSource,
        C: JoinSource,
        D: JoinSource,
        E: JoinSource,
        F: JoinSource,
        G: JoinSource,
        H: JoinSource,
        I: JoinSource,
        J: JoinSource
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, _ i: I, _ j: J
    )
    where
        Next.Value == (
            A.JoinedValue, B.JoinedValue, C.JoinedValue, D.JoinedValue, E.JoinedValue, F.JoinedValue, G.JoinedValue,
            H.JoinedValue, I.JoinedValue, J.JoinedValue
        ),
        A.JoinedError == Next.Error,
        B.JoinedError == Next.Error,
        C.JoinedError == Next.Error,
        D.JoinedError == Next.Error,
        E.JoinedError == Next.Error,
        F.JoinedError == Next.Error,
        G.JoinedError == Next.Error,
        H.JoinedError == Next.Error,
        I.JoinedError == Next.Error,
        J.JoinedError == Next.Error
    {
        let aCell: GatherCell<A.JoinedValue, Use> = state.makeCell()
        let bCell: GatherCell<B.JoinedValue, Use> = state.makeCell()
        let cCell: GatherCell<C.JoinedValue, Use> = state.makeCell()
        let dCell: GatherCell<D.JoinedValue, Use> = state.makeCell()
        let eCell: GatherCell<E.JoinedValue, Use> = state.makeCell()
        let fCell: GatherCell<F.JoinedValue, Use> = state.makeCell()
        let gCell: GatherCell<G.JoinedValue, Use> = state.makeCell()
        let hCell: GatherCell<H.JoinedValue, Use> = state.makeCell()
        let iCell: GatherCell<I.JoinedValue, Use> = state.makeCell()
        let jCell: GatherCell<J.JoinedValue, Use> = state.makeCell()
        let gather = Gather<Use, Next>(state, output, failure: failure) { next in
            next.receive(
                (
                    aCell.take(), bCell.take(), cCell.take(), dCell.take(), eCell.take(), fCell.take(),
                    gCell.take(), hCell.take(), iCell.take(), jCell.take()
                ))
        }
        a.connect(to: gather.port(for: aCell), until: output.resources)
        b.connect(to: gather.port(for: bCell), until: output.resources)
        c.connect(to: gather.port(for: cCell), until: output.resources)
        d.connect(to: gather.port(for: dCell), until: output.resources)
        e.connect(to: gather.port(for: eCell), until: output.resources)
        f.connect(to: gather.port(for: fCell), until: output.resources)
        g.connect(to: gather.port(for: gCell), until: output.resources)
        h.connect(to: gather.port(for: hCell), until: output.resources)
        i.connect(to: gather.port(for: iCell), until: output.resources)
        j.connect(to: gather.port(for: jCell), until: output.resources)
    }
}
