// Tests/arities writes this file. Change the templates there, and run `Tests/arities --write`.

extension AggregateBuilder {
    /// Connects 2 sources.
    @inlinable
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
        let retained = unsafe aggregate.retained(forInputs: 2)
        unsafe a.connect(to: Aggregate.input(retained, for: aCell), until: output.resources)
        unsafe b.connect(to: Aggregate.input(retained, for: bCell), until: output.resources)
    }

    /// Connects 3 sources.
    @inlinable
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
        let retained = unsafe aggregate.retained(forInputs: 3)
        unsafe a.connect(to: Aggregate.input(retained, for: aCell), until: output.resources)
        unsafe b.connect(to: Aggregate.input(retained, for: bCell), until: output.resources)
        unsafe c.connect(to: Aggregate.input(retained, for: cCell), until: output.resources)
    }

    /// Connects 4 sources.
    @inlinable
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
        let retained = unsafe aggregate.retained(forInputs: 4)
        unsafe a.connect(to: Aggregate.input(retained, for: aCell), until: output.resources)
        unsafe b.connect(to: Aggregate.input(retained, for: bCell), until: output.resources)
        unsafe c.connect(to: Aggregate.input(retained, for: cCell), until: output.resources)
        unsafe d.connect(to: Aggregate.input(retained, for: dCell), until: output.resources)
    }

    /// Connects 5 sources.
    @inlinable
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
        let retained = unsafe aggregate.retained(forInputs: 5)
        unsafe a.connect(to: Aggregate.input(retained, for: aCell), until: output.resources)
        unsafe b.connect(to: Aggregate.input(retained, for: bCell), until: output.resources)
        unsafe c.connect(to: Aggregate.input(retained, for: cCell), until: output.resources)
        unsafe d.connect(to: Aggregate.input(retained, for: dCell), until: output.resources)
        unsafe e.connect(to: Aggregate.input(retained, for: eCell), until: output.resources)
    }

    /// Connects 6 sources.
    @inlinable
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
        let retained = unsafe aggregate.retained(forInputs: 6)
        unsafe a.connect(to: Aggregate.input(retained, for: aCell), until: output.resources)
        unsafe b.connect(to: Aggregate.input(retained, for: bCell), until: output.resources)
        unsafe c.connect(to: Aggregate.input(retained, for: cCell), until: output.resources)
        unsafe d.connect(to: Aggregate.input(retained, for: dCell), until: output.resources)
        unsafe e.connect(to: Aggregate.input(retained, for: eCell), until: output.resources)
        unsafe f.connect(to: Aggregate.input(retained, for: fCell), until: output.resources)
    }

    /// Connects 7 sources.
    @inlinable
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
        let retained = unsafe aggregate.retained(forInputs: 7)
        unsafe a.connect(to: Aggregate.input(retained, for: aCell), until: output.resources)
        unsafe b.connect(to: Aggregate.input(retained, for: bCell), until: output.resources)
        unsafe c.connect(to: Aggregate.input(retained, for: cCell), until: output.resources)
        unsafe d.connect(to: Aggregate.input(retained, for: dCell), until: output.resources)
        unsafe e.connect(to: Aggregate.input(retained, for: eCell), until: output.resources)
        unsafe f.connect(to: Aggregate.input(retained, for: fCell), until: output.resources)
        unsafe g.connect(to: Aggregate.input(retained, for: gCell), until: output.resources)
    }

    /// Connects 8 sources.
    @inlinable
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
        let retained = unsafe aggregate.retained(forInputs: 8)
        unsafe a.connect(to: Aggregate.input(retained, for: aCell), until: output.resources)
        unsafe b.connect(to: Aggregate.input(retained, for: bCell), until: output.resources)
        unsafe c.connect(to: Aggregate.input(retained, for: cCell), until: output.resources)
        unsafe d.connect(to: Aggregate.input(retained, for: dCell), until: output.resources)
        unsafe e.connect(to: Aggregate.input(retained, for: eCell), until: output.resources)
        unsafe f.connect(to: Aggregate.input(retained, for: fCell), until: output.resources)
        unsafe g.connect(to: Aggregate.input(retained, for: gCell), until: output.resources)
        unsafe h.connect(to: Aggregate.input(retained, for: hCell), until: output.resources)
    }

    /// Connects 9 sources.
    @inlinable
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
        let retained = unsafe aggregate.retained(forInputs: 9)
        unsafe a.connect(to: Aggregate.input(retained, for: aCell), until: output.resources)
        unsafe b.connect(to: Aggregate.input(retained, for: bCell), until: output.resources)
        unsafe c.connect(to: Aggregate.input(retained, for: cCell), until: output.resources)
        unsafe d.connect(to: Aggregate.input(retained, for: dCell), until: output.resources)
        unsafe e.connect(to: Aggregate.input(retained, for: eCell), until: output.resources)
        unsafe f.connect(to: Aggregate.input(retained, for: fCell), until: output.resources)
        unsafe g.connect(to: Aggregate.input(retained, for: gCell), until: output.resources)
        unsafe h.connect(to: Aggregate.input(retained, for: hCell), until: output.resources)
        unsafe i.connect(to: Aggregate.input(retained, for: iCell), until: output.resources)
    }

    /// Connects 10 sources.
    @inlinable
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
        let retained = unsafe aggregate.retained(forInputs: 10)
        unsafe a.connect(to: Aggregate.input(retained, for: aCell), until: output.resources)
        unsafe b.connect(to: Aggregate.input(retained, for: bCell), until: output.resources)
        unsafe c.connect(to: Aggregate.input(retained, for: cCell), until: output.resources)
        unsafe d.connect(to: Aggregate.input(retained, for: dCell), until: output.resources)
        unsafe e.connect(to: Aggregate.input(retained, for: eCell), until: output.resources)
        unsafe f.connect(to: Aggregate.input(retained, for: fCell), until: output.resources)
        unsafe g.connect(to: Aggregate.input(retained, for: gCell), until: output.resources)
        unsafe h.connect(to: Aggregate.input(retained, for: hCell), until: output.resources)
        unsafe i.connect(to: Aggregate.input(retained, for: iCell), until: output.resources)
        unsafe j.connect(to: Aggregate.input(retained, for: jCell), until: output.resources)
    }
}
