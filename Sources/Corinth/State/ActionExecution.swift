/// One execution of an action: the work's events go to whoever started it, and to the action's own signals.
///
/// It has a strand of its own, since disposal interrupts it at once, whatever the work is doing. It keeps the action.
@usableFromInline
final class ActionExecution<State, Input, Output, Error: Swift.Error>: Disposable, @unchecked Sendable {
    // One atomic word, the rest immutable.

    /// The sum of what has happened: see the constants.
    @usableFromInline var phasesStorage: UInt64 = 0

    @usableFromInline let strand: Strand
    @usableFromInline let work: ProducerRun
    @usableFromInline let action: Action<Input, Output, Error>
    @usableFromInline let state: ActionState<State>
    @usableFromInline let sink: Sink<Output, ActionError<Error>>
    @usableFromInline let run: ProducerRun

    /// The start of the work has returned.
    @inlinable
    static var started: UInt64 { 1 }

    /// The end is settled.
    @inlinable
    static var ended: UInt64 { 2 }

    /// The end has been delivered to whoever started this.
    @inlinable
    static var endDelivered: UInt64 { 4 }

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
    var phases: AtomicWord {
        @inline(__always)
        get { AtomicWord(of: self) }
    }

    @inlinable
    var hasEnded: Bool {
        // relaxed: who needs to know for certain owns the strand.
        @inline(__always)
        get { phases.load(.relaxed) & ActionExecution.ended != 0 }
    }

    @usableFromInline
    var isDisposed: Bool { hasEnded }

    // Reached through a table, so the code isn't specialised: by itself, interrupting would look up its types even where
    // there is nothing to interrupt.
    @inlinable
    func dispose() {
        if !hasEnded { interrupt() }
    }

    @inlinable
    @inline(never)
    func interrupt() { send(.interrupted) }

    /// Starts the work. What it sends at once is delivered before the execution counts as over.
    @inlinable
    func start(_ makeProducer: () -> SignalProducer<Output, Error>) {
        if !hasEnded {
            // The closures capture nothing but this: so nothing is allocated for them.
            makeProducer().begin(
                Sink(
                    value: { value in
                        self.send(value)
                        self.action.eventsCore.send(Signal<Output, Error>.Event.value(value))
                    },
                    termination: { termination in
                        switch termination {
                        case .failed(let error): self.send(.failed(.producerFailed(error)))
                        case .completed: self.send(.completed)
                        case .interrupted: self.send(.interrupted)
                        }
                        self.action.eventsCore.send(Signal<Output, Error>.Event(termination))
                        self.work.dispose()
                    }), work)
        }
        // acquireRelease: whoever comes second has seen what the other did.
        if phases.fetchAdd(ActionExecution.started, .acquireRelease) & ActionExecution.endDelivered != 0 { finish() }
    }

    @inlinable @inline(__always)
    func send(_ value: Output) {
        if strand.tryEnter() {
            receive(value)
            strand.leave()
        } else {
            strand.queue(value, for: self) { execution, value in execution.receive(value) }
        }
    }

    @inlinable
    @inline(never)
    func send(_ termination: Termination<ActionError<Error>>) {
        strand.perform(on: self, with: termination) { execution, termination in execution.terminate(termination) }
    }

    /// Passes a value on. Called by the owner of the strand.
    @inlinable @inline(__always)
    func receive(_ value: Output) {
        if !hasEnded, !run.isDisposed { sink.onValue(value) }
    }

    /// Passes the end on, once. Called by the owner of the strand.
    @inlinable
    func terminate(_ termination: Termination<ActionError<Error>>) {
        if hasEnded { return }
        phases.fetchAdd(ActionExecution.ended, .relaxed)
        sink.onTermination(termination)
        // acquireRelease: as in `start(_:)`.
        if phases.fetchAdd(ActionExecution.endDelivered, .acquireRelease) & ActionExecution.started != 0 { finish() }
    }

    /// Cancels the work, if it isn't done, and lets the next execution in.
    @inlinable
    func finish() {
        work.dispose()
        state.endExecuting()
    }
}
