/// Runs up to so many inner streams at once and passes their values on: the strategies `merge`, `concat` and
/// `concurrent(limit:)`.
@usableFromInline
final class ConcurrentFlatten<Next: Receiver>: QueuingFlatten<Next>, @unchecked Sendable {  // As its superclass.
    /// How many run, as far as the strand knows: it hears of a start before the stream's values, and of an end after them. One that
    /// follows another is counted as the same one. Owned by whoever owns the strand.
    @safe @exclusivity(unchecked)
    @usableFromInline var running: UInt = 0

    @inlinable
    override init(_ output: JoinOutput<Next>, limit: UInt, _ buffering: Buffering<Next.Error>) {
        super.init(output, limit: limit, buffering)
    }

    /// Takes a stream in. Called where the outer stream delivers.
    ///
    /// It is started outside the strand, so that what it sends at once need not be queued, and before this returns, unless it has
    /// to wait for others: see ``Admission``.
    @inlinable
    func admit(_ inner: Inner) {
        if inner.needsNoStart, admission.isFree(limit: limit) {
            strand.perform(on: self, with: inner) { flatten, inner in
                flatten.countPassed()
                flatten.send(inner)
            }
        } else if takeIn(inner) {
            strand.perform(on: self, with: ()) { flatten, _ in
                flatten.countPassed()
                flatten.running += 1
            }
            run(inner)
        }
    }

    /// Starts a stream that may run, or sends it if it needs no start; and then that whose turn it is.
    @inlinable
    func run(_ inner: Inner) {
        var inner = inner
        while inner.needsNoStart {
            strand.perform(on: self, with: inner) { $0.send($1) }
            guard let next = takeTurn() else {
                strand.perform(on: self, with: ()) { flatten, _ in flatten.finish() }
                return
            }
            inner = next
        }
        start(inner)
    }

    @inlinable
    func start(_ inner: Inner) {
        Trampoline.run(on: self, with: inner) { flatten, inner in
            let strand = flatten.strand
            flatten.begin(
                inner,
                value: { value, _ in
                    if strand.tryEnter() {
                        flatten.receive(value)
                        strand.leave()
                    } else {
                        strand.queue(value, for: flatten) { flatten, value in flatten.receive(value) }
                    }
                },
                termination: { termination, run in
                    if case .failed = termination {
                        flatten.end(termination)
                    } else {
                        Ending.follow(run, on: flatten, with: termination) { flatten, termination in
                            flatten.end(termination)
                        }
                    }
                })
        }
    }

    @inlinable @inline(__always)
    func receive(_ value: Next.Value) {
        if !isTerminated { next.receive(value) }
    }

    /// An inner stream has ended. The next one has its turn.
    @inlinable
    func end(_ termination: Termination<Next.Error>) {
        if case .failed(let error) = termination {
            strand.perform(on: self, with: error) { $0.fail($1) }
        } else if let next = takeTurn() {
            run(next)
        } else {
            strand.perform(on: self, with: ()) { flatten, _ in flatten.finish() }
        }
    }

    /// One less runs.
    @inlinable
    func finish() {
        running -= 1
        if !isTerminated { completeIfDone() }
    }

    @inlinable
    func completeIfDone() {
        if isOuterCompleted, running == 0 { terminate(.completed) }
    }
}
