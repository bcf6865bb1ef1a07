public import CorinthEssentials

/// The kernel of `debounce`: sends one or two values of each burst. A burst ends when no value arrives for the interval.
///
/// A burst has one timer. If more values have arrived when it fires, it is set again.
@usableFromInline
final class Debounce<Next: Receiver>: TimedOperator<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline let interval: TimeInterval
    @usableFromInline let edges: IntervalEdges
    @usableFromInline let discards: Bool

    /// What the strand's owner owns.
    @usableFromInline
    @safe struct State: ~Copyable {
        /// The first value of a burst, until the scheduler delivers it.
        @usableFromInline var leading: Next.Value?
        /// The latest value of a burst, until the burst ends.
        @usableFromInline var trailing: Next.Value?
        /// The time of the latest value, and the date of the pending timer.
        @usableFromInline var latest: Date?
        @usableFromInline var timerDate: Date?
        @usableFromInline var isCompleted = false

        @inlinable @inline(__always)
        init() {}
    }

    @safe @exclusivity(unchecked)
    @usableFromInline var state = State()

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
        if isOver || state.isCompleted { return .nothing }
        let now = now()
        let isFirst = !isInBurst(now)
        state.latest = now
        if isFirst, edges.contains(.leading) {
            state.leading = value
            return setTimer(now)
        }
        if !edges.contains(.trailing) { return .nothing }
        state.trailing = value
        return setTimer(now.addingTimeInterval(interval))
    }

    /// Whether a value that arrives now belongs to the latest burst.
    @inlinable
    func isInBurst(_ now: Date) -> Bool {
        if state.leading != nil || state.trailing != nil { return true }
        guard let latest = state.latest else { return false }
        return now < latest.addingTimeInterval(interval)
    }

    /// Ensures that the timer fires at a date, or earlier.
    @inlinable
    func setTimer(_ date: Date) -> NextAction {
        let first = min(date, state.timerDate ?? date)
        if first == state.timerDate, steadyClock.isTimerRight { return .nothing }
        state.timerDate = first
        return timer(at: first)
    }

    @inlinable
    func complete() -> NextAction {
        if isOver { return .nothing }
        if discards { state.trailing = nil }
        if state.leading == nil, state.trailing == nil { return beginEnd(.completed) }
        state.isCompleted = true
        return .nothing
    }

    @inlinable
    func fire(_ timer: TimerRequest) -> Bool {
        state.timerDate = nil
        if let value = state.leading.take() {
            next.receive(value)
            // The source may have completed, or a value may have arrived in the meantime.
            return true
        }
        if state.trailing != nil, let latest = state.latest {
            let end = latest.addingTimeInterval(interval)
            if end > now(at: timer) {
                carryOut(setTimer(end))
                return false
            }
            if let value = state.trailing.take() { next.receive(value) }
            return state.isCompleted
        }
        if state.isCompleted { finish(.completed) }
        return false
    }
}

extension Signal where Value: Sendable {
    /// Sends a value when no other value arrives for an interval.
    ///
    ///     source      ab-c------d|
    ///     debounce 3  ------c----|
    ///
    /// A failure or an interruption is sent at once and drops the held value.
    ///
    /// - Parameters:
    ///   - interval: How long no other value may arrive, in seconds. At least 0. May be infinite.
    ///   - scheduler: The scheduler on which the result's callbacks run.
    ///   - discardWhenCompleted: If true, the completion drops the held value. If false, both are sent at the value's time.
    /// - Complexity: O(1) and no allocation per value. Two timers for a burst.
    @inlinable
    public func debounce(
        _ interval: TimeInterval, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
    ) -> Signal<Value, Error> {
        debounce(interval, on: scheduler, edges: .trailing, discardWhenCompleted: discardWhenCompleted)
    }

    /// Sends the first value of a burst, the latest, or both.
    ///
    ///     source               ab-c------d|
    ///     debounce 3 leading   a---------d|
    ///     debounce 3 trailing  ------c------(d|)
    ///     debounce 3 both      a-----c---d|
    ///
    /// A burst ends when no value arrives for the interval. A failure or an interruption drops held values.
    ///
    /// - Parameters:
    ///   - interval: The time without a value after which a burst ends, in seconds. At least 0. May be infinite.
    ///   - scheduler: The scheduler on which the result's callbacks run.
    ///   - edges: `leading` sends the first value at once. `trailing` sends the latest value when the burst ends. The only
    ///     value of a burst is sent once.
    ///   - discardWhenCompleted: If true, the completion drops the held value. If false, both are sent at the value's time.
    /// - Complexity: O(1) and no allocation per value. Two timers for a burst.
    @inlinable
    public func debounce(
        _ interval: TimeInterval, on scheduler: any DateScheduler, edges: IntervalEdges,
        discardWhenCompleted: Bool = false
    ) -> Signal<Value, Error> {
        requireNonnegative(interval)
        edges.requireAny()
        return scheduling {
            let stage = Debounce($0, interval, on: scheduler, edges, discardWhenCompleted: discardWhenCompleted)
            return (stage, stage.input)
        }
    }
}

extension SignalProducer where Value: Sendable {
    /// Sends a value when no other value arrives for an interval.
    /// See ``Signal/debounce(_:on:discardWhenCompleted:)-(TimeInterval,_,_)``.
    @inlinable
    public func debounce(
        _ interval: TimeInterval, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
    ) -> SignalProducer<Value, Error> {
        debounce(interval, on: scheduler, edges: .trailing, discardWhenCompleted: discardWhenCompleted)
    }

    /// Sends the first value of a burst, the latest, or both.
    /// See ``Signal/debounce(_:on:edges:discardWhenCompleted:)-(TimeInterval,_,_,_)``.
    @inlinable
    public func debounce(
        _ interval: TimeInterval, on scheduler: any DateScheduler, edges: IntervalEdges,
        discardWhenCompleted: Bool = false
    ) -> SignalProducer<Value, Error> {
        requireNonnegative(interval)
        edges.requireAny()
        return scheduling {
            let stage = Debounce($0, interval, on: scheduler, edges, discardWhenCompleted: discardWhenCompleted)
            return (stage, stage.input)
        }
    }
}
