public import Foundation

/// The kernel of `collect(count:within:)`: groups of a number of values, or of those that arrive within an interval.
@usableFromInline
final class CollectWithin<Value, Next: Receiver>: TimedOperator<Next>, @unchecked Sendable  // As its superclass.
where Next.Value == [Value] {
    @usableFromInline let count: Int
    @usableFromInline let interval: TimeInterval

    /// The open group, and its due date.
    @safe @exclusivity(unchecked)
    @usableFromInline var group: [Value] = []
    @safe @exclusivity(unchecked)
    @usableFromInline var due = Date.distantPast

    /// Complete groups, which wait only for the scheduler.
    @safe @exclusivity(unchecked)
    @usableFromInline var full = Deque<[Value]>()

    @safe @exclusivity(unchecked)
    @usableFromInline var isCompleted = false

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
        if isOver || isCompleted { return .nothing }
        group.append(value)
        if group.count == count { return sendGroup() }
        guard group.count == 1 else { return .nothing }
        due = now().addingTimeInterval(interval)
        // The action that sends full groups then sets the timer for this one.
        return full.isEmpty ? timer(at: due) : .nothing
    }

    /// Completes the group. The scheduler sends it as soon as possible.
    @inlinable
    func sendGroup() -> NextAction {
        let isFirst = full.isEmpty
        full.append(group)
        group = []
        return isFirst ? timer(at: now()) : .nothing
    }

    @inlinable
    func complete() -> NextAction {
        if isOver { return .nothing }
        if group.isEmpty, full.isEmpty { return beginEnd(.completed) }
        isCompleted = true
        return group.isEmpty ? .nothing : sendGroup()
    }

    @inlinable
    func fire(_ timer: TimerRequest) -> Bool {
        if let group = full.popFirst() {
            next.receive(group)
            return true
        }
        if isCompleted {
            finish(.completed)
        } else if !group.isEmpty {
            if due > now(at: timer) {
                carryOut(self.timer(at: due))
            } else {
                let sent = group
                group = []
                next.receive(sent)
            }
        }
        return false
    }
}

extension Signal {
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

extension SignalProducer {
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
