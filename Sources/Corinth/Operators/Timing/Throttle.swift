public import CorinthEssentials

/// The kernel of `throttle`: sends at most one value in an interval. At most one value is held, until the scheduler
/// delivers it or the interval ends.
@usableFromInline
final class Throttle<Next: Receiver>: TimedOperator<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline let interval: TimeInterval
    @usableFromInline let edges: IntervalEdges
    @usableFromInline let discards: Bool

    @safe @exclusivity(unchecked)
    @usableFromInline var waiting: (value: Next.Value, date: Date)?

    /// The time at which the latest interval began.
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
    var input: Sink<Next.Value, Next.Error> {
        input(
            receive: { self.receive($0) },
            end: { if case .completed = $0 { self.complete() } else { self.beginEnd($0) } },
            carryOut: { self.carryOut($0) })
    }

    @inlinable
    func carryOut(_ nextAction: NextAction) { carryOut(nextAction) { self.fire($0) } }

    @inlinable
    func receive(_ value: Next.Value) -> NextAction {
        if isOver || isCompleted { return .nothing }
        let setBackCount = steadyClock.setBackCount
        let now = now()
        // The clock was set back: the rest of the interval is unknown.
        if steadyClock.setBackCount != setBackCount { start = nil }
        guard let date = dueDate(now) else { return .nothing }
        if let waited = waiting {
            // The first value is already scheduled, and later values are dropped.
            if !edges.contains(.trailing) { return .nothing }
            let first = min(date, waited.date)
            waiting = (value, first)
            // Unless the clock was set back, the timer is already set.
            return first == waited.date && steadyClock.isTimerRight ? .nothing : timer(at: first)
        }
        waiting = (value, date)
        return timer(at: date)
    }

    /// The due date of a value that arrives now. nil if it is dropped.
    @inlinable
    func dueDate(_ now: Date) -> Date? {
        if let start, start <= now, now < start.addingTimeInterval(interval) {
            return edges.contains(.trailing) ? start.addingTimeInterval(interval) : nil
        }
        return edges.contains(.leading) ? now : now.addingTimeInterval(interval)
    }

    /// A value that is already due is never discarded: it only waits for the scheduler.
    @inlinable
    func complete() -> NextAction {
        if isOver { return .nothing }
        guard let date = waiting?.date, !discards || date <= now() else { return beginEnd(.completed) }
        isCompleted = true
        return .nothing
    }

    @inlinable
    func fire(_ timer: TimerRequest) -> Bool {
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

extension Signal where Value: Sendable {
    /// Sends at most one value in an interval: the first at once, then the latest when the interval ends.
    ///
    ///     source      ab--c------d-e-f|
    ///     throttle 3  a--b--c----d--e-|
    ///
    /// Any termination of the source drops the held value. With
    /// ``throttle(_:on:edges:discardWhenCompleted:)-(TimeInterval,_,_,_)``, a
    /// completion can be sent after it instead.
    ///
    /// - Parameters:
    ///   - interval: The interval in seconds. At least 0.
    ///   - scheduler: The scheduler on which the result's callbacks run.
    /// - Complexity: O(1) and no allocation per value. One timer for each value that is sent.
    @inlinable
    public func throttle(_ interval: TimeInterval, on scheduler: any DateScheduler) -> Signal<Value, Error> {
        throttle(interval, on: scheduler, edges: .both, discardWhenCompleted: true)
    }

    /// Sends at most one value in an interval: the first, the latest, or both.
    ///
    ///     source               ab--c------d-e|
    ///     throttle 3 leading   a---c------d--|
    ///     throttle 3 trailing  ---b--c-------(e|)
    ///     throttle 3 both      a--b--c----d--(e|)
    ///
    /// An interval begins with a value that arrives when no interval is in progress, and with each value that is sent at
    /// the end of one. A failure or an interruption drops the held value.
    ///
    /// - Parameters:
    ///   - interval: The interval in seconds. At least 0.
    ///   - scheduler: The scheduler on which the result's callbacks run.
    ///   - edges: `leading` sends the first value of an interval at once. `trailing` sends the latest value at its end.
    ///   - discardWhenCompleted: If true, the completion drops the held value. If false, the completion is sent after it.
    /// - Complexity: O(1) and no allocation per value. One timer for each value that is sent.
    @inlinable
    public func throttle(
        _ interval: TimeInterval, on scheduler: any DateScheduler, edges: IntervalEdges,
        discardWhenCompleted: Bool = false
    ) -> Signal<Value, Error> {
        requireNonnegative(interval)
        edges.requireAny()
        return scheduling {
            let stage = Throttle($0, interval, on: scheduler, edges, discardWhenCompleted: discardWhenCompleted)
            return (stage, stage.input)
        }
    }
}

extension SignalProducer where Value: Sendable {
    /// Sends at most one value in an interval: the first at once, then the latest.
    /// See ``Signal/throttle(_:on:)-(TimeInterval,_)``.
    @inlinable
    public func throttle(_ interval: TimeInterval, on scheduler: any DateScheduler) -> SignalProducer<Value, Error> {
        throttle(interval, on: scheduler, edges: .both, discardWhenCompleted: true)
    }

    /// Sends at most one value in an interval: the first, the latest, or both.
    /// See ``Signal/throttle(_:on:edges:discardWhenCompleted:)-(TimeInterval,_,_,_)``.
    @inlinable
    public func throttle(
        _ interval: TimeInterval, on scheduler: any DateScheduler, edges: IntervalEdges,
        discardWhenCompleted: Bool = false
    ) -> SignalProducer<Value, Error> {
        requireNonnegative(interval)
        edges.requireAny()
        return scheduling {
            let stage = Throttle($0, interval, on: scheduler, edges, discardWhenCompleted: discardWhenCompleted)
            return (stage, stage.input)
        }
    }
}
