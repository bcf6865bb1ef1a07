public import Dispatch
internal import Foundation

/// What came between two ticks of a timer, together.
@usableFromInline
final class CollectEvery<Value, Next: Receiver>: TimedOperator<Next>, @unchecked Sendable  // As its superclass.
where Next.Value == [Value] {
    @usableFromInline let skipsEmpty: Bool
    @usableFromInline let discards: Bool

    /// What values that find no room make it fail with; nil if it goes on.
    @usableFromInline let failure: Next.Error?

    /// Where senders wait for a place, if they do.
    @usableFromInline let storedPermits: Permits?

    @usableFromInline
    override var permits: Permits? { storedPermits }

    @safe @exclusivity(unchecked)
    @usableFromInline var values: BoundedBatch<Value>

    @safe @exclusivity(unchecked)
    @usableFromInline var isCompleted = false

    @inlinable
    init(
        _ output: JoinOutput<Next>, every interval: DispatchTimeInterval, on clock: any DateScheduler, skipEmpty: Bool,
        discardWhenCompleted: Bool, _ policy: BufferingPolicy<Next.Error>, counting statistics: BufferStatistics?
    ) {
        skipsEmpty = skipEmpty
        discards = discardWhenCompleted
        failure = policy.failure
        values = BoundedBatch(policy.bound, counting: statistics)
        storedPermits = policy.permits(on: clock, afterSeconds: interval.timeInterval)
        super.init(output, on: clock)
        storedPermits?.statistics = statistics
        startTicking(every: interval) { self.tick() }
    }

    @inlinable
    var port: Sink<Value, Next.Error> {
        port(
            receive: { self.receive($0) },
            end: { self.end($0) },
            permits: storedPermits, carryOut: { self.carryOut($0) { _ in false } })
    }

    @inlinable
    func receive(_ value: Value) -> Plan {
        if isOver {
            values.refuse()
            storedPermits?.leave()
            return .nothing
        }
        if !values.append(value), let failure { return settle(.failed(failure)) }
        return .nothing
    }

    @usableFromInline
    override func dropWaiting() {
        storedPermits?.leave(values.count)
        values.dropAll()
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) -> Plan {
        if case .completed = termination, !discards {
            isCompleted = true
            return .nothing
        }
        return settle(termination)
    }

    @inlinable
    func tick() {
        if !values.isEmpty || !skipsEmpty {
            let taken = values.takeAll()
            // When they have been counted: whoever waited looks at the counts.
            storedPermits?.leave(taken.count)
            next.receive(taken)
        }
        if isCompleted { finish(.completed) }
    }
}

extension Signal {
    /// Sends what has come, at each tick of a timer, as an array.
    ///
    ///     source           ab--c-------d|
    ///     collect every 3  ---[ab]--[c]--[]--[d]|
    ///
    /// The timer ticks from the application of the operator on. A failure or an interruption doesn't wait for a tick, and
    /// drops what has come.
    ///
    /// - Parameters:
    ///   - interval: The time between two ticks. At least 0; with `.never`, there is none.
    ///   - scheduler: Where the result's callbacks run.
    ///   - skipEmpty: Whether nothing is sent, instead of an empty array, when nothing has come.
    ///   - discardWhenCompleted: Whether the completion comes at once and drops what has come, or waits for the next tick.
    /// - Complexity: O(1) amortised per value, and one timer.
    /// ## Concurrency
    /// What waits is not bounded: it is what the source sends during the interval. For a bound, see
    /// ``collect(every:on:skipEmpty:discardWhenCompleted:bufferingPolicy:statistics:)``.
    @inlinable
    public func collect(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler, skipEmpty: Bool = false,
        discardWhenCompleted: Bool = true
    ) -> Signal<[Value], Error> {
        collect(
            every: interval, on: scheduler, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted,
            bufferingPolicy: .unbounded)
    }

    /// Sends what has come, at each tick of a timer, as an array, with a bound on how much that is.
    ///
    ///     source                       abc-------d|
    ///     collect every 3, dropOldest  ---[bc]--[]--[d]|
    ///
    /// A failure doesn't wait for a tick, and drops what has come: that of a policy that fails, too.
    ///
    /// - Parameters:
    ///   - interval: The time between two ticks. At least 0; with `.never`, there is none.
    ///   - scheduler: Where the result's callbacks run.
    ///   - skipEmpty: Whether nothing is sent, instead of an empty array, when nothing has come.
    ///   - discardWhenCompleted: Whether the completion comes at once and drops what has come, or waits for the next tick.
    ///   - policy: What happens to values that find no room in the array. The stall timeout begins after
    ///     the interval.
    ///   - statistics: Where values are counted as sent, delivered and dropped.
    /// - Complexity: O(1) amortised per value, and one timer.
    @inlinable
    public func collect(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler, skipEmpty: Bool = false,
        discardWhenCompleted: Bool = true, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> Signal<[Value], Error> {
        interval.requireNonnegative("interval")
        return scheduling {
            let stage = CollectEvery(
                $0, every: interval, on: scheduler, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted,
                policy, counting: statistics)
            return (stage, stage.port)
        }
    }
}

extension SignalProducer {
    /// Sends what has come, at each tick of a timer, as an array. The timer ticks from the start on.
    /// See ``Signal/collect(every:on:skipEmpty:discardWhenCompleted:)``.
    @inlinable
    public func collect(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler, skipEmpty: Bool = false,
        discardWhenCompleted: Bool = true
    ) -> SignalProducer<[Value], Error> {
        collect(
            every: interval, on: scheduler, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted,
            bufferingPolicy: .unbounded)
    }

    /// Sends what has come, at each tick of a timer, as an array, with a bound on how much that is in each start.
    /// See ``Signal/collect(every:on:skipEmpty:discardWhenCompleted:bufferingPolicy:statistics:)``.
    @inlinable
    public func collect(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler, skipEmpty: Bool = false,
        discardWhenCompleted: Bool = true, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<[Value], Error> {
        interval.requireNonnegative("interval")
        return scheduling {
            let stage = CollectEvery(
                $0, every: interval, on: scheduler, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted,
                policy, counting: statistics)
            return (stage, stage.port)
        }
    }
}
