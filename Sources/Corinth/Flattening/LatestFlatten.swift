/// The strategy `latest`: forwards the values of the newest inner stream, and disposes of the previous one.
@usableFromInline
final class LatestFlatten<Next: Receiver>: Flatten<Next>, InnerStage, @unchecked Sendable {  // As its superclass.
    @usableFromInline typealias InnerValue = Next.Value
    @usableFromInline typealias Context = InnerMark

    /// Holds the run of the newest inner stream. A new run disposes of the previous one.
    @usableFromInline let cancellation = SerialDisposable()

    /// Whether ``cancellation`` may hold a run. Accessed only by the outer stream, which sends one inner stream at a time.
    @safe @exclusivity(unchecked)
    @usableFromInline var isHoldingRun = false

    /// The newest inner stream while it runs. Owned by the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline var current: InnerMark?

    @inlinable
    override init(_ output: JoinOutput<Next>) {
        super.init(output)
        resources.add(cancellation)
    }

    /// Accepts a stream. Called where the outer stream delivers. See ``ConcurrentFlatten/admit(_:)`` for its start.
    @inlinable
    func admit(_ inner: Inner) {
        if inner.needsNoRun {
            if isHoldingRun { cancel() }
            if case .value(let value) = inner.origin {
                strand.perform(on: self, with: value) { $0.forward($1) }
                return
            }
            if !inner.needsNoStart { return admit(made(inner)) }
            strand.perform(on: self, with: inner) { $0.send($1) }
            return
        }
        let run = InnerRun(in: self, InnerMark())
        isHoldingRun = true
        // Disposes of the previous run, and of this one if the result has ended.
        cancellation.inner = run
        strand.perform(on: self, with: run) { flatten, run in
            if !flatten.isTerminated { flatten.current = run.context }
        }
        start(inner, run)
    }

    /// Disposes of the running stream, if there is one.
    @usableFromInline
    @inline(never)
    func cancel() {
        isHoldingRun = false
        cancellation.inner = nil
        strand.perform(on: self, with: ()) { flatten, _ in flatten.current = nil }
    }

    @inlinable
    func start(_ inner: Inner, _ run: InnerRun<LatestFlatten>) {
        Trampoline.run(on: run, with: inner) { run, inner in
            run.begin(inner) { value in
                run.stage.send((value, run), to: run.stage, run.stage.receive(value, of: run)) {
                    $0.receive($1.0, of: $1.1)
                }
            }
        }
    }

    @inlinable
    func finish(_ termination: Termination<Next.Error>, of run: InnerRun<LatestFlatten>) {
        strand.perform(on: self, with: (termination, run)) { $0.end($1.0, of: $1.1) }
    }

    @inlinable @inline(__always)
    func receive(_ value: Next.Value, of run: InnerRun<LatestFlatten>) {
        if !isTerminated, current === run.context { next.receive(value) }
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>, of run: InnerRun<LatestFlatten>) {
        if isTerminated || current !== run.context { return }
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
