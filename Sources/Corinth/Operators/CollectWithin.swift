public import Foundation

/// Groups of so many values, or of what comes within a time.
@usableFromInline
final class CollectWithin<Value, Next: Receiver>: TimedOperator<Next>, @unchecked Sendable  // As its superclass.
where Next.Value == [Value] {
    @usableFromInline let count: Int
    @usableFromInline let interval: TimeInterval

    /// The group in the making, and when it is due.
    @safe @exclusivity(unchecked)
    @usableFromInline var group: [Value] = []
    @safe @exclusivity(unchecked)
    @usableFromInline var due = Date.distantPast

    /// Groups that wait for nothing but the scheduler.
    @safe @exclusivity(unchecked)
    @usableFromInline var full = Fifo<[Value]>()

    @safe @exclusivity(unchecked)
    @usableFromInline var isCompleted = false

    @inlinable
    init(_ output: JoinOutput<Next>, count: Int, within interval: TimeInterval, on clock: any DateScheduler) {
        self.count = count
        self.interval = interval
        super.init(output, on: clock)
    }

    @inlinable
    var port: Sink<Value, Next.Error> {
        port(
            receive: { self.receive($0) },
            end: { if case .completed = $0 { self.complete() } else { self.settle($0) } },
            carryOut: { self.carryOut($0) })
    }

    @inlinable
    func carryOut(_ plan: Plan) { carryOut(plan) { self.fire($0) } }

    @inlinable
    func receive(_ value: Value) -> Plan {
        if isOver || isCompleted { return .nothing }
        group.append(value)
        if group.count == count { return sendGroup() }
        guard group.count == 1 else { return .nothing }
        due = now().addingTimeInterval(interval)
        // An action that sends full groups then sees to this one's timer.
        return full.isEmpty ? alarm(at: due) : .nothing
    }

    /// Has the group sent as soon as the scheduler comes to it.
    @inlinable
    func sendGroup() -> Plan {
        let isFirst = full.isEmpty
        full.append(group)
        group = []
        return isFirst ? alarm(at: now()) : .nothing
    }

    @inlinable
    func complete() -> Plan {
        if isOver { return .nothing }
        if group.isEmpty, full.isEmpty { return settle(.completed) }
        isCompleted = true
        return group.isEmpty ? .nothing : sendGroup()
    }

    @inlinable
    func fire(_ alarm: Alarm) -> Bool {
        if let group = full.popFirst() {
            next.receive(group)
            return true
        }
        if isCompleted {
            finish(.completed)
        } else if !group.isEmpty {
            if due > now(at: alarm) {
                carryOut(self.alarm(at: due))
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
    /// Sends arrays of `count` values, or of fewer if that takes too long.
    ///
    ///     source              abc-----d|
    ///     collect 2 within 3  -[ab]---[c]---([d]|)
    ///
    /// No array is empty. The completion has the values sent that wait. A failure or an interruption drops them.
    ///
    /// - Parameters:
    ///   - count: How many values an array has at most. At least 1.
    ///   - interval: How long the first value of an array waits at most, in seconds. At least 0; may be infinite.
    ///   - scheduler: Where the result's callbacks run.
    /// - Complexity: O(1) amortised per value, and a timer for each array.
    /// ## Concurrency
    /// Arrays wait, without a bound, for a scheduler that is slower than the source.
    @inlinable
    public func collect(
        count: Int, within interval: TimeInterval, on scheduler: any DateScheduler
    ) -> Signal<[Value], Error> {
        precondition(count >= 1, "count is \(count), but must be at least 1")
        requireNonnegative(interval)
        return scheduling {
            let stage = CollectWithin($0, count: count, within: interval, on: scheduler)
            return (stage, stage.port)
        }
    }
}

extension SignalProducer {
    /// Sends arrays of `count` values, or of fewer if that takes too long. See ``Signal/collect(count:within:on:)``.
    @inlinable
    public func collect(
        count: Int, within interval: TimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<[Value], Error> {
        precondition(count >= 1, "count is \(count), but must be at least 1")
        requireNonnegative(interval)
        return scheduling {
            let stage = CollectWithin($0, count: count, within: interval, on: scheduler)
            return (stage, stage.port)
        }
    }
}
