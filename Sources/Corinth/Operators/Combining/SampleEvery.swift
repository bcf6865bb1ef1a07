public import Dispatch
internal import CorinthEssentials

/// The kernel of `sample(every:)`: sends the latest value at a tick of a timer, once.
@usableFromInline
final class SampleEvery<Next: Receiver>: TimedOperator<Next>, @unchecked Sendable {  // As its superclass.
    @safe @exclusivity(unchecked)
    @usableFromInline var latest: Next.Value?

    @safe @exclusivity(unchecked)
    @usableFromInline var isCompleted = false

    @inlinable
    init(_ output: JoinOutput<Next>, every interval: DispatchTimeInterval, on clock: any DateScheduler) {
        super.init(output, on: clock)
        startTicking(every: interval) { self.tick() }
    }

    @inlinable
    var input: Sink<Next.Value, Next.Error> {
        input(
            receive: {
                if !self.isOver { self.latest = $0 }
                return .nothing
            },
            end: { self.end($0) },
            carryOut: { self.carryOut($0) { _ in false } })
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) -> NextAction {
        if case .completed = termination, latest != nil {
            isCompleted = true
            return .nothing
        }
        return beginEnd(termination)
    }

    @inlinable
    func tick() {
        if let value = latest.take() { next.receive(value) }
        if isCompleted { finish(.completed) }
    }
}

extension Signal where Value: Sendable {
    /// Sends the latest value at each tick of a timer, if a new value has arrived since the last tick.
    ///
    ///     source          ab--c--------d|
    ///     sample every 3  ---b--c--------(d|)
    ///
    /// The timer starts when the operator is applied. A completion is sent after the last value, at the next tick if that
    /// value is not sent yet. A failure or an interruption is sent at once and drops the value.
    ///
    /// - Parameters:
    ///   - interval: The time between two ticks. At least 0. With `.never`, there are no ticks.
    ///   - scheduler: The scheduler on which the result's callbacks run.
    /// - Complexity: O(1) and no allocation per value. One timer.
    @inlinable
    public func sample(every interval: DispatchTimeInterval, on scheduler: any DateScheduler) -> Signal<Value, Error> {
        interval.requireNonnegative("interval")
        return scheduling {
            let stage = SampleEvery($0, every: interval, on: scheduler)
            return (stage, stage.input)
        }
    }
}

extension SignalProducer where Value: Sendable {
    /// Sends the latest value at each tick of a timer, which starts with the producer.
    /// See ``Signal/sample(every:on:)-(DispatchTimeInterval,_)``.
    @inlinable
    public func sample(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        interval.requireNonnegative("interval")
        return scheduling {
            let stage = SampleEvery($0, every: interval, on: scheduler)
            return (stage, stage.input)
        }
    }
}
