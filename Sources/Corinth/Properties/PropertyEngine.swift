/// The implementation of a property: the cell that stores the value, and the core of the signal of its changes.
///
/// It doesn't hold the ``Signal``. So the input of a composed property can hold the engine, and still detect that the property
/// can no longer be observed.
@frozen
@usableFromInline
struct PropertyEngine<Value>: @unchecked Sendable {  // Both properties are thread-safe.
    @usableFromInline let cell: PropertyCell<Value>
    @usableFromInline let core: SignalCore<Value, Never>

    @inlinable
    init(_ cell: PropertyCell<Value>, _ core: SignalCore<Value, Never>) {
        self.cell = cell
        self.core = core
    }

    // MARK: Changes

    /// Sets the value, and delivers it after all earlier values (laws R1, R3).
    @inlinable @inline(__always)
    func set(_ newValue: Value) {
        // A property that follows another one changes inside the delivery of that one's change.
        StackSpace.require()
        let change = cell.begin(on: core.strand, as: Property<Value>.self)
        let old = cell.replace(newValue, change)
        core.end(change, of: cell, newValue)
        // The old value is released while no cell is held.
        withExtendedLifetime(old) {}
    }

    // MARK: Observing

    /// Starts the property's producer: sends the current value, then every later change exactly once.
    @inlinable
    func start(_ sink: Sink<Value, Never>, in run: ProducerRun) {
        let input = ProducerInput(to: sink, in: run)
        // Only a disposal of the start can have taken the new strand.
        guard let owned = input.strand.enter() else { return }
        let observation = makeObservation()
        // If the property has been released, it completes.
        let sink = Sink<Value, Never>(value: { input.send($0) }, termination: { _ in input.send(.completed) })
        // From now on, events are queued on the input's strand.
        let value = attach(sink, observation) { $0 }
        input.resources.add(observation)
        input.receive(value)
        // The start takes its place when its first value has been delivered, as in ReactiveSwift: what observes the property in
        // that callback gets a change first.
        core.moveToEnd(observation)
        input.strand.leave(owned)
    }

    /// Adds an observer that receives every later change. If the signal has ended, its sink is interrupted.
    ///
    /// The observer gets its position among the notifications while no change can occur. Earlier changes are queued before it,
    /// and don't reach it. All later changes are queued after it.
    ///
    /// - Parameter body: Receives the current value while changes wait. The observer receives every change after this value.
    @inlinable
    func attach<Result>(
        _ sink: Sink<Value, Never>, _ observation: Observation, _ body: (Value) -> Result
    ) -> Result {
        let change = cell.begin(on: core.strand, as: MutableProperty<Value>.self)
        let holding = ThreadState.beginHolding()
        let result = body(cell.valueWhileHeld)
        ThreadState.endHolding(holding)
        if let owned = core.end(change, of: cell, { WorkNode(takesPermit: true) { add(sink, observation) } }) {
            add(sink, observation)
            core.leave(owned)
        }
        return result
    }

    @inlinable
    func makeObservation() -> Observation {
        Observation(of: core)
    }

    /// Adds an observer. Called by the strand's owner.
    @inlinable
    func add(_ sink: Sink<Value, Never>, _ observation: Observation) {
        if observation.isDisposed { return }
        if !core.withState({ core.add(sink, observation) }) { sink.onTermination(.interrupted) }
    }

    /// The current value, then every change. The producer keeps the signal observable.
    @inlinable
    func producer(of signal: Signal<Value, Never>) -> SignalProducer<Value, Never> {
        SignalProducer(boundary: { _, sink, run in
            withExtendedLifetime(signal) { start(sink, in: run) }
        })
    }
}

extension SignalCore where Error == Never {
    /// Ends a change of a property, and delivers it unless another thread does.
    // Transparent, so that it takes no stack without optimisation either.
    @_transparent @usableFromInline
    func end(_ change: consuming PropertyChange, of cell: PropertyCell<Value>, _ newValue: Value) {
        if let owned = end(change, of: cell, { changeNode(newValue) }) {
            deliver(newValue)
            leave(owned)
        }
    }

    /// - Returns: The strand, if the caller is to do the work itself.
    @inlinable @inline(__always)
    func end(
        _ change: consuming PropertyChange, of cell: PropertyCell<Value>, _ makeNode: () -> StrandNode
    ) -> Owned? {
        // A closure can't consume what it captures.
        var rest: PropertyChange? = change
        return withStrand { strand in
            guard let change = rest.take() else { return nil }
            return cell.end(change, on: strand, makeNode)
        }
    }

    /// A node that delivers a change. Not inlined: otherwise this would be retained for each change.
    @inlinable
    @inline(never)
    func changeNode(_ value: Value) -> StrandNode {
        InputNode(value, for: self) { core, value in core.deliver(value) }
    }
}
