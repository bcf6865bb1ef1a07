public import CorinthEssentials

/// The kernel of `collect(count:within:)`: groups of a number of values, or of those that arrive within an interval.
@usableFromInline
final class CollectWithin<Value, Next: Receiver>: TimedOperator<Next>, @unchecked Sendable  // As its superclass.
where Next.Value == [Value] {
    @usableFromInline let count: Int
    @usableFromInline let interval: TimeInterval

    /// What the strand's owner owns.
    @usableFromInline
    @safe struct State {
        /// The open group, and its due date.
        @usableFromInline var group: [Value] = []
        @usableFromInline var due = Date.distantPast
        /// Complete groups, which wait only for the scheduler.
        @usableFromInline var full = Deque<[Value]>()
        @usableFromInline var isCompleted = false

        @inlinable @inline(__always)
        init() {}
    }

    @safe @exclusivity(unchecked)
    @usableFromInline var state = State()

    @inlinable
    init(_ output: JoinOutput<Next>, count: Int, within interval: TimeInterval, on clock: any DateScheduler) {
        self.count = count
        self.interval = interval
        super.init(output, on: clock)
    }

    @inlinable
    var input: Sink<Value, Next.Error> {
        input(
            receive: { self.receive($0) },
            end: { if case .completed = $0 { self.complete() } else { self.beginEnd($0) } },
            carryOut: { self.carryOut($0) })
    }

    @inlinable
    func carryOut(_ nextAction: NextAction) { carryOut(nextAction) { self.fire($0) } }

    @inlinable
    func receive(_ value: Value) -> NextAction {
        if isOver || state.isCompleted { return .nothing }
        state.group.append(value)
        if state.group.count == count { return sendGroup() }
        guard state.group.count == 1 else { return .nothing }
        state.due = now().addingTimeInterval(interval)
        // The action that sends full groups then sets the timer for this one.
        return state.full.isEmpty ? timer(at: state.due) : .nothing
    }

    /// Completes the group. The scheduler sends it as soon as possible.
    @inlinable
    func sendGroup() -> NextAction {
        let isFirst = state.full.isEmpty
        state.full.append(state.group)
        state.group = []
        return isFirst ? timer(at: now()) : .nothing
    }

    @inlinable
    func complete() -> NextAction {
        if isOver { return .nothing }
        if state.group.isEmpty, state.full.isEmpty { return beginEnd(.completed) }
        state.isCompleted = true
        return state.group.isEmpty ? .nothing : sendGroup()
    }

    @inlinable
    func fire(_ timer: TimerRequest) -> Bool {
        if let group = state.full.popFirst() {
            next.receive(group)
            return true
        }
        if state.isCompleted {
            finish(.completed)
        } else if !state.group.isEmpty {
            if state.due > now(at: timer) {
                carryOut(self.timer(at: state.due))
            } else {
                let sent = state.group
                state.group = []
                next.receive(sent)
            }
        }
        return false
    }
}

extension Signal where Value: Sendable {
    /// Sends arrays of `count` values, or of fewer when an interval has passed.
    ///
    ///     source              abc-----d|
    ///     collect 2 within 3  -[ab]---[c]---([d]|)
    ///
    /// No array is empty. The completion sends the collected values. A failure or an interruption drops them.
    ///
    /// - Parameters:
    ///   - count: The maximum number of values in an array. At least 1.
    ///   - interval: The maximum time that the first value of an array waits, in seconds. At least 0. May be infinite.
    ///   - scheduler: The scheduler on which the result's callbacks run.
    /// - Complexity: O(1) amortised per value. One timer for each array.
    /// ## Concurrency
    /// The queue of arrays for the scheduler is unbounded.
    @inlinable
    public func collect(
        count: Int, within interval: TimeInterval, on scheduler: any DateScheduler
    ) -> Signal<[Value], Error> {
        precondition(count >= 1, "count is \(count), but must be at least 1")
        requireNonnegative(interval)
        return scheduling {
            let stage = CollectWithin($0, count: count, within: interval, on: scheduler)
            return (stage, stage.input)
        }
    }
}

extension SignalProducer where Value: Sendable {
    /// Sends arrays of `count` values, or of fewer when an interval has passed.
    /// See ``Signal/collect(count:within:on:)-(_,TimeInterval,_)``.
    @inlinable
    public func collect(
        count: Int, within interval: TimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<[Value], Error> {
        precondition(count >= 1, "count is \(count), but must be at least 1")
        requireNonnegative(interval)
        return scheduling {
            let stage = CollectWithin($0, count: count, within: interval, on: scheduler)
            return (stage, stage.input)
        }
    }
}
