public import CorinthEssentials

/// The kernel of `delay`: holds each value for the interval. One timer serves all held values; it is set for the oldest.
@usableFromInline
class Delay<Next: Receiver>: TimedOperator<Next>, @unchecked Sendable {  // As its superclass.
    /// A value and the date until which it is delayed. A nil value is the completion.
    @usableFromInline typealias Item = (value: Next.Value?, date: Date)

    @usableFromInline final let interval: TimeInterval
    @usableFromInline final let policy: BufferingPolicy<Next.Error>.Kind
    @usableFromInline final let statistics: BufferStatistics?

    /// The permits that senders wait for. nil if senders never wait.
    @usableFromInline final let storedPermits: Permits?

    @usableFromInline
    override var permits: Permits? { storedPermits }

    @safe @exclusivity(unchecked)
    @usableFromInline final var first: Item?

    @safe @exclusivity(unchecked)
    @usableFromInline final var rest = Deque<Item>()

    @inlinable
    init(
        _ output: JoinOutput<Next>, _ interval: TimeInterval, on clock: any DateScheduler,
        _ policy: BufferingPolicy<Next.Error>, counting statistics: BufferStatistics?,
        stallingAfter quiet: TimeInterval? = nil
    ) {
        self.interval = interval
        self.policy = policy.kind
        self.statistics = statistics
        storedPermits = policy.permits(on: clock, afterSeconds: quiet ?? interval)
        super.init(output, on: clock)
        storedPermits?.statistics = statistics
    }

    @inlinable
    final var input: Sink<Next.Value, Next.Error> {
        input(
            receive: { self.receive($0) },
            end: { if case .completed = $0 { self.keep(nil) } else { self.beginEnd($0) } },
            permits: storedPermits, carryOut: { self.carryOut($0) })
    }

    @inlinable
    final func carryOut(_ nextAction: NextAction) { carryOut(nextAction) { self.fire($0) } }

    @inlinable
    final func receive(_ value: Next.Value) -> NextAction {
        statistics?.countSent()
        if isOver {
            statistics?.countDropped()
            storedPermits?.leave()
            return .nothing
        }
        switch policy {
        case .unbounded, .blocking: break
        case .dropping(let capacity, let oldest):
            guard isFull(capacity) else { break }
            statistics?.countDropped()
            if !oldest { return .nothing }
            // The timer is still set for the dropped value. It fires too early, and is set again.
            first = rest.popFirst()
        case .failing(let capacity, let failure):
            guard isFull(capacity) else { break }
            statistics?.countDropped()
            return beginEnd(.failed(failure))
        }
        return keep(value)
    }

    @inlinable
    final func isFull(_ capacity: Int) -> Bool { first != nil && rest.count + 1 >= capacity }

    @inlinable
    final func keep(_ value: Next.Value?) -> NextAction {
        if isOver { return .nothing }
        let item = (value, now().addingTimeInterval(interval))
        if first != nil {
            rest.append(item)
            return .nothing
        }
        first = item
        return timer(at: due(item))
    }

    /// When the oldest value is delivered.
    @inlinable
    func due(_ item: Item) -> Date { item.date }

    /// Called before a value is delivered.
    @inlinable
    func noteDelivery(at now: Date) {}

    /// Delivers the oldest value if it is due. Returns whether to check the next one.
    @inlinable
    final func fire(_ timer: TimerRequest) -> Bool {
        guard let item = first else { return false }
        let (due, now) = (due(item), now(at: timer))
        if due > now {
            carryOut(self.timer(at: due))
            return false
        }
        first = rest.popFirst()
        guard let value = item.value else {
            finish(.completed)
            return false
        }
        noteDelivery(at: now)
        statistics?.countDelivered()
        storedPermits?.leave()
        next.receive(value)
        return true
    }

    @usableFromInline
    override func dropWaiting() {
        while let item = first {
            first = rest.popFirst()
            guard item.value != nil else { continue }
            statistics?.countDropped()
            storedPermits?.leave()
        }
    }
}

extension Signal where Value: Sendable {
    /// Delivers values and the completion after a delay.
    ///
    ///     source   a-b------c-|
    ///     delay 3  ---a-b------c-|
    ///
    /// A failure or an interruption is sent at once and drops held values.
    ///
    /// - Parameters:
    ///   - interval: The delay in seconds. At least 0. May be infinite.
    ///   - scheduler: The scheduler on which the result's callbacks run.
    /// - Complexity: O(1) per value. One timer while values are held.
    /// ## Concurrency
    /// The buffer is unbounded: it holds what the source sends during the interval. Senders never wait, because code
    /// written for ReactiveSwift doesn't expect them to. For a bound, see
    /// ``delay(_:on:bufferingPolicy:statistics:)-(TimeInterval,_,_,_)``.
    @inlinable
    public func delay(_ interval: TimeInterval, on scheduler: any DateScheduler) -> Signal<Value, Error> {
        delay(interval, on: scheduler, bufferingPolicy: .unbounded)
    }

    /// Delivers values and the completion after a delay, with an overflow policy.
    ///
    ///     source           abc-----|
    ///     delay 3, latest  -----c--|
    ///
    /// A failure or an interruption is sent at once and drops held values. So does the failure of a policy that fails.
    ///
    /// - Parameters:
    ///   - interval: The delay in seconds. At least 0. May be infinite.
    ///   - scheduler: The scheduler on which the result's callbacks run.
    ///   - policy: The overflow policy. Its stall timeout begins after the interval.
    ///   - statistics: Counts values as sent, delivered and dropped.
    /// - Complexity: O(1) per value. One timer while values are held.
    @inlinable
    public func delay(
        _ interval: TimeInterval, on scheduler: any DateScheduler, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> Signal<Value, Error> {
        requireNonnegative(interval)
        return scheduling {
            let stage = Delay($0, interval, on: scheduler, policy, counting: statistics)
            return (stage, stage.input)
        }
    }
}

extension SignalProducer where Value: Sendable {
    /// Delivers values and the completion after a delay. See ``Signal/delay(_:on:)-(TimeInterval,_)``.
    @inlinable
    public func delay(_ interval: TimeInterval, on scheduler: any DateScheduler) -> SignalProducer<Value, Error> {
        delay(interval, on: scheduler, bufferingPolicy: .unbounded)
    }

    /// Delivers values and the completion after a delay, with an overflow policy for each start.
    /// See ``Signal/delay(_:on:bufferingPolicy:statistics:)-(TimeInterval,_,_,_)``.
    @inlinable
    public func delay(
        _ interval: TimeInterval, on scheduler: any DateScheduler, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<Value, Error> {
        requireNonnegative(interval)
        return scheduling {
            let stage = Delay($0, interval, on: scheduler, policy, counting: statistics)
            return (stage, stage.input)
        }
    }
}
