public import Dispatch
internal import Foundation

/// The latest value at each tick of a timer, once.
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
    var port: Sink<Next.Value, Next.Error> {
        port(
            receive: {
                if !self.isOver { self.latest = $0 }
                return .nothing
            },
            end: { self.end($0) },
            carryOut: { self.carryOut($0) { _ in false } })
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) -> Plan {
        if case .completed = termination, latest != nil {
            isCompleted = true
            return .nothing
        }
        return settle(termination)
    }

    @inlinable
    func tick() {
        if let value = latest.take() { next.receive(value) }
        if isCompleted { finish(.completed) }
    }
}

extension Signal {
    /// Sends the latest value at each tick of a timer, if there is a new one.
    ///
    ///     source          ab--c--------d|
    ///     sample every 3  ---b--c--------(d|)
    ///
    /// The timer ticks from the application of the operator on. The completion waits for the tick that sends the last value,
    /// if that is still to be sent. A failure or an interruption doesn't wait, and drops it.
    ///
    /// - Parameters:
    ///   - interval: The time between two ticks. At least 0; with `.never`, there is none.
    ///   - scheduler: Where the result's callbacks run.
    /// - Complexity: O(1) and no allocation per value, and one timer.
    @inlinable
    public func sample(every interval: DispatchTimeInterval, on scheduler: any DateScheduler) -> Signal<Value, Error> {
        interval.requireNonnegative("interval")
        return scheduling {
            let stage = SampleEvery($0, every: interval, on: scheduler)
            return (stage, stage.port)
        }
    }
}

extension SignalProducer {
    /// Sends the latest value at each tick of a timer, if there is a new one. The timer ticks from the start on.
    /// See ``Signal/sample(every:on:)``.
    @inlinable
    public func sample(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        interval.requireNonnegative("interval")
        return scheduling {
            let stage = SampleEvery($0, every: interval, on: scheduler)
            return (stage, stage.port)
        }
    }
}
