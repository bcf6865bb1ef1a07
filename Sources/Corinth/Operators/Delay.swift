public import Foundation

/// Keeps each value for a while. What waits has one timer, for the oldest.
@usableFromInline
final class Delay<Next: Receiver>: TimedOperator<Next>, @unchecked Sendable {  // As its superclass.
    /// A value and when it is due; nil is the completion.
    @usableFromInline typealias Item = (value: Next.Value?, date: Date)

    @usableFromInline let interval: TimeInterval

    @safe @exclusivity(unchecked)
    @usableFromInline var first: Item?

    @safe @exclusivity(unchecked)
    @usableFromInline var rest = Fifo<Item>()

    @inlinable
    init(_ output: JoinOutput<Next>, _ interval: TimeInterval, on clock: any DateScheduler) {
        self.interval = interval
        super.init(output, on: clock)
    }

    @inlinable
    var port: Sink<Next.Value, Next.Error> {
        port(
            receive: { self.keep($0) },
            end: { if case .completed = $0 { self.keep(nil) } else { self.settle($0) } },
            carryOut: { self.carryOut($0) })
    }

    @inlinable
    func carryOut(_ plan: Plan) { carryOut(plan) { self.fire($0) } }

    @inlinable
    func keep(_ value: Next.Value?) -> Plan {
        if isOver { return .nothing }
        let item = (value, clock.currentDate.addingTimeInterval(interval))
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
        next.receive(value)
        return true
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
    ///   - interval: How much later, in seconds. At least 0.
    ///   - scheduler: Where the result's callbacks run.
    /// - Complexity: O(1) per value, and a timer for as long as something waits.
    /// ## Concurrency
    /// What waits is not bounded: it is what the source sends during the interval.
    @inlinable
    public func delay(_ interval: TimeInterval, on scheduler: any DateScheduler) -> Signal<Value, Error> {
        requireNonnegative(interval)
        return scheduling {
            let stage = Delay($0, interval, on: scheduler)
            return (stage, stage.port)
        }
    }
}

extension SignalProducer {
    /// Delivers values and the completion later. See ``Signal/delay(_:on:)``.
    @inlinable
    public func delay(_ interval: TimeInterval, on scheduler: any DateScheduler) -> SignalProducer<Value, Error> {
        requireNonnegative(interval)
        return scheduling {
            let stage = Delay($0, interval, on: scheduler)
            return (stage, stage.port)
        }
    }
}
