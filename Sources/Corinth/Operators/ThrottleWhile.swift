/// Holds the latest value as long as a property is true.
@usableFromInline
final class ThrottleWhile<Next: Receiver>: ScheduledOperator<Next>, @unchecked Sendable {  // As its superclass.
    @safe @exclusivity(unchecked)
    @usableFromInline var isThrottling = false

    /// The latest value since the property has become true.
    @safe @exclusivity(unchecked)
    @usableFromInline var held: Next.Value?

    /// What waits for nothing but the scheduler.
    @safe @exclusivity(unchecked)
    @usableFromInline var ready = Fifo<Next.Value>()

    @safe @exclusivity(unchecked)
    @usableFromInline var isCompleted = false

    /// Follows the property, from its current value on.
    @inlinable
    func follow(_ condition: SignalProducer<Bool, Never>) {
        let sink: Sink<Bool, Next.Error> = port(
            receive: { $0 ? self.hold() : self.letGo() }, end: { _ in .nothing }, carryOut: { self.carryOut($0) })
        condition.connect(to: Sink(value: sink.onValue, termination: { _ in }), until: resources)
    }

    @inlinable
    var port: Sink<Next.Value, Next.Error> {
        port(receive: { self.receive($0) }, end: { self.end($0) }, carryOut: { self.carryOut($0) })
    }

    @inlinable
    func carryOut(_ plan: Plan) {
        switch plan {
        case .nothing: break
        case .end(let turn): scheduleEnd(turn)
        case .delivery(let turn):
            let action = scheduler.scheduleInOrder { self.deliver { self.turn == turn && self.sendNext() } }
            pending.replace(with: action, turn)
        case .alarm: preconditionFailure("a throttle without a clock was to set a timer")
        }
    }

    @inlinable
    func hold() -> Plan {
        isThrottling = true
        return .nothing
    }

    @inlinable
    func letGo() -> Plan {
        isThrottling = false
        guard let value = held.take() else { return .nothing }
        return receive(value)
    }

    @inlinable
    func receive(_ value: Next.Value) -> Plan {
        if isOver || isCompleted { return .nothing }
        if isThrottling {
            held = value
            return .nothing
        }
        ready.append(value)
        if ready.count > 1 { return .nothing }
        turn &+= 1
        return .delivery(turn)
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) -> Plan {
        held = nil
        if case .completed = termination, !ready.isEmpty {
            isCompleted = true
            return .nothing
        }
        return settle(termination)
    }

    /// Delivers one value. It stays in the queue meanwhile, so that what comes schedules nothing.
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

extension Fifo {
    /// The oldest element.
    @inlinable
    var first: Element? { isEmpty ? nil : elements[removed] }
}

extension Signal {
    /// Passes values on as long as a property is false. While it is true, the latest value is held, and passed on when it
    /// becomes false.
    ///
    ///     source        a-b--c-d---e-|
    ///     property      --t-----f-----
    ///     throttle      a-------d--e-|
    ///
    /// The end of the source drops the value that is held. The end of the property changes nothing: its last value counts.
    ///
    /// - Parameters:
    ///   - shouldThrottle: Whether values are held.
    ///   - scheduler: Where the result's callbacks run.
    /// - Complexity: O(1) per value, and an action of the scheduler for a burst.
    /// ## Concurrency
    /// The property may change on any thread. Values wait, without a bound, for a scheduler that is slower than the source.
    @inlinable
    public func throttle<P: PropertyProtocol>(
        while shouldThrottle: P, on scheduler: any Scheduler
    ) -> Signal<Value, Error> where P.Value == Bool {
        let condition = shouldThrottle.producer
        return scheduling {
            let stage = ThrottleWhile($0, on: scheduler)
            stage.follow(condition)
            return (stage, stage.port)
        }
    }
}

extension SignalProducer {
    /// Passes values on as long as a property is false, and holds the latest one while it is true.
    /// See ``Signal/throttle(while:on:)``.
    @inlinable
    public func throttle<P: PropertyProtocol>(
        while shouldThrottle: P, on scheduler: any Scheduler
    ) -> SignalProducer<Value, Error> where P.Value == Bool {
        let condition = shouldThrottle.producer
        return scheduling {
            let stage = ThrottleWhile($0, on: scheduler)
            stage.follow(condition)
            return (stage, stage.port)
        }
    }
}
