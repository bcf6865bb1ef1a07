/// Builds an aggregate: connects sources of different types, in their order.
///
/// There is one function for each number of sources instead of one with a parameter pack. Swift 6.3 doesn't specialise code
/// with packs in the client, which makes an event ten times as expensive (126 against 13 ns with two sources).
/// `Tests/arities` generates these functions.
@frozen
@usableFromInline
struct AggregateBuilder<Use: AggregateStrategy, Next: Receiver> {
    @usableFromInline let state: AggregateState
    @usableFromInline let output: JoinOutput<Next>

    /// The error with which the aggregate fails on overflow; nil if it continues.
    @usableFromInline let failure: Next.Error?

    /// - Parameter buffering: How the values of each source are buffered.
    @inlinable
    init(_ use: Use.Type, _ output: JoinOutput<Next>, _ buffering: Buffering<Next.Error> = .unbounded) {
        state = AggregateState(buffering.bound, counting: buffering.statistics)
        self.output = output
        failure = buffering.failure
    }

    /// Connects sources of one type.
    @inlinable
    func connect<Source: JoinSource>(_ sources: [Source])
    where Next.Value == [Source.JoinedValue], Source.JoinedError == Next.Error {
        let cells: AggregateCells<Source.JoinedValue, Use> = state.makeCells(sources.count)
        let aggregate = Aggregate<Use, Next>(state, output, failure: failure) { next in
            next.receive((0..<cells.count).map { cells.take($0) })
        }
        Source.connect(sources, until: output.resources) { aggregate.input(for: cells, at: $0) }
    }
}
