/// The strategy `throttle`: forwards the values of the running inner stream, and ignores inner streams that arrive meanwhile.
@usableFromInline
final class ThrottleFlatten<Next: Receiver>: Flatten<Next>, InnerStage, @unchecked Sendable {  // As its superclass.
    @usableFromInline typealias InnerValue = Next.Value
    @usableFromInline typealias Context = Void

    /// The number of running streams, as seen on the strand. It is 2 for a moment if a start is counted before the previous
    /// end. Owned by the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline var running = 0

    @inlinable
    override init(_ output: JoinOutput<Next>) {
        super.init(output)
    }

    /// Accepts a stream. Called where the outer stream delivers. See ``ConcurrentFlatten/admit(_:)`` for its start.
    @inlinable
    func admit(_ inner: Inner) {
        if inner.needsNoRun {
            if !admission.isFree(limit: 1) { return }
            if case .value(let value) = inner.origin {
                strand.perform(on: self, with: value) { $0.forward($1) }
                return
            }
            if !inner.needsNoStart { return admit(made(inner)) }
            strand.perform(on: self, with: inner) { $0.send($1) }
        } else if admission.start(limit: 1) {
            strand.perform(on: self, with: ()) { flatten, _ in flatten.running += 1 }
            start(inner)
        }
    }

    @inlinable
    func start(_ inner: Inner) {
        Trampoline.run(on: self, with: inner) { flatten, inner in
            let run = InnerRun(in: flatten, (), until: flatten.resources)
            run.begin(inner) { value in
                run.stage.send(value, to: run.stage, run.stage.forward(value)) { $0.forward($1) }
            }
        }
    }

    @inlinable
    func finish(_ termination: Termination<Next.Error>, of run: InnerRun<ThrottleFlatten>) {
        // Before the strand handles the end, which may be later: from now on, a new stream may run.
        _ = admission.finish()
        strand.perform(on: self, with: termination) { $0.end($1) }
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) {
        if isTerminated { return }
        running -= 1
        if case .failed = termination {
            terminate(termination)
        } else {
            completeIfDone()
        }
    }

    @inlinable
    func completeIfDone() {
        if isOuterCompleted, running == 0 { terminate(.completed) }
    }
}
