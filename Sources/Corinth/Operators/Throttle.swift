public import Foundation

/// At most one value in an interval. One value waits at most: for the scheduler, or for the end of the interval.
@usableFromInline
final class Throttle<Next: Receiver>: TimedOperator<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline let interval: TimeInterval
    @usableFromInline let edges: IntervalEdges
    @usableFromInline let discards: Bool

    @safe @exclusivity(unchecked)
    @usableFromInline var waiting: (value: Next.Value, date: Date)?

    /// When the latest interval began.
    @safe @exclusivity(unchecked)
    @usableFromInline var start: Date?

    @safe @exclusivity(unchecked)
    @usableFromInline var isCompleted = false

    @inlinable
    init(
        _ output: JoinOutput<Next>, _ interval: TimeInterval, on clock: any DateScheduler, _ edges: IntervalEdges,
        discardWhenCompleted: Bool
    ) {
        self.interval = interval
        self.edges = edges
        discards = discardWhenCompleted
        super.init(output, on: clock)
    }

    @inlinable
    var port: Sink<Next.Value, Next.Error> {
        port(
            receive: { self.receive($0) },
            end: { if case .completed = $0 { self.complete() } else { self.settle($0) } },
            carryOut: { self.carryOut($0) })
    }

    @inlinable
    func carryOut(_ plan: Plan) { carryOut(plan) { self.fire($0) } }

    @inlinable
    func receive(_ value: Next.Value) -> Plan {
        if isOver || isCompleted { return .nothing }
        let setBackCount = steadyClock.setBackCount
        let now = now()
        // How much of the interval is left isn't known.
        if steadyClock.setBackCount != setBackCount { start = nil }
        guard let date = dueDate(now) else { return .nothing }
        if let waited = waiting {
            // The first one is on its way, and the others are not wanted.
            if !edges.contains(.trailing) { return .nothing }
            let first = min(date, waited.date)
            waiting = (value, first)
            // Unless the clock was put back, the timer has been set already.
            return first == waited.date && steadyClock.isTimerRight ? .nothing : alarm(at: first)
        }
        waiting = (value, date)
        return alarm(at: date)
    }

    /// When a value that comes now is due; nil if it is dropped.
    @inlinable
    func dueDate(_ now: Date) -> Date? {
        if let start, start <= now, now < start.addingTimeInterval(interval) {
            return edges.contains(.trailing) ? start.addingTimeInterval(interval) : nil
        }
        return edges.contains(.leading) ? now : now.addingTimeInterval(interval)
    }

    /// A value that is due already, and waits for nothing but the scheduler, is never discarded.
    @inlinable
    func complete() -> Plan {
        if isOver { return .nothing }
        guard let date = waiting?.date, !discards || date <= now() else { return settle(.completed) }
        isCompleted = true
        return .nothing
    }

    @inlinable
    func fire(_ alarm: Alarm) -> Bool {
        if let (value, date) = waiting {
            waiting = nil
            start = date
            next.receive(value)
            return isCompleted
        }
        finish(.completed)
        return false
    }
}

extension Signal {
    /// Passes on one value in an interval at most: the first at once, then the latest when the interval has passed.
    ///
    ///     source      ab--c------d-e-f|
    ///     throttle 3  a--b--c----d--e-|
    ///
    /// A value that waits is dropped when the source ends, whichever way; with
    /// ``throttle(_:on:edges:discardWhenCompleted:)`` the completion can wait for it.
    ///
    /// - Parameters:
    ///   - interval: In seconds, at least 0.
    ///   - scheduler: Where the result's callbacks run.
    /// - Complexity: O(1) and no allocation per value, and a timer for each value that is passed on.
    @inlinable
    public func throttle(_ interval: TimeInterval, on scheduler: any DateScheduler) -> Signal<Value, Error> {
        throttle(interval, on: scheduler, edges: .both, discardWhenCompleted: true)
    }

    /// Passes on one value in an interval at most: the first one, the latest, or both.
    ///
    ///     source               ab--c------d-e|
    ///     throttle 3 leading   a---c------d--|
    ///     throttle 3 trailing  ---b--c-------(e|)
    ///     throttle 3 both      a--b--c----d--(e|)
    ///
    /// An interval begins with a value that comes when none is in progress, and with each value that is sent at the end of
    /// one. A failure or an interruption drops the value that waits.
    ///
    /// - Parameters:
    ///   - interval: In seconds, at least 0.
    ///   - scheduler: Where the result's callbacks run.
    ///   - edges: Whether the first value of an interval is passed on at once, the latest at its end, or both.
    ///   - discardWhenCompleted: Whether the completion drops the value that waits, or waits for it.
    /// - Complexity: O(1) and no allocation per value, and a timer for each value that is passed on.
    @inlinable
    public func throttle(
        _ interval: TimeInterval, on scheduler: any DateScheduler, edges: IntervalEdges,
        discardWhenCompleted: Bool = false
    ) -> Signal<Value, Error> {
        requireNonnegative(interval)
        edges.requireAny()
        return scheduling {
            let stage = Throttle($0, interval, on: scheduler, edges, discardWhenCompleted: discardWhenCompleted)
            return (stage, stage.port)
        }
    }
}

extension SignalProducer {
    /// Passes on one value in an interval at most: the first at once, then the latest. See ``Signal/throttle(_:on:)``.
    @inlinable
    public func throttle(_ interval: TimeInterval, on scheduler: any DateScheduler) -> SignalProducer<Value, Error> {
        throttle(interval, on: scheduler, edges: .both, discardWhenCompleted: true)
    }

    /// Passes on one value in an interval at most: the first one, the latest, or both.
    /// See ``Signal/throttle(_:on:edges:discardWhenCompleted:)``.
    @inlinable
    public func throttle(
        _ interval: TimeInterval, on scheduler: any DateScheduler, edges: IntervalEdges,
        discardWhenCompleted: Bool = false
    ) -> SignalProducer<Value, Error> {
        requireNonnegative(interval)
        edges.requireAny()
        return scheduling {
            let stage = Throttle($0, interval, on: scheduler, edges, discardWhenCompleted: discardWhenCompleted)
            return (stage, stage.port)
        }
    }
}
