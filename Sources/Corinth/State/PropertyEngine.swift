/// What a property is inside: the cell with its value, and the core of the signal of its changes.
///
/// It doesn't hold the ``Signal``, so that what feeds a composed property can hold the engine, and still learn when nobody
/// can observe the property any more.
@frozen
@usableFromInline
struct PropertyEngine<Value>: @unchecked Sendable {  // Both of its parts are their own synchronisation.
    @usableFromInline let cell: PropertyCell<Value>
    @usableFromInline let core: SignalCore<Value, Never>

    @inlinable
    init(_ value: Value, _ core: SignalCore<Value, Never>) {
        cell = PropertyCell(value)
        self.core = core
    }

    // MARK: Changes

    /// Sets the value, and delivers it after all earlier ones (laws R1, R3).
    @inlinable @inline(__always)
    func set(_ newValue: Value) {
        let strand = core.strand
        let began = cell.begin(on: strand, as: MutableProperty<Value>.self)
        let old = cell.replace(newValue)
        let isOwner = cell.end(began, on: strand) { node(newValue) }
        // The old value is let go of with nothing held.
        withExtendedLifetime(old) {}
        if isOwner {
            core.deliver(newValue)
            strand.leave()
        }
    }

    /// Replaces the value, and returns the one that was there.
    @inlinable
    func swap(_ newValue: Value) -> Value {
        let strand = core.strand
        let began = cell.begin(on: strand, as: MutableProperty<Value>.self)
        let old = cell.replace(newValue)
        if cell.end(began, on: strand, { node(newValue) }) {
            core.deliver(newValue)
            strand.leave()
        }
        return old
    }

    /// Changes the value in place. What is there when the closure is through is set, even if it throws.
    @inlinable
    func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result {
        let strand = core.strand
        let began = cell.begin(on: strand, as: MutableProperty<Value>.self)
        var value = cell.valueWhileHeld
        defer {
            let old = cell.replace(value)
            ThreadState.endHolding()
            let isOwner = cell.end(began, on: strand) { node(value) }
            withExtendedLifetime(old) {}
            if isOwner {
                core.deliver(value)
                strand.leave()
            }
        }
        ThreadState.beginHolding()
        return try action(&value)
    }

    /// The delivery of a change, to be queued. Not inlined: it would have the core retained for each change.
    @inlinable
    @inline(never)
    func node(_ value: Value) -> StrandNode {
        InputNode(value, for: core) { core, value in core.deliver(value) }
    }

    // MARK: Observing

    /// A start of the property's producer: the current value, then every change after it, none lost and none doubled.
    @inlinable
    func start(_ sink: Sink<Value, Never>, in run: ProducerRun) {
        let input = ProducerInput(to: sink, in: run)
        // Only who disposes of the start can have been faster.
        guard input.strand.tryEnter() else { return }
        let observation = makeObservation()
        // Where the property is gone, it completes.
        let port = Sink<Value, Never>(value: { input.send($0) }, termination: { _ in input.send(.completed) })
        // Whatever comes from now on waits at the input's strand.
        let value = attach(port, observation) { $0 }
        input.resources.add(observation)
        input.receive(value)
        input.strand.leave()
    }

    /// Adds an observer that gets every change from here on. If the signal has ended, its sink is interrupted.
    ///
    /// The observer's place among the notifications is settled while no change can come in between. Changes from before
    /// that are in front of it, and don't reach it; all others are behind it.
    ///
    /// - Parameter body: Gets the value from which on the observer sees every change, while changes wait.
    @inlinable
    func attach<Result>(
        _ sink: Sink<Value, Never>, _ observation: Observation, _ body: (Value) -> Result
    ) -> Result {
        let strand = core.strand
        let began = cell.begin(on: strand, as: MutableProperty<Value>.self)
        ThreadState.beginHolding()
        let result = body(cell.valueWhileHeld)
        ThreadState.endHolding()
        if cell.end(began, on: strand, { WorkNode { add(sink, observation) } }) {
            add(sink, observation)
            strand.leave()
        }
        return result
    }

    @inlinable
    func makeObservation() -> Observation {
        Observation(of: core) { source, observation in
            unsafe unsafeDowncast(source, to: SignalCore<Value, Never>.self).remove(observation)
        }
    }

    /// Adds an observer. Called by the owner of the strand.
    @inlinable
    func add(_ sink: Sink<Value, Never>, _ observation: Observation) {
        if observation.isDisposed { return }
        if !core.strand.withState({ core.add(sink, observation) }) { sink.onTermination(.interrupted) }
    }

    /// The current value, then every change. The signal is kept observable by whoever has the producer.
    @inlinable
    func producer(of signal: Signal<Value, Never>) -> SignalProducer<Value, Never> {
        SignalProducer(recipe: { sink, run in
            withExtendedLifetime(signal) { start(sink, in: run) }
        })
    }
}
