/// Runs up to so many inner streams at once and passes their values on: the strategies `merge`, `concat` and
/// `concurrent(limit:)`.
@usableFromInline
final class ConcurrentFlatten<Next: Receiver>: QueuingFlatten<Next>, @unchecked Sendable {  // As its superclass.
    /// How many inner streams may run.
    @usableFromInline let limit: UInt

    /// How many run. Owned by whoever owns the strand.
    @safe @exclusivity(unchecked)
    @usableFromInline var running: UInt = 0

    @inlinable
    init(_ output: JoinOutput<Next>, limit: UInt, _ buffering: Buffering<Next.Error>) {
        self.limit = limit
        super.init(output, buffering)
    }

    @inlinable
    override init(_ output: JoinOutput<Next>, _ buffering: Buffering<Next.Error>) {
        limit = .max
        super.init(output, buffering)
    }

    /// Takes a stream in. Called where the outer stream delivers.
    ///
    /// It is started outside the strand, so that what it sends at once needs not be queued.
    @inlinable
    func admit(_ inner: Inner) {
        if strand.tryEnter() {
            let next = accept(inner)
            strand.leave()
            if let next { start(next) }
        } else {
            strand.queue(inner, for: self) { flatten, inner in
                if let next = flatten.accept(inner) { flatten.start(next) }
            }
        }
    }

    /// Takes a stream in, and returns it if it is to be started now.
    @inlinable
    func accept(_ inner: Inner) -> Inner? { takeIn(inner, isFull: running == limit) ? run(inner) : nil }

    /// Returns a stream that is to be started. One that needs no start is sent at once.
    @inlinable
    func run(_ inner: Inner) -> Inner? {
        switch inner.origin {
        case .recipe:
            running += 1
            return inner
        case .value(let value): next.receive(value)
        case .failure(let error): terminate(.failed(error))
        case .empty: break
        }
        return nil
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
        if strand.tryEnter() {
            let next = settle(termination)
            strand.leave()
            if let next { start(next) }
        } else {
            strand.queue(termination, for: self) { flatten, termination in
                if let next = flatten.settle(termination) { flatten.start(next) }
            }
        }
    }

    @inlinable
    func settle(_ termination: Termination<Next.Error>) -> Inner? {
        if isTerminated { return nil }
        if case .failed(let error) = termination {
            fail(error)
            return nil
        }
        running -= 1
        while !isTerminated, let inner = waiting.popFirst() {
            if let next = run(inner) { return next }
        }
        completeIfDone()
        return nil
    }

    @inlinable
    func completeIfDone() {
        if isOuterCompleted, running == 0, waiting.isEmpty { terminate(.completed) }
    }
}
