/// Whether enough of the latest values of some sources are true: the kernel of `all` and of `any`.
///
/// It counts, where `combineLatest` and a fold would make an array for each value. Otherwise it is like `combineLatest`:
/// nothing is sent until all have sent; it completes when all have completed; a failure or an interruption ends it.
@usableFromInline
final class Vote<Next: Receiver>: Join<Next>, @unchecked Sendable  // As its superclass.
where Next.Value == Bool {
    /// How many have to be true.
    @usableFromInline let quorum: Int

    /// How many are true. Owned by whoever owns the strand, as what follows.
    @safe @exclusivity(unchecked)
    @usableFromInline var count = 0

    /// How many have not sent yet.
    @safe @exclusivity(unchecked)
    @usableFromInline var missing: Int

    @inlinable
    init(_ output: JoinOutput<Next>, sources: Int, quorum: Int) {
        self.quorum = quorum
        missing = sources
        super.init(output, sources: sources)
    }

    /// Connects the sources, of which `quorum` have to be true.
    @inlinable
    static func connect<Source: JoinSource>(_ sources: [Source], quorum: Int, to output: JoinOutput<Next>)
    where Source.JoinedValue == Bool, Source.JoinedError == Next.Error {
        let vote = Vote(output, sources: sources.count, quorum: quorum)
        for source in sources { source.connect(to: vote.makePort(), until: output.resources) }
    }

    /// The way in for one more source.
    @inlinable
    func makePort() -> Sink<Bool, Next.Error> {
        let ballot = Ballot(self)
        // Captured by itself: reached through the ballot, it would be retained for each value.
        let strand = strand
        return Sink(
            value: { value in
                if strand.tryEnter() {
                    ballot.vote.receive(value, in: ballot)
                    strand.leave()
                } else {
                    strand.queue(value, for: ballot) { ballot, value in ballot.vote.receive(value, in: ballot) }
                }
            },
            termination: { termination in
                strand.perform(on: ballot.vote, with: termination) { vote, termination in
                    guard case .completed = termination else {
                        vote.terminate(termination)
                        return
                    }
                    vote.active -= 1
                    if vote.active == 0 { vote.terminate(.completed) }
                }
            })
    }

    @inlinable @inline(__always)
    func receive(_ value: Bool, in ballot: Ballot<Next>) {
        if isTerminated { return }
        if !ballot.isCast {
            ballot.isCast = true
            missing -= 1
        }
        if value != ballot.isTrue {
            ballot.isTrue = value
            count += value ? 1 : -1
        }
        if missing == 0 { next.receive(count >= quorum) }
    }
}

/// What one source has said last. Owned by whoever owns the vote's strand.
@usableFromInline
final class Ballot<Next: Receiver> where Next.Value == Bool {
    @usableFromInline let vote: Vote<Next>

    @safe @exclusivity(unchecked)
    @usableFromInline var isCast = false

    @safe @exclusivity(unchecked)
    @usableFromInline var isTrue = false

    @inlinable
    init(_ vote: Vote<Next>) {
        self.vote = vote
    }
}
