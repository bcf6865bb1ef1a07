/// The signals of an ``Action``'s events. Made when one of them is first used.
///
/// They share one strand, and each event is sent to the signals that it belongs to: no event passes an operator that drops it.
@usableFromInline
final class ActionOutcomes<Output, Error: Swift.Error>: Sendable {
    @usableFromInline let events: Signal<Signal<Output, Error>.Event, Never>

    // These come before the signal of all events. They derive from it, but have no place among its observers.
    @usableFromInline let values: Signal<Output, Never>
    @usableFromInline let errors: Signal<Error, Never>
    @usableFromInline let completed: Signal<(), Never>

    @inlinable
    init() {
        let core = SignalCore<Signal<Output, Error>.Event, Never>(strand: Strand(), resources: nil)
        events = Signal(core)
        values = Signal(SignalCore(from: core))
        errors = Signal(SignalCore(from: core))
        completed = Signal(SignalCore(from: core))
    }

    // MARK: From any thread

    @inlinable @inline(__always)
    func send(_ value: Output) {
        unsafe Unmanaged.passUnretained(events.core)._withUnsafeGuaranteedRef { core in
            if let owned = core.enterToSend() {
                deliver(value)
                core.leave(owned)
            } else {
                queue(value)
            }
        }
    }

    @inlinable
    @inline(never)
    func queue(_ value: Output) {
        events.core.withStrand { $0.queue(value, for: self) { outcomes, value in outcomes.deliver(value) } }
    }

    /// Sends the end of an execution, which is an event like others.
    @inlinable @inline(__always)
    func send(_ end: Termination<Error>) {
        unsafe Unmanaged.passUnretained(events.core)._withUnsafeGuaranteedRef { core in
            if let owned = core.enterToSend() {
                deliver(end)
                core.leave(owned)
            } else {
                queue(end)
            }
        }
    }

    @inlinable
    @inline(never)
    func queue(_ end: Termination<Error>) {
        events.core.withStrand { $0.queue(end, for: self) { outcomes, end in outcomes.deliver(end) } }
    }

    /// Completes the signals.
    @inlinable
    func complete() {
        // As in `SignalCore.send(_:)`.
        StackSpace.require()
        events.core.strand.performAtOnce(on: self, with: ()) { outcomes, _ in
            outcomes.values.core.terminate(.completed)
            outcomes.errors.core.terminate(.completed)
            outcomes.completed.core.terminate(.completed)
            outcomes.events.core.terminate(.completed)
        }
    }

    // MARK: From the owner of the strand

    @inlinable @inline(__always)
    func deliver(_ value: Output) {
        ActionOutcomes.deliver(value, to: values)
        if hasObservers { ActionOutcomes.deliver(.value(value), to: events) }
    }

    @inlinable @inline(__always)
    func deliver(_ end: Termination<Error>) {
        switch end {
        case .completed: ActionOutcomes.deliver((), to: completed)
        case .failed(let error): ActionOutcomes.deliver(error, to: errors)
        case .interrupted: break
        }
        if hasObservers { ActionOutcomes.deliver(Signal<Output, Error>.Event(end), to: events) }
    }

    @inlinable @inline(__always)
    static func deliver<Value>(_ value: Value, to signal: Signal<Value, Never>) {
        // Not retained for the call: this keeps the signal.
        unsafe Unmanaged.passUnretained(signal.core)._withUnsafeGuaranteedRef { DerivedReceiver($0).receive(value) }
    }

    /// Whether anybody observes all events. Otherwise none is made.
    @inlinable
    var hasObservers: Bool {
        @inline(__always)
        get { events.core.withState { !events.core.observers.isEmpty } }
    }
}
