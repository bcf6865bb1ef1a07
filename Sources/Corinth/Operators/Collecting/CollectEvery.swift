public import Dispatch
internal import CorinthEssentials

/// The kernel of `collect(every:)`: sends the values that arrive between two ticks of a timer as one array.
@usableFromInline
final class CollectEvery<Value, Next: Receiver>: TimedOperator<Next>, @unchecked Sendable  // As its superclass.
where Next.Value == [Value] {
    @usableFromInline let skipsEmpty: Bool
    @usableFromInline let discards: Bool

    /// The error with which it fails on overflow. nil if it continues.
    @usableFromInline let failure: Next.Error?

    /// The permits that senders wait for. nil if senders never wait.
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
    var input: Sink<Value, Next.Error> {
        input(
            receive: { self.receive($0) },
            end: { self.end($0) },
            permits: storedPermits, carryOut: { self.carryOut($0) { _ in false } })
    }

    @inlinable
    func receive(_ value: Value) -> NextAction {
        if isOver {
            values.refuse()
            storedPermits?.leave()
            return .nothing
        }
        if !values.append(value), let failure { return beginEnd(.failed(failure)) }
        return .nothing
    }

    @usableFromInline
    override func dropWaiting() {
        storedPermits?.leave(values.count)
        values.dropAll()
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) -> NextAction {
        if case .completed = termination, !discards {
            isCompleted = true
            return .nothing
        }
        return beginEnd(termination)
    }

    @inlinable
    func tick() {
        if !values.isEmpty || !skipsEmpty {
            let taken = values.takeAll()
            // After the statistics: a resumed sender may read them.
            storedPermits?.leave(taken.count)
            next.receive(taken)
        }
        if isCompleted { finish(.completed) }
    }
}

extension Signal where Value: Sendable {
    /// Sends the collected values as an array at each tick of a timer.
    ///
    ///     source           ab--c-------d|
    ///     collect every 3  ---[ab]--[c]--[]--[d]|
    ///
    /// The timer starts when the operator is applied. A failure or an interruption is sent at once and drops the collected
    /// values.
    ///
    /// - Parameters:
    ///   - interval: The time between two ticks. At least 0. With `.never`, there are no ticks.
    ///   - scheduler: The scheduler on which the result's callbacks run.
    ///   - skipEmpty: If no value has arrived at a tick: true sends nothing, false sends an empty array.
    ///   - discardWhenCompleted: If true, the completion is sent at once and drops the collected values. If false, it is
    ///     sent at the next tick.
    /// - Complexity: O(1) amortised per value. One timer.
    /// ## Concurrency
    /// The buffer is unbounded: it holds what the source sends during the interval. For a bound, see
    /// ``collect(every:on:skipEmpty:discardWhenCompleted:bufferingPolicy:statistics:)-(DispatchTimeInterval,_,_,_,_,_)``.
    @inlinable
    public func collect(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler, skipEmpty: Bool = false,
        discardWhenCompleted: Bool = true
    ) -> Signal<[Value], Error> {
        collect(
            every: interval, on: scheduler, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted,
            bufferingPolicy: .unbounded)
    }

    /// Sends the collected values as an array at each tick of a timer, with an overflow policy.
    ///
    ///     source                       abc-------d|
    ///     collect every 3, dropOldest  ---[bc]--[]--[d]|
    ///
    /// A failure is sent at once and drops the collected values. So does the failure of a policy that fails.
    ///
    /// - Parameters:
    ///   - interval: The time between two ticks. At least 0. With `.never`, there are no ticks.
    ///   - scheduler: The scheduler on which the result's callbacks run.
    ///   - skipEmpty: If no value has arrived at a tick: true sends nothing, false sends an empty array.
    ///   - discardWhenCompleted: If true, the completion is sent at once and drops the collected values. If false, it is
    ///     sent at the next tick.
    ///   - policy: The overflow policy of the array. Its stall timeout begins after the interval.
    ///   - statistics: Counts values as sent, delivered and dropped.
    /// - Complexity: O(1) amortised per value. One timer.
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
            return (stage, stage.input)
        }
    }
}

extension SignalProducer where Value: Sendable {
    /// Sends the collected values as an array at each tick of a timer, which starts with the producer.
    /// See ``Signal/collect(every:on:skipEmpty:discardWhenCompleted:)-(DispatchTimeInterval,_,_,_)``.
    @inlinable
    public func collect(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler, skipEmpty: Bool = false,
        discardWhenCompleted: Bool = true
    ) -> SignalProducer<[Value], Error> {
        collect(
            every: interval, on: scheduler, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted,
            bufferingPolicy: .unbounded)
    }

    /// Sends the collected values as an array at each tick of a timer, with an overflow policy for each start.
    /// See
    /// ``Signal/collect(every:on:skipEmpty:discardWhenCompleted:bufferingPolicy:statistics:)-(DispatchTimeInterval,_,_,_,_,_)``.
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
            return (stage, stage.input)
        }
    }
}
