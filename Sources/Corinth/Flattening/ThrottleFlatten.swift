/// Passes on the values of the inner stream that runs, and ignores those that come meanwhile: the strategy `throttle`.
@usableFromInline
final class ThrottleFlatten<Next: Receiver>: Flatten<Next>, @unchecked Sendable {  // As its superclass.
    /// Owned by whoever owns the strand.
    @safe @exclusivity(unchecked)
    @usableFromInline var isRunning = false

    @inlinable
    override init(_ output: JoinOutput<Next>) {
        super.init(output)
    }

    @inlinable
    override init(_ output: JoinOutput<Next>, sources: Int) {
        super.init(output, sources: sources)
    }

    /// Takes a stream in. Called where the outer stream delivers. It is started outside the strand, as in
    /// ``ConcurrentFlatten/admit(_:)``.
    @inlinable
    func admit(_ inner: Inner) {
        if strand.tryEnter() {
            let starts = accept(inner)
            strand.leave()
            if starts { start(inner) }
        } else {
            strand.queue(inner, for: self) { flatten, inner in
                if flatten.accept(inner) { flatten.start(inner) }
            }
        }
    }

    /// Takes a stream in, and says whether it is to be started.
    @inlinable
    func accept(_ inner: Inner) -> Bool {
        if isTerminated || isRunning { return false }
        switch inner.origin {
        case .recipe:
            isRunning = true
            return true
        case .value(let value): next.receive(value)
        case .failure(let error): terminate(.failed(error))
        case .empty: break
        }
        return false
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
                termination: { termination, _ in
                    strand.perform(on: flatten, with: termination) { $0.end($1) }
                })
        }
    }

    @inlinable @inline(__always)
    func receive(_ value: Next.Value) {
        if !isTerminated { next.receive(value) }
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) {
        if isTerminated { return }
        isRunning = false
        if case .failed = termination {
            terminate(termination)
        } else {
            completeIfDone()
        }
    }

    @inlinable
    func completeIfDone() {
        if isOuterCompleted, !isRunning { terminate(.completed) }
    }
}
