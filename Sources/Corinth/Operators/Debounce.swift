public import Foundation

/// One value of each burst, which is over when nothing has come for a while.
///
/// There is one timer for the whole burst. When it fires and more values have come meanwhile, it is set again.
@usableFromInline
final class Debounce<Next: Receiver>: TimedOperator<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline let interval: TimeInterval
    @usableFromInline let edges: IntervalEdges
    @usableFromInline let discards: Bool

    /// The first value of a burst, which waits for nothing but the scheduler.
    @safe @exclusivity(unchecked)
    @usableFromInline var leading: Next.Value?

    /// The latest one, which waits for the end of the burst.
    @safe @exclusivity(unchecked)
    @usableFromInline var trailing: Next.Value?

    /// When the latest burst was heard of last, and when the timer fires that waits.
    @safe @exclusivity(unchecked)
    @usableFromInline var latest: Date?
    @safe @exclusivity(unchecked)
    @usableFromInline var timerDate: Date?

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
        let now = now()
        let isFirst = !isInBurst(now)
        latest = now
        if isFirst, edges.contains(.leading) {
            leading = value
            return setTimer(now)
        }
        if !edges.contains(.trailing) { return .nothing }
        trailing = value
        return setTimer(now.addingTimeInterval(interval))
    }

    /// Whether a value that comes now belongs to the latest burst.
    @inlinable
    func isInBurst(_ now: Date) -> Bool {
        if leading != nil || trailing != nil { return true }
        guard let latest else { return false }
        return latest <= now && now < latest.addingTimeInterval(interval)
    }

    /// Sees to it that the timer fires at a time, or before.
    @inlinable
    func setTimer(_ date: Date) -> Plan {
        let first = min(date, timerDate ?? date)
        if first == timerDate, steadyClock.isTimerRight { return .nothing }
        timerDate = first
        return alarm(at: first)
    }

    @inlinable
    func complete() -> Plan {
        if isOver { return .nothing }
        if discards { trailing = nil }
        if leading == nil, trailing == nil { return settle(.completed) }
        isCompleted = true
        return .nothing
    }

    @inlinable
    func fire(_ alarm: Alarm) -> Bool {
        timerDate = nil
        if let value = leading.take() {
            next.receive(value)
            // Perhaps there is a completion, or a value that came meanwhile.
            return true
        }
        if trailing != nil, let latest {
            let end = latest.addingTimeInterval(interval)
            if end > now(at: alarm) {
                carryOut(setTimer(end))
                return false
            }
            if let value = trailing.take() { next.receive(value) }
            return isCompleted
        }
        if isCompleted { finish(.completed) }
        return false
    }
}

extension Signal {
    /// Passes on a value when no other has come for a while.
    ///
    ///     source      ab-c------d|
    ///     debounce 3  ------c----|
    ///
    /// A failure or an interruption doesn't wait, and drops the value that does.
    ///
    /// - Parameters:
    ///   - interval: For how long no other may come, in seconds. At least 0; may be infinite.
    ///   - scheduler: Where the result's callbacks run.
    ///   - discardWhenCompleted: Whether the completion drops the value that waits, or waits with it until its time.
    /// - Complexity: O(1) and no allocation per value, and two timers for a burst.
    @inlinable
    public func debounce(
        _ interval: TimeInterval, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
    ) -> Signal<Value, Error> {
        debounce(interval, on: scheduler, edges: .trailing, discardWhenCompleted: discardWhenCompleted)
    }

    /// Passes on the first value of a burst, the latest, or both.
    ///
    ///     source               ab-c------d|
    ///     debounce 3 leading   a---------d|
    ///     debounce 3 trailing  ------c------(d|)
    ///     debounce 3 both      a-----c---d|
    ///
    /// A burst is over when nothing has come for the interval. A failure or an interruption drops what waits.
    ///
    /// - Parameters:
    ///   - interval: How much time without a value ends a burst, in seconds. At least 0; may be infinite.
    ///   - scheduler: Where the result's callbacks run.
    ///   - edges: Whether the first value is passed on at once, the latest when the burst is over, or both. The only value
    ///     of a burst is passed on once.
    ///   - discardWhenCompleted: Whether the completion drops the value that waits, or waits with it until its time.
    /// - Complexity: O(1) and no allocation per value, and two timers for a burst.
    @inlinable
    public func debounce(
        _ interval: TimeInterval, on scheduler: any DateScheduler, edges: IntervalEdges,
        discardWhenCompleted: Bool = false
    ) -> Signal<Value, Error> {
        requireNonnegative(interval)
        edges.requireAny()
        return scheduling {
            let stage = Debounce($0, interval, on: scheduler, edges, discardWhenCompleted: discardWhenCompleted)
            return (stage, stage.port)
        }
    }
}

extension SignalProducer {
    /// Passes on a value when no other has come for a while. See ``Signal/debounce(_:on:discardWhenCompleted:)``.
    @inlinable
    public func debounce(
        _ interval: TimeInterval, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
    ) -> SignalProducer<Value, Error> {
        debounce(interval, on: scheduler, edges: .trailing, discardWhenCompleted: discardWhenCompleted)
    }

    /// Passes on the first value of a burst, the latest, or both.
    /// See ``Signal/debounce(_:on:edges:discardWhenCompleted:)``.
    @inlinable
    public func debounce(
        _ interval: TimeInterval, on scheduler: any DateScheduler, edges: IntervalEdges,
        discardWhenCompleted: Bool = false
    ) -> SignalProducer<Value, Error> {
        requireNonnegative(interval)
        edges.requireAny()
        return scheduling {
            let stage = Debounce($0, interval, on: scheduler, edges, discardWhenCompleted: discardWhenCompleted)
            return (stage, stage.port)
        }
    }
}
