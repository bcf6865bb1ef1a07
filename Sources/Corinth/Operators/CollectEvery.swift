public import Dispatch
internal import Foundation

/// What came between two ticks of a timer, together.
@usableFromInline
final class CollectEvery<Value, Next: Receiver>: TimedOperator<Next>, @unchecked Sendable  // As its superclass.
where Next.Value == [Value] {
    @usableFromInline let skipsEmpty: Bool
    @usableFromInline let discards: Bool

    @safe @exclusivity(unchecked)
    @usableFromInline var values: [Value] = []

    @safe @exclusivity(unchecked)
    @usableFromInline var isCompleted = false

    @inlinable
    init(
        _ output: JoinOutput<Next>, every interval: DispatchTimeInterval, on clock: any DateScheduler, skipEmpty: Bool,
        discardWhenCompleted: Bool
    ) {
        skipsEmpty = skipEmpty
        discards = discardWhenCompleted
        super.init(output, on: clock)
        startTicking(every: interval) { self.tick() }
    }

    @inlinable
    var port: Sink<Value, Next.Error> {
        port(
            receive: {
                if !self.isOver { self.values.append($0) }
                return .nothing
            },
            end: { self.end($0) },
            carryOut: { self.carryOut($0) { _ in false } })
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
            let collected = values
            values = []
            next.receive(collected)
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
    ///   - interval: The time between two ticks. At least 0.
    ///   - scheduler: Where the result's callbacks run.
    ///   - skipEmpty: Whether nothing is sent, instead of an empty array, when nothing has come.
    ///   - discardWhenCompleted: Whether the completion comes at once and drops what has come, or waits for the next tick.
    /// - Complexity: O(1) amortised per value, and one timer.
    /// ## Concurrency
    /// What waits is not bounded: it is what the source sends during the interval.
    @inlinable
    public func collect(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler, skipEmpty: Bool = false,
        discardWhenCompleted: Bool = true
    ) -> Signal<[Value], Error> {
        interval.requireNonnegative("interval")
        return scheduling {
            let stage = CollectEvery(
                $0, every: interval, on: scheduler, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted)
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
        interval.requireNonnegative("interval")
        return scheduling {
            let stage = CollectEvery(
                $0, every: interval, on: scheduler, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted)
            return (stage, stage.port)
        }
    }
}
