/// The kernel of `throttle(while:on:)`: holds the latest value while a property is true.
@usableFromInline
final class ThrottleWhile<Next: Receiver>: ScheduledOperator<Next>, @unchecked Sendable {  // As its superclass.
    @safe @exclusivity(unchecked)
    @usableFromInline var isThrottling = false

    /// The latest value since the property became true.
    @safe @exclusivity(unchecked)
    @usableFromInline var held: Next.Value?

    /// Values that wait only for the scheduler.
    @safe @exclusivity(unchecked)
    @usableFromInline var ready = Deque<Next.Value>()

    @safe @exclusivity(unchecked)
    @usableFromInline var isCompleted = false

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
        isThrottling = true
        return .nothing
    }

    @inlinable
    func resume() -> NextAction {
        isThrottling = false
        guard let value = held.take() else { return .nothing }
        return receive(value)
    }

    @inlinable
    func receive(_ value: Next.Value) -> NextAction {
        if isOver || isCompleted { return .nothing }
        if isThrottling {
            held = value
            return .nothing
        }
        ready.append(value)
        if ready.count > 1 { return .nothing }
        generation &+= 1
        return .delivery(generation)
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) -> NextAction {
        held = nil
        if case .completed = termination, !ready.isEmpty {
            isCompleted = true
            return .nothing
        }
        return beginEnd(termination)
    }

    /// Delivers one value. It stays in the queue meanwhile, so values that arrive schedule no further action.
    @inlinable
    func sendNext() -> Bool {
        guard let value = ready.first else { return false }
        next.receive(value)
        _ = ready.popFirst()
        if ready.isEmpty, isCompleted {
            finish(.completed)
            return false
        }
        return !ready.isEmpty
    }
}

extension Deque {
    /// The oldest element.
    @inlinable
    var first: Element? { isEmpty ? nil : elements[removed] }
}
