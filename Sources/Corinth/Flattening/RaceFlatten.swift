/// The strategy `race`: forwards the events of the first inner stream that sends one.
@usableFromInline
final class RaceFlatten<Next: Receiver>: Flatten<Next>, InnerStage, @unchecked Sendable {  // As its superclass.
    @usableFromInline typealias InnerValue = Next.Value
    @usableFromInline typealias Context = InnerMark

    /// The streams that may still win. Empty after one has won.
    @usableFromInline let runners = CompositeDisposable()

    /// What the strand's owner owns.
    @usableFromInline
    @safe struct State {
        @usableFromInline var isWon = false
        /// The stream that has won, if it was started.
        @usableFromInline var winner: InnerMark?
        /// Whether a stream runs that may win or has won. While none has won, no stream has ended.
        @usableFromInline var isRunning = false

        @inlinable @inline(__always)
        init() {}
    }

    @safe @exclusivity(unchecked)
    @usableFromInline var state = State()

    @inlinable
    override init(_ output: JoinOutput<Next>) {
        super.init(output)
        resources.add(runners)
    }

    /// Accepts a stream. Called where the outer stream delivers. See ``ConcurrentFlatten/admit(_:)`` for its start.
    @inlinable
    func admit(_ inner: Inner) {
        if let owned = strand.enter() {
            let starts = accept(inner)
            strand.leave(owned)
            if starts { start(inner) }
        } else if inner.needsNoStart {
            strand.queue(inner, for: self) { flatten, inner in _ = flatten.accept(inner) }
        } else {
            strand.queue((), for: self) { flatten, _ in flatten.enter() }
            // If another stream has won, this run is disposed of at once.
            start(inner)
        }
    }

    /// Takes note of a stream that may win.
    @inlinable
    func enter() {
        if !state.isWon { state.isRunning = true }
    }

    /// Accepts a stream. Returns whether to start it.
    @inlinable
    func accept(_ inner: Inner) -> Bool {
        if isTerminated || state.isWon { return false }
        if !inner.needsNoStart {
            enter()
            return true
        }
        state.isWon = true
        state.isRunning = false
        runners.dispose()
        send(inner)
        return false
    }

    @inlinable
    func start(_ inner: Inner) {
        Trampoline.run(on: self, with: inner) { flatten, inner in
            // The winner is removed from the runners, and ends with the result.
            let run = InnerRun(in: flatten, InnerMark(), until: flatten.runners)
            flatten.resources.add(run)
            run.begin(inner) { value in
                run.stage.send((value, run), to: run.stage, run.stage.receive(value, of: run)) {
                    $0.receive($1.0, of: $1.1)
                }
            }
        }
    }

    @inlinable
    func finish(_ termination: Termination<Next.Error>, of run: InnerRun<RaceFlatten>) {
        strand.perform(on: self, with: (termination, run)) { $0.end($1.0, of: $1.1) }
    }

    @inlinable
    func receive(_ value: Next.Value, of run: InnerRun<RaceFlatten>) {
        if !isTerminated, wins(run) { next.receive(value) }
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>, of run: InnerRun<RaceFlatten>) {
        if isTerminated || !wins(run) { return }
        state.isRunning = false
        if case .completed = termination {
            completeIfDone()
        } else {
            terminate(termination)
        }
    }

    /// Whether this stream wins or has won. The first call decides the winner.
    @inlinable
    func wins(_ run: InnerRun<RaceFlatten>) -> Bool {
        if state.isWon { return state.winner === run.context }
        state.isWon = true
        state.winner = run.context
        run.handle?.dispose()
        runners.dispose()
        return true
    }

    @inlinable
    func completeIfDone() {
        if isOuterCompleted, !state.isRunning { terminate(.completed) }
    }
}
