/// The kernel of `all` and `any`: whether enough of the latest values of several sources are true.
///
/// It counts. `combineLatest` with a fold would make an array for each value. Otherwise it behaves like `combineLatest`: it
/// sends nothing until all sources have sent, and completes when all have completed. A failure or an interruption ends it.
@usableFromInline
final class BooleanAggregate<Next: Receiver>: Join<Next>, @unchecked Sendable  // As its superclass.
where Next.Value == Bool {
    /// The number of sources that must be true.
    @usableFromInline let quorum: Int

    /// The number of sources that are true. This and all properties below are owned by the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline var count = 0

    /// The number of sources that have not sent yet.
    @safe @exclusivity(unchecked)
    @usableFromInline var missing: Int

    @inlinable
    init(_ output: JoinOutput<Next>, sources: Int, quorum: Int) {
        self.quorum = quorum
        missing = sources
        super.init(output, sources: sources)
    }

    /// Connects the sources. At least `quorum` of them must be true.
    @inlinable
    static func connect<Source: JoinSource>(_ sources: [Source], quorum: Int, to output: JoinOutput<Next>)
    where Source.JoinedValue == Bool, Source.JoinedError == Next.Error {
        let aggregate = BooleanAggregate(output, sources: sources.count, quorum: quorum)
        Source.connect(sources, until: output.resources) { _ in aggregate.makeInput() }
    }

    /// The input for one more source.
    @inlinable
    func makeInput() -> Sink<Bool, Next.Error> {
        let input = BooleanAggregateInput(self)
        return Sink(
            value: { value in
                input.aggregate.send(value, to: input, input.aggregate.receive(value, in: input)) { input, value in
                    input.aggregate.receive(value, in: input)
                }
            },
            termination: { input.aggregate.perform(on: input.aggregate, with: $0) { $0.endSource($1) } })
    }

    @inlinable @inline(__always)
    func receive(_ value: Bool, in input: BooleanAggregateInput<Next>) {
        if isTerminated { return }
        if !input.hasSent {
            input.hasSent = true
            missing -= 1
        }
        if value != input.isTrue {
            input.isTrue = value
            count += value ? 1 : -1
        }
        if missing == 0 { next.receive(count >= quorum) }
    }
}

/// The latest value of one source. Owned by the strand's owner.
@usableFromInline
final class BooleanAggregateInput<Next: Receiver> where Next.Value == Bool {
    @usableFromInline let aggregate: BooleanAggregate<Next>

    @safe @exclusivity(unchecked)
    @usableFromInline var hasSent = false

    @safe @exclusivity(unchecked)
    @usableFromInline var isTrue = false

    @inlinable
    init(_ aggregate: BooleanAggregate<Next>) {
        self.aggregate = aggregate
    }
}
