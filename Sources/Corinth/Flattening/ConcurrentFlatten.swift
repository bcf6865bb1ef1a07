/// The strategies `merge`, `concat` and `concurrent(limit:)`: runs up to `limit` inner streams at once, and forwards their
/// values.
@usableFromInline
final class ConcurrentFlatten<Next: Receiver>: QueuingFlatten<Next>, InnerStage,
    @unchecked Sendable  // As its superclass.
{
    @usableFromInline typealias InnerValue = Next.Value
    @usableFromInline typealias Context = Void

    /// The number of running streams, as seen on the strand: a start is counted before the stream's values, an end after
    /// them. A stream that replaces another one doesn't change the count. Owned by the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline var running: UInt = 0

    @inlinable
    override init(_ output: JoinOutput<Next>, limit: UInt, _ buffering: Buffering<Next.Error>) {
        super.init(output, limit: limit, buffering)
    }

    /// Accepts a stream. Called where the outer stream delivers.
    ///
    /// Unless it has to wait for other streams, it is started before this returns: see ``Admission``. It is started outside
    /// the strand, so values that it sends at once aren't queued.
    @inlinable
    func admit(_ inner: __owned Inner) {
        if inner.needsNoRun, admission.isFree(limit: limit) {
            if case .value(let value) = inner.origin {
                strand.perform(on: self, with: value) { flatten, value in
                    flatten.countPassed()
                    flatten.forward(value)
                }
                return
            }
            if !inner.needsNoStart { return admit(made(inner)) }
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

    /// Starts a stream that may run, or sends its events if it needs no start. Goes on with the streams that wait while each
    /// ends inside its start.
    @inlinable
    func run(_ inner: Inner) {
        Trampoline.run(on: self, with: inner) { flatten, inner in
            var next: Inner? = inner
            while let inner = next { next = flatten.start(inner) }
        }
    }

    /// - Returns: The stream that follows, if this one has ended inside its start and another one waits.
    @inlinable
    func start(_ inner: Inner) -> Inner? {
        if inner.needsNoRun {
            strand.perform(on: self, with: made(inner)) { $0.send($1) }
            if admission.finish() {
                strand.perform(on: self, with: ()) { flatten, _ in flatten.finish() }
                return nil
            }
            return takeTurn()
        }
        let run = InnerRun(in: self, (), until: resources)
        run.begin(inner) { value in
            run.stage.send(value, to: run.stage, run.stage.forward(value)) { $0.forward($1) }
        }
        return run.phase.returns() ? takeTurn() : nil
    }

    /// Handles the end of an inner stream, and starts the next one.
    @inlinable
    func finish(_ termination: Termination<Next.Error>, of run: InnerRun<ConcurrentFlatten>) {
        if case .failed(let error) = termination {
            strand.perform(on: self, with: error) { $0.fail($1) }
        } else if admission.finish() {
            strand.perform(on: self, with: ()) { flatten, _ in flatten.finish() }
        } else if !run.phase.delegates() {
            if let next = takeTurn() { self.run(next) }
        }
    }

    /// The stream that replaces one that has ended while others waited. nil if others have replaced it meanwhile.
    @inlinable
    func takeTurn() -> Inner? {
        if let next = takeWaiting() { return next }
        strand.perform(on: self, with: ()) { flatten, _ in flatten.finish() }
        return nil
    }

    /// Counts one running stream less.
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
