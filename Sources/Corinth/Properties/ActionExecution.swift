/// One execution of an action whose work needs a run. It sends the work's events to the start's observer, and to the action's
/// signals.
///
/// It has its own strand, because disposal interrupts it at once, even while the work sends. It keeps the action.
@usableFromInline
final class ActionExecution<State, Input, Output, Error: Swift.Error>: Disposable, @unchecked Sendable {
    // One atomic word. The rest is immutable.

    @usableFromInline let phases = AtomicState<ExecutionPhases>(.none)

    @usableFromInline let strand: Strand
    @usableFromInline let work: ProducerRun
    @usableFromInline let action: Action<Input, Output, Error>
    @usableFromInline let state: ActionState<State>
    @usableFromInline let sink: Sink<Output, ActionError<Error>>
    @usableFromInline let run: ProducerRun

    @inlinable @inline(__always)
    init(
        of action: Action<Input, Output, Error>, _ state: ActionState<State>,
        to sink: Sink<Output, ActionError<Error>>, in run: ProducerRun
    ) {
        strand = Strand()
        work = ProducerRun()
        self.action = action
        self.state = state
        self.sink = sink
        self.run = run
        run.hold(self)
    }

    @inlinable
    var hasEnded: Bool {
        // relaxed: a caller that needs a reliable answer owns the strand.
        @inline(__always)
        get { phases.load(.relaxed).contains(.ended) }
    }

    @usableFromInline
    var isDisposed: Bool { hasEnded }

    // Called through a witness table, so the code isn't specialised. `interrupt()` is a separate function: its type look-ups
    // happen only if there is something to interrupt.
    @inlinable
    func dispose() {
        if !hasEnded { interrupt() }
    }

    @inlinable
    @inline(never)
    func interrupt() { send(.interrupted) }

    /// Starts the work. Events that it sends at once are delivered before the execution ends.
    @inlinable
    func start(_ producer: SignalProducer<Output, Error>) {
        if !hasEnded {
            // The closures capture only `self`, so nothing is allocated for them.
            producer.begin(
                Sink(
                    value: { value in
                        self.send(value)
                        self.action.lazyOutcomes.withKnown { $0.send(value) }
                    },
                    termination: { termination in
                        self.send(termination.ofAction)
                        self.action.lazyOutcomes.withKnown { $0.send(termination) }
                        self.work.dispose()
                    }), work)
        }
        // acquireRelease: the second of the two additions sees what was done before the first. Pairs with that in
        // `terminate(_:)`.
        let before = phases.fetchAdd(.started, .acquireRelease) { $0.starting() }.old
        if before.contains(.endDelivered) { finish() }
    }

    @inlinable @inline(__always)
    func send(_ value: Output) {
        strand.send(value, to: self, receive(value)) { $0.receive($1) }
    }

    @inlinable
    @inline(never)
    func send(_ termination: Termination<ActionError<Error>>) {
        strand.perform(on: self, with: termination) { execution, termination in execution.terminate(termination) }
    }

    /// Forwards a value. Called by the strand's owner.
    @inlinable @inline(__always)
    func receive(_ value: Output) {
        if !hasEnded, !run.isDisposed { sink.onValue(value) }
    }

    /// Forwards the termination, once. Called by the strand's owner.
    @inlinable
    func terminate(_ termination: Termination<ActionError<Error>>) {
        if hasEnded { return }
        phases.fetchAdd(.ended, .relaxed) { $0.ending() }
        sink.onTermination(termination)
        // acquireRelease: as in `start(_:)`.
        let before = phases.fetchAdd(.endDelivered, .acquireRelease) { $0.deliveringEnd() }.old
        if before.contains(.started) { finish() }
    }

    /// Disposes of unfinished work, and allows the next execution.
    @inlinable
    func finish() {
        work.dispose()
        state.endExecuting()
    }
}

extension Termination {
    /// How a start of an action ends if its work ends like this.
    @inlinable
    var ofAction: Termination<ActionError<Error>> {
        switch self {
        case .failed(let error): .failed(.producerFailed(error))
        case .completed: .completed
        case .interrupted: .interrupted
        }
    }
}

extension Action {
    /// Sends the events of work that needs no run, as an ``ActionExecution`` would: each of them to the start's observer, then
    /// to the action's signals. If the start is disposed of meanwhile, it is interrupted between two events, and the action's
    /// signals receive the rest: work that sends its events at once isn't cancelled before its start has returned.
    @inlinable
    func sendAll(
        of work: SignalProducer<Output, Error>.Origin, to sink: Sink<Output, ActionError<Error>>, in run: ProducerRun?
    ) {
        if run?.isDisposed == true {
            sink.onTermination(.interrupted)
            return
        }
        var isOpen = true
        func interruptIfDisposed() {
            guard isOpen, run?.isDisposed == true else { return }
            isOpen = false
            sink.onTermination(.interrupted)
        }
        let value: Output? =
            switch work {
            case .value(let value): value
            case .made(let make): make()
            case .failure, .empty, .recipe, .prompt: nil
            }
        if let value {
            interruptIfDisposed()
            if isOpen { sink.onValue(value) }
            interruptIfDisposed()
            lazyOutcomes.withKnown { $0.send(value) }
        }
        let end: Termination<Error> = if case .failure(let error) = work { .failed(error) } else { .completed }
        interruptIfDisposed()
        if isOpen { sink.onTermination(end.ofAction) }
        lazyOutcomes.withKnown { $0.send(end) }
    }
}
