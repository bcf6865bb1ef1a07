/// The kernel of `throttle(while:on:)`: holds the latest value while a property is true.
@usableFromInline
final class ThrottleWhile<Next: Receiver>: ScheduledOperator<Next>, @unchecked Sendable {  // As its superclass.
    /// What the strand's owner owns.
    @usableFromInline
    @safe struct State: ~Copyable {
        @usableFromInline var isThrottling = false
        /// The latest value since the property became true.
        @usableFromInline var held: Next.Value?
        /// Values that wait only for the scheduler.
        @usableFromInline var ready = Deque<Next.Value>()
        @usableFromInline var isCompleted = false

        @inlinable @inline(__always)
        init() {}
    }

    @safe @exclusivity(unchecked)
    @usableFromInline var state = State()

    /// Observes the property, starting with its current value.
    @inlinable
    func follow(_ condition: SignalProducer<Bool, Never>) {
        let sink: Sink<Bool, Next.Error> = input(
            receive: { $0 ? self.hold() : self.resume() }, end: { _ in .nothing }, carryOut: { self.carryOut($0) })
        condition.connect(to: Sink(value: sink.onValue, termination: { _ in }), until: resources)
    }

    @inlinable
    var input: Sink<Next.Value, Next.Error> {
        input(receive: { self.receive($0) }, end: { self.end($0) }, carryOut: { self.carryOut($0) })
    }

    @inlinable
    func carryOut(_ nextAction: NextAction) {
        switch nextAction {
        case .nothing: break
        case .end(let generation): scheduleEnd(generation)
        case .delivery(let generation):
            let action = scheduler.scheduleInOrder { self.deliver { self.generation == generation && self.sendNext() } }
            pending.replace(with: action, generation)
        case .timer: preconditionFailure("the action is .timer, but throttle(while:on:) has no clock")
        }
    }

    @inlinable
    func hold() -> NextAction {
        state.isThrottling = true
        return .nothing
    }

    @inlinable
    func resume() -> NextAction {
        state.isThrottling = false
        guard let value = state.held.take() else { return .nothing }
        return receive(value)
    }

    @inlinable
    func receive(_ value: Next.Value) -> NextAction {
        if isOver || state.isCompleted { return .nothing }
        if state.isThrottling {
            state.held = value
            return .nothing
        }
        state.ready.append(value)
        if state.ready.count > 1 { return .nothing }
        generation &+= 1
        return .delivery(generation)
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) -> NextAction {
        state.held = nil
        if case .completed = termination, !state.ready.isEmpty {
            state.isCompleted = true
            return .nothing
        }
        return beginEnd(termination)
    }

    /// Delivers one value. It stays in the queue meanwhile, so values that arrive schedule no further action.
    @inlinable
    func sendNext() -> Bool {
        guard let value = state.ready.first else { return false }
        next.receive(value)
        _ = state.ready.popFirst()
        if state.ready.isEmpty, state.isCompleted {
            finish(.completed)
            return false
        }
        return !state.ready.isEmpty
    }
}

extension Deque {
    /// The oldest element.
    @inlinable
    var first: Element? { isEmpty ? nil : elements[removed] }
}
