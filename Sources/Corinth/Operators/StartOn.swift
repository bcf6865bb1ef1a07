public import Foundation

/// A start that a scheduler is asked for. If the scheduler lets go of it, as one does that has ended, the stream is interrupted.
@usableFromInline
final class ScheduledStart<Value, Error: Swift.Error>: @unchecked Sendable {  // The flag settles who may start.
    @usableFromInline let input: ProducerInput<Value, Error>

    @usableFromInline
    init(_ input: ProducerInput<Value, Error>) {
        self.input = input
    }

    // Nothing happens if it has ended. One that goes on interrupts itself in the end.
    deinit { if !isStarted { input.interrupt() } }

    /// Written by the scheduler's action alone.
    @safe @exclusivity(unchecked)
    @usableFromInline var isStarted = false
}

extension SignalProducer {
    /// A producer that `schedule` has started later. Disposing before that interrupts at once, and cancels the action; so does
    /// a scheduler that lets go of the action.
    @inlinable
    func starting(
        _ schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> (any Disposable)?
    ) -> SignalProducer<Value, Error> {
        SignalProducer(
            over: depth,
            recipe: { sink, run in
                let start = ScheduledStart(ProducerInput(to: sink, in: run))
                let resources = start.input.resources
                let action = { @Sendable in
                    start.isStarted = true
                    let input = start.input
                    self.connect(
                        to: Sink(value: { input.send($0) }, termination: { input.send($0) }), until: input.resources)
                }
                resources.add(schedule(action))
            })
    }

    /// Starts the source on a scheduler.
    ///
    /// What comes is delivered where the source sends it; see ``observe(on:)`` for that. Disposing before the scheduler comes
    /// to it interrupts at once, and the source is not started.
    ///
    /// - Parameter scheduler: Where the source is started.
    @inlinable
    public func start(on scheduler: any Scheduler) -> SignalProducer<Value, Error> {
        starting { action in scheduler.schedule(action) }
    }

    /// Starts the source later, on a scheduler.
    ///
    ///     source                a-b-|
    ///     delay subscription 3  ---a-b-|
    ///
    /// What comes is delivered where the source sends it. Disposing before the time interrupts at once, and the source is not
    /// started.
    ///
    /// - Parameters:
    ///   - interval: How much later, in seconds. At least 0; may be infinite.
    ///   - scheduler: Where the source is started.
    /// - Complexity: One timer for each start.
    @inlinable
    public func delaySubscription(
        _ interval: TimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        requireNonnegative(interval)
        return starting { action in
            scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(interval), action: action)
        }
    }
}
