/// The kernel of `combineLatest` of many sources: sends the array of their latest values whenever one sends and all have sent.
///
/// It changes the array that it has sent before, in place. Only if an observer has kept that one is it copied. Otherwise the
/// kernel behaves like ``Aggregate``: it completes when all sources have completed, and a failure or an interruption ends it at
/// once (law E6).
@usableFromInline
final class CombineLatestMany<Value, Next: Receiver>: Join<Next>, @unchecked Sendable  // As its superclass.
where Next.Value == [Value] {
    /// The latest value of each source until all have sent, then empty. This and all properties below are owned by the strand's
    /// owner.
    @safe @exclusivity(unchecked)
    @usableFromInline var first: [Value?]

    /// The number of sources that have not sent yet.
    @safe @exclusivity(unchecked)
    @usableFromInline var missing: Int

    /// The latest values, since all sources have sent.
    @safe @exclusivity(unchecked)
    @usableFromInline var latest: [Value] = []

    @inlinable
    override init(_ output: JoinOutput<Next>, sources: Int) {
        first = Array(repeating: nil, count: sources)
        missing = sources
        super.init(output, sources: sources)
    }

    /// Connects the sources.
    @inlinable
    static func connect<Source: JoinSource>(_ sources: [Source], to output: JoinOutput<Next>)
    where Source.JoinedValue == Value, Source.JoinedError == Next.Error {
        let join = CombineLatestMany(output, sources: sources.count)
        Source.connect(sources, until: output.resources) { join.input(at: $0) }
    }

    /// The input for the source at an index.
    @inlinable
    func input(at index: Int) -> Sink<Value, Next.Error> {
        let input = CombineLatestManyInput(self, index)
        return Sink(
            value: { value in
                input.join.send(value, to: input, input.join.receive(value, at: input.index)) { input, value in
                    input.join.receive(value, at: input.index)
                }
            },
            termination: { input.join.perform(on: input.join, with: $0) { $0.endSource($1) } })
    }

    @inlinable @inline(__always)
    func receive(_ value: Value, at index: Int) {
        if isTerminated { return }
        if missing == 0 {
            // The old value is released after the access, because the release may run user code.
            var value = value
            swap(&latest[index], &value)
        } else if !begin(value, at: index) {
            return
        }
        next.receive(latest)
    }

    /// Stores a value while a source has not sent yet. Returns whether all have sent now.
    @inlinable
    @inline(never)
    func begin(_ value: Value, at index: Int) -> Bool {
        var value = Optional(value)
        swap(&first[index], &value)
        if value == nil { missing -= 1 }
        if missing > 0 { return false }
        latest.reserveCapacity(first.count)
        for case let value? in first { latest.append(value) }
        first = []
        return true
    }
}

/// A source of ``CombineLatestMany``.
@usableFromInline
final class CombineLatestManyInput<Value, Next: Receiver> where Next.Value == [Value] {
    @usableFromInline let join: CombineLatestMany<Value, Next>
    @usableFromInline let index: Int

    @inlinable
    init(_ join: CombineLatestMany<Value, Next>, _ index: Int) {
        self.join = join
        self.index = index
    }
}
