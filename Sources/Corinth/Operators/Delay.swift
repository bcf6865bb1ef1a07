public import Foundation

/// Keeps each value for a while. What waits has one timer, for the oldest.
@usableFromInline
final class Delay<Next: Receiver>: TimedOperator<Next>, @unchecked Sendable {  // As its superclass.
    /// A value and when it is due; nil is the completion.
    @usableFromInline typealias Item = (value: Next.Value?, date: Date)

    @usableFromInline let interval: TimeInterval
    @usableFromInline let policy: BufferingPolicy<Next.Error>.Kind
    @usableFromInline let statistics: BufferStatistics?

    /// Where senders wait for a place, if they do.
    @usableFromInline let storedPermits: Permits?

    @usableFromInline
    override var permits: Permits? { storedPermits }

    @safe @exclusivity(unchecked)
    @usableFromInline var first: Item?

    @safe @exclusivity(unchecked)
    @usableFromInline var rest = Fifo<Item>()

    @inlinable
    init(
        _ output: JoinOutput<Next>, _ interval: TimeInterval, on clock: any DateScheduler,
        _ policy: BufferingPolicy<Next.Error>, counting statistics: BufferStatistics?
    ) {
        self.interval = interval
        self.policy = policy.kind
        self.statistics = statistics
        storedPermits = policy.permits(on: clock, afterSeconds: interval)
        super.init(output, on: clock)
        storedPermits?.statistics = statistics
    }

    @inlinable
    var port: Sink<Next.Value, Next.Error> {
        port(
            receive: { self.receive($0) },
            end: { if case .completed = $0 { self.keep(nil) } else { self.settle($0) } },
            permits: storedPermits, carryOut: { self.carryOut($0) })
    }

    @inlinable
    func carryOut(_ plan: Plan) { carryOut(plan) { self.fire($0) } }

    @inlinable
    func receive(_ value: Next.Value) -> Plan {
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
            // The timer is still that of the one that is dropped: it fires too early, and is set again.
            first = rest.popFirst()
        case .failing(let capacity, let failure):
            guard isFull(capacity) else { break }
            statistics?.countDropped()
            return settle(.failed(failure))
        }
        return keep(value)
    }

    @inlinable
    func isFull(_ capacity: Int) -> Bool { first != nil && rest.count + 1 >= capacity }

    @inlinable
    func keep(_ value: Next.Value?) -> Plan {
        if isOver { return .nothing }
        let item = (value, now().addingTimeInterval(interval))
        if first != nil {
            rest.append(item)
            return .nothing
        }
        first = item
        return alarm(at: item.1)
    }

    /// Delivers the oldest, if it is due. Says whether to look at the next.
    @inlinable
    func fire(_ alarm: Alarm) -> Bool {
        guard let item = first else { return false }
        if item.date > now(at: alarm) {
            carryOut(self.alarm(at: item.date))
            return false
        }
        first = rest.popFirst()
        guard let value = item.value else {
            finish(.completed)
            return false
        }
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

extension Signal {
    /// Delivers values and the completion later.
    ///
    ///     source   a-b------c-|
    ///     delay 3  ---a-b------c-|
    ///
    /// A failure or an interruption doesn't wait, and drops the values that do.
    ///
    /// - Parameters:
    ///   - interval: How much later, in seconds. At least 0; may be infinite.
    ///   - scheduler: Where the result's callbacks run.
    /// - Complexity: O(1) per value, and a timer for as long as something waits.
    /// ## Concurrency
    /// What waits is not bounded: it is what the source sends during the interval, and no sender can be made to wait for
    /// that, as code for ReactiveSwift doesn't expect to. For a bound, see ``delay(_:on:bufferingPolicy:statistics:)``.
    @inlinable
    public func delay(_ interval: TimeInterval, on scheduler: any DateScheduler) -> Signal<Value, Error> {
        delay(interval, on: scheduler, bufferingPolicy: .unbounded)
    }

    /// Delivers values and the completion later, with a bound on what waits.
    ///
    ///     source           abc-----|
    ///     delay 3, latest  -----c--|
    ///
    /// A failure or an interruption doesn't wait, and drops the values that do: that of a policy that fails, too.
    ///
    /// - Parameters:
    ///   - interval: How much later, in seconds. At least 0; may be infinite.
    ///   - scheduler: Where the result's callbacks run.
    ///   - policy: What happens to values that find no room. The stall timeout begins after the interval.
    ///   - statistics: Where values are counted as sent, delivered and dropped.
    /// - Complexity: O(1) per value, and a timer for as long as something waits.
    @inlinable
    public func delay(
        _ interval: TimeInterval, on scheduler: any DateScheduler, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> Signal<Value, Error> {
        requireNonnegative(interval)
        return scheduling {
            let stage = Delay($0, interval, on: scheduler, policy, counting: statistics)
            return (stage, stage.port)
        }
    }
}

extension SignalProducer {
    /// Delivers values and the completion later. See ``Signal/delay(_:on:)``.
    @inlinable
    public func delay(_ interval: TimeInterval, on scheduler: any DateScheduler) -> SignalProducer<Value, Error> {
        delay(interval, on: scheduler, bufferingPolicy: .unbounded)
    }

    /// Delivers values and the completion later, with a bound on what waits in each start.
    /// See ``Signal/delay(_:on:bufferingPolicy:statistics:)``.
    @inlinable
    public func delay(
        _ interval: TimeInterval, on scheduler: any DateScheduler, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<Value, Error> {
        requireNonnegative(interval)
        return scheduling {
            let stage = Delay($0, interval, on: scheduler, policy, counting: statistics)
            return (stage, stage.port)
        }
    }
}
