// Tests/arities writes this file. Change the templates there, and run `Tests/arities --write`.

extension AggregateBuilder {
    /// Connects 2 sources.
    @export(implementation)
    func connect<A, B>(
        _ a: some JoinSource<A, Next.Error>, _ b: some JoinSource<B, Next.Error>
    ) where Next.Value == (A, B) {
        let aCell: AggregateCells<A, Use> = state.makeCells()
        let bCell: AggregateCells<B, Use> = state.makeCells()
        let aggregate = Aggregate<Use, Next>(state, output, failure: failure) { next in
            next.receive(
                (
                    aCell.take(), bCell.take()
                ))
        }
        a.connect(to: aggregate.input(for: aCell), until: output.resources)
        b.connect(to: aggregate.input(for: bCell), until: output.resources)
    }

    /// Connects 3 sources.
    @export(implementation)
    func connect<A, B, C>(
        _ a: some JoinSource<A, Next.Error>, _ b: some JoinSource<B, Next.Error>, _ c: some JoinSource<C, Next.Error>
    ) where Next.Value == (A, B, C) {
        let aCell: AggregateCells<A, Use> = state.makeCells()
        let bCell: AggregateCells<B, Use> = state.makeCells()
        let cCell: AggregateCells<C, Use> = state.makeCells()
        let aggregate = Aggregate<Use, Next>(state, output, failure: failure) { next in
            next.receive(
                (
                    aCell.take(), bCell.take(), cCell.take()
                ))
        }
        a.connect(to: aggregate.input(for: aCell), until: output.resources)
        b.connect(to: aggregate.input(for: bCell), until: output.resources)
        c.connect(to: aggregate.input(for: cCell), until: output.resources)
    }

    /// Connects 4 sources.
    @export(implementation)
    func connect<A, B, C, D>(
        _ a: some JoinSource<A, Next.Error>, _ b: some JoinSource<B, Next.Error>, _ c: some JoinSource<C, Next.Error>,
        _ d: some JoinSource<D, Next.Error>
    ) where Next.Value == (A, B, C, D) {
        let aCell: AggregateCells<A, Use> = state.makeCells()
        let bCell: AggregateCells<B, Use> = state.makeCells()
        let cCell: AggregateCells<C, Use> = state.makeCells()
        let dCell: AggregateCells<D, Use> = state.makeCells()
        let aggregate = Aggregate<Use, Next>(state, output, failure: failure) { next in
            next.receive(
                (
                    aCell.take(), bCell.take(), cCell.take(), dCell.take()
                ))
        }
        a.connect(to: aggregate.input(for: aCell), until: output.resources)
        b.connect(to: aggregate.input(for: bCell), until: output.resources)
        c.connect(to: aggregate.input(for: cCell), until: output.resources)
        d.connect(to: aggregate.input(for: dCell), until: output.resources)
    }

    /// Connects 5 sources.
    @export(implementation)
    func connect<A, B, C, D, E>(
        _ a: some JoinSource<A, Next.Error>, _ b: some JoinSource<B, Next.Error>, _ c: some JoinSource<C, Next.Error>,
        _ d: some JoinSource<D, Next.Error>, _ e: some JoinSource<E, Next.Error>
    ) where Next.Value == (A, B, C, D, E) {
        let aCell: AggregateCells<A, Use> = state.makeCells()
        let bCell: AggregateCells<B, Use> = state.makeCells()
        let cCell: AggregateCells<C, Use> = state.makeCells()
        let dCell: AggregateCells<D, Use> = state.makeCells()
        let eCell: AggregateCells<E, Use> = state.makeCells()
        let aggregate = Aggregate<Use, Next>(state, output, failure: failure) { next in
            next.receive(
                (
                    aCell.take(), bCell.take(), cCell.take(), dCell.take(), eCell.take()
                ))
        }
        a.connect(to: aggregate.input(for: aCell), until: output.resources)
        b.connect(to: aggregate.input(for: bCell), until: output.resources)
        c.connect(to: aggregate.input(for: cCell), until: output.resources)
        d.connect(to: aggregate.input(for: dCell), until: output.resources)
        e.connect(to: aggregate.input(for: eCell), until: output.resources)
    }

    /// Connects 6 sources.
    @export(implementation)
    func connect<A, B, C, D, E, F>(
        _ a: some JoinSource<A, Next.Error>, _ b: some JoinSource<B, Next.Error>, _ c: some JoinSource<C, Next.Error>,
        _ d: some JoinSource<D, Next.Error>, _ e: some JoinSource<E, Next.Error>, _ f: some JoinSource<F, Next.Error>
    ) where Next.Value == (A, B, C, D, E, F) {
        let aCell: AggregateCells<A, Use> = state.makeCells()
        let bCell: AggregateCells<B, Use> = state.makeCells()
        let cCell: AggregateCells<C, Use> = state.makeCells()
        let dCell: AggregateCells<D, Use> = state.makeCells()
        let eCell: AggregateCells<E, Use> = state.makeCells()
        let fCell: AggregateCells<F, Use> = state.makeCells()
        let aggregate = Aggregate<Use, Next>(state, output, failure: failure) { next in
            next.receive(
                (
                    aCell.take(), bCell.take(), cCell.take(), dCell.take(), eCell.take(), fCell.take()
                ))
        }
        a.connect(to: aggregate.input(for: aCell), until: output.resources)
        b.connect(to: aggregate.input(for: bCell), until: output.resources)
        c.connect(to: aggregate.input(for: cCell), until: output.resources)
        d.connect(to: aggregate.input(for: dCell), until: output.resources)
        e.connect(to: aggregate.input(for: eCell), until: output.resources)
        f.connect(to: aggregate.input(for: fCell), until: output.resources)
    }

    /// Connects 7 sources.
    @export(implementation)
    func connect<A, B, C, D, E, F, G>(
        _ a: some JoinSource<A, Next.Error>, _ b: some JoinSource<B, Next.Error>, _ c: some JoinSource<C, Next.Error>,
        _ d: some JoinSource<D, Next.Error>, _ e: some JoinSource<E, Next.Error>, _ f: some JoinSource<F, Next.Error>,
        _ g: some JoinSource<G, Next.Error>
    ) where Next.Value == (A, B, C, D, E, F, G) {
        let aCell: AggregateCells<A, Use> = state.makeCells()
        let bCell: AggregateCells<B, Use> = state.makeCells()
        let cCell: AggregateCells<C, Use> = state.makeCells()
        let dCell: AggregateCells<D, Use> = state.makeCells()
        let eCell: AggregateCells<E, Use> = state.makeCells()
        let fCell: AggregateCells<F, Use> = state.makeCells()
        let gCell: AggregateCells<G, Use> = state.makeCells()
        let aggregate = Aggregate<Use, Next>(state, output, failure: failure) { next in
            next.receive(
                (
                    aCell.take(), bCell.take(), cCell.take(), dCell.take(), eCell.take(), fCell.take(), gCell.take()
                ))
        }
        a.connect(to: aggregate.input(for: aCell), until: output.resources)
        b.connect(to: aggregate.input(for: bCell), until: output.resources)
        c.connect(to: aggregate.input(for: cCell), until: output.resources)
        d.connect(to: aggregate.input(for: dCell), until: output.resources)
        e.connect(to: aggregate.input(for: eCell), until: output.resources)
        f.connect(to: aggregate.input(for: fCell), until: output.resources)
        g.connect(to: aggregate.input(for: gCell), until: output.resources)
    }

    /// Connects 8 sources.
    @export(implementation)
    func connect<A, B, C, D, E, F, G, H>(
        _ a: some JoinSource<A, Next.Error>, _ b: some JoinSource<B, Next.Error>, _ c: some JoinSource<C, Next.Error>,
        _ d: some JoinSource<D, Next.Error>, _ e: some JoinSource<E, Next.Error>, _ f: some JoinSource<F, Next.Error>,
        _ g: some JoinSource<G, Next.Error>, _ h: some JoinSource<H, Next.Error>
    ) where Next.Value == (A, B, C, D, E, F, G, H) {
        let aCell: AggregateCells<A, Use> = state.makeCells()
        let bCell: AggregateCells<B, Use> = state.makeCells()
        let cCell: AggregateCells<C, Use> = state.makeCells()
        let dCell: AggregateCells<D, Use> = state.makeCells()
        let eCell: AggregateCells<E, Use> = state.makeCells()
        let fCell: AggregateCells<F, Use> = state.makeCells()
        let gCell: AggregateCells<G, Use> = state.makeCells()
        let hCell: AggregateCells<H, Use> = state.makeCells()
        let aggregate = Aggregate<Use, Next>(state, output, failure: failure) { next in
            next.receive(
                (
                    aCell.take(), bCell.take(), cCell.take(), dCell.take(), eCell.take(), fCell.take(), gCell.take(),
                    hCell.take()
                ))
        }
        a.connect(to: aggregate.input(for: aCell), until: output.resources)
        b.connect(to: aggregate.input(for: bCell), until: output.resources)
        c.connect(to: aggregate.input(for: cCell), until: output.resources)
        d.connect(to: aggregate.input(for: dCell), until: output.resources)
        e.connect(to: aggregate.input(for: eCell), until: output.resources)
        f.connect(to: aggregate.input(for: fCell), until: output.resources)
        g.connect(to: aggregate.input(for: gCell), until: output.resources)
        h.connect(to: aggregate.input(for: hCell), until: output.resources)
    }

    /// Connects 9 sources.
    @export(implementation)
    func connect<A, B, C, D, E, F, G, H, I>(
        _ a: some JoinSource<A, Next.Error>, _ b: some JoinSource<B, Next.Error>, _ c: some JoinSource<C, Next.Error>,
        _ d: some JoinSource<D, Next.Error>, _ e: some JoinSource<E, Next.Error>, _ f: some JoinSource<F, Next.Error>,
        _ g: some JoinSource<G, Next.Error>, _ h: some JoinSource<H, Next.Error>, _ i: some JoinSource<I, Next.Error>
    ) where Next.Value == (A, B, C, D, E, F, G, H, I) {
        let aCell: AggregateCells<A, Use> = state.makeCells()
        let bCell: AggregateCells<B, Use> = state.makeCells()
        let cCell: AggregateCells<C, Use> = state.makeCells()
        let dCell: AggregateCells<D, Use> = state.makeCells()
        let eCell: AggregateCells<E, Use> = state.makeCells()
        let fCell: AggregateCells<F, Use> = state.makeCells()
        let gCell: AggregateCells<G, Use> = state.makeCells()
        let hCell: AggregateCells<H, Use> = state.makeCells()
        let iCell: AggregateCells<I, Use> = state.makeCells()
        let aggregate = Aggregate<Use, Next>(state, output, failure: failure) { next in
            next.receive(
                (
                    aCell.take(), bCell.take(), cCell.take(), dCell.take(), eCell.take(), fCell.take(), gCell.take(),
                    hCell.take(), iCell.take()
                ))
        }
        a.connect(to: aggregate.input(for: aCell), until: output.resources)
        b.connect(to: aggregate.input(for: bCell), until: output.resources)
        c.connect(to: aggregate.input(for: cCell), until: output.resources)
        d.connect(to: aggregate.input(for: dCell), until: output.resources)
        e.connect(to: aggregate.input(for: eCell), until: output.resources)
        f.connect(to: aggregate.input(for: fCell), until: output.resources)
        g.connect(to: aggregate.input(for: gCell), until: output.resources)
        h.connect(to: aggregate.input(for: hCell), until: output.resources)
        i.connect(to: aggregate.input(for: iCell), until: output.resources)
    }

    /// Connects 10 sources.
    @export(implementation)
    func connect<A, B, C, D, E, F, G, H, I, J>(
        _ a: some JoinSource<A, Next.Error>, _ b: some JoinSource<B, Next.Error>, _ c: some JoinSource<C, Next.Error>,
        _ d: some JoinSource<D, Next.Error>, _ e: some JoinSource<E, Next.Error>, _ f: some JoinSource<F, Next.Error>,
        _ g: some JoinSource<G, Next.Error>, _ h: some JoinSource<H, Next.Error>, _ i: some JoinSource<I, Next.Error>,
        _ j: some JoinSource<J, Next.Error>
    ) where Next.Value == (A, B, C, D, E, F, G, H, I, J) {
        let aCell: AggregateCells<A, Use> = state.makeCells()
        let bCell: AggregateCells<B, Use> = state.makeCells()
        let cCell: AggregateCells<C, Use> = state.makeCells()
        let dCell: AggregateCells<D, Use> = state.makeCells()
        let eCell: AggregateCells<E, Use> = state.makeCells()
        let fCell: AggregateCells<F, Use> = state.makeCells()
        let gCell: AggregateCells<G, Use> = state.makeCells()
        let hCell: AggregateCells<H, Use> = state.makeCells()
        let iCell: AggregateCells<I, Use> = state.makeCells()
        let jCell: AggregateCells<J, Use> = state.makeCells()
        let aggregate = Aggregate<Use, Next>(state, output, failure: failure) { next in
            next.receive(
                (
                    aCell.take(), bCell.take(), cCell.take(), dCell.take(), eCell.take(), fCell.take(), gCell.take(),
                    hCell.take(), iCell.take(), jCell.take()
                ))
        }
        a.connect(to: aggregate.input(for: aCell), until: output.resources)
        b.connect(to: aggregate.input(for: bCell), until: output.resources)
        c.connect(to: aggregate.input(for: cCell), until: output.resources)
        d.connect(to: aggregate.input(for: dCell), until: output.resources)
        e.connect(to: aggregate.input(for: eCell), until: output.resources)
        f.connect(to: aggregate.input(for: fCell), until: output.resources)
        g.connect(to: aggregate.input(for: gCell), until: output.resources)
        h.connect(to: aggregate.input(for: hCell), until: output.resources)
        i.connect(to: aggregate.input(for: iCell), until: output.resources)
        j.connect(to: aggregate.input(for: jCell), until: output.resources)
    }
}
