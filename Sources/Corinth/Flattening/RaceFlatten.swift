/// Passes on the events of the inner stream that is the first to send any: the strategy `race`.
@usableFromInline
final class RaceFlatten<Next: Receiver>: Flatten<Next>, @unchecked Sendable {  // As its superclass.
    /// The streams that may still win. Empty once one has.
    @usableFromInline let runners = CompositeDisposable()

    /// Owned by whoever owns the strand, as all that follows.
    @safe @exclusivity(unchecked)
    @usableFromInline var isWon = false

    /// The stream that has won, if it had to be started.
    @safe @exclusivity(unchecked)
    @usableFromInline var winner: ProducerRun?

    /// How many streams run that may win or have won.
    @safe @exclusivity(unchecked)
    @usableFromInline var running = 0

    @inlinable
    override init(_ output: JoinOutput<Next>) {
        super.init(output)
        resources.add(runners)
    }

    @inlinable
    override init(_ output: JoinOutput<Next>, sources: Int) {
        super.init(output, sources: sources)
    }

    /// Takes a stream in. Called where the outer stream delivers. It is started as in ``ConcurrentFlatten/admit(_:)``.
    @inlinable
    func admit(_ inner: Inner) {
        if strand.tryEnter() {
            let starts = accept(inner)
            strand.leave()
            if starts { start(inner) }
        } else if inner.needsNoStart {
            strand.queue(inner, for: self) { flatten, inner in _ = flatten.accept(inner) }
        } else {
            strand.queue((), for: self) { flatten, _ in flatten.enter() }
            // One that comes after the winner is disposed of at once.
            start(inner)
        }
    }

    /// One more may win.
    @inlinable
    func enter() {
        if !isWon { running += 1 }
    }

    /// Takes a stream in, and says whether it is to be started.
    @inlinable
    func accept(_ inner: Inner) -> Bool {
        if isTerminated || isWon { return false }
        if !inner.needsNoStart {
            enter()
            return true
        }
        isWon = true
        running = 0
        runners.dispose()
        send(inner)
        return false
    }

    @inlinable
    func start(_ inner: Inner) {
        Trampoline.run(on: self, with: inner) { flatten, inner in
            let strand = flatten.strand
            let run = ProducerRun()
            // The winner is taken out of the runners, and ends with the result.
            let handle = flatten.runners.add(run)
            flatten.resources.add(run)
            flatten.begin(
                inner, run, until: nil, absorbsInterruption: false,
                value: { value, run in
                    if strand.tryEnter() {
                        flatten.receive(value, of: run, handle)
                        strand.leave()
                    } else {
                        strand.queue((value, run, handle), for: flatten) { $0.receive($1.0, of: $1.1, $1.2) }
                    }
                },
                termination: { termination, run in
                    strand.perform(on: flatten, with: (termination, run, handle)) { $0.end($1.0, of: $1.1, $1.2) }
                })
        }
    }

    @inlinable
    func receive(_ value: Next.Value, of run: ProducerRun, _ handle: (any Disposable)?) {
        if !isTerminated, wins(run, handle) { next.receive(value) }
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>, of run: ProducerRun, _ handle: (any Disposable)?) {
        if isTerminated || !wins(run, handle) { return }
        running = 0
        if case .completed = termination {
            completeIfDone()
        } else {
            terminate(termination)
        }
    }

    /// Whether this is the one that has won: the first that asks has.
    @inlinable
    func wins(_ run: ProducerRun, _ handle: (any Disposable)?) -> Bool {
        if isWon { return winner === run }
        isWon = true
        winner = run
        running = 1
        handle?.dispose()
        runners.dispose()
        return true
    }

    @inlinable
    func completeIfDone() {
        if isOuterCompleted, running == 0 { terminate(.completed) }
    }
}
