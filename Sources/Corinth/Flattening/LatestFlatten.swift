/// Passes on the values of the newest inner stream, and cancels the one before it: the strategy `latest`.
@usableFromInline
final class LatestFlatten<Next: Receiver>: Flatten<Next>, @unchecked Sendable {  // As its superclass.
    /// Holds the run of the newest inner stream: what it held before is disposed of.
    @usableFromInline let cancellation = SerialDisposable()

    /// The newest inner stream, while it runs. Owned by whoever owns the strand.
    @safe @exclusivity(unchecked)
    @usableFromInline var current: ProducerRun?

    @inlinable
    override init(_ output: JoinOutput<Next>) {
        super.init(output)
        resources.add(cancellation)
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
            let run = accept(inner)
            strand.leave()
            if let run { start(inner, run) }
        } else {
            strand.queue(inner, for: self) { flatten, inner in
                if let run = flatten.accept(inner) { flatten.start(inner, run) }
            }
        }
    }

    /// Cancels the stream that runs, and returns the run of the next one if it is to be started.
    @inlinable
    func accept(_ inner: Inner) -> ProducerRun? {
        if isTerminated { return nil }
        if case .recipe = inner.origin {
            let run = ProducerRun()
            current = run
            cancellation.inner = run
            return run
        }
        if current != nil {
            current = nil
            cancellation.inner = nil
        }
        switch inner.origin {
        case .value(let value): next.receive(value)
        case .failure(let error): terminate(.failed(error))
        case .empty, .recipe: break
        }
        return nil
    }

    @inlinable
    func start(_ inner: Inner, _ run: ProducerRun) {
        Trampoline.run(on: self, with: (inner, run)) { flatten, input in
            let strand = flatten.strand
            flatten.begin(
                input.0, input.1, until: nil,
                value: { value, run in
                    if strand.tryEnter() {
                        flatten.receive(value, of: run)
                        strand.leave()
                    } else {
                        strand.queue((value, run), for: flatten) { $0.receive($1.0, of: $1.1) }
                    }
                },
                termination: { termination, run in
                    strand.perform(on: flatten, with: (termination, run)) { $0.end($1.0, of: $1.1) }
                })
        }
    }

    @inlinable @inline(__always)
    func receive(_ value: Next.Value, of run: ProducerRun) {
        if !isTerminated, current === run { next.receive(value) }
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>, of run: ProducerRun) {
        if isTerminated || current !== run { return }
        current = nil
        if case .failed = termination {
            terminate(termination)
        } else {
            completeIfDone()
        }
    }

    @inlinable
    func completeIfDone() {
        if isOuterCompleted, current == nil { terminate(.completed) }
    }
}
