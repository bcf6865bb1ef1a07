public import Foundation

/// A start that is scheduled. If the scheduler releases it without running it, the stream is interrupted.
@usableFromInline
final class ScheduledStart<Value, Error: Swift.Error>: @unchecked Sendable {  // The scheduled action owns the flag.
    @usableFromInline let input: ProducerInput<Value, Error>

    @usableFromInline
    init(_ input: ProducerInput<Value, Error>) {
        self.input = input
    }

    // Interrupts a start that never ran. Has no effect if the stream has ended. A running start interrupts itself.
    deinit { if !isStarted { input.interrupt() } }

    /// Written only by the scheduled action.
    @safe @exclusivity(unchecked)
    @usableFromInline var isStarted = false
}

extension SignalProducer {
    /// A producer that starts when `schedule` runs its action. Disposing before that interrupts at once and cancels the
    /// action. If the scheduler releases the action, the stream is interrupted.
    @inlinable
    func starting(
        _ schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> (any Disposable)?
    ) -> SignalProducer<Value, Error> {
        SignalProducer(
            over: depth,
            recipe: { _, sink, run in
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
    /// Events are delivered on the threads on which the source sends them. To change that, see ``observe(on:)``. Disposing
    /// before the scheduled action runs interrupts at once, and the source is not started.
    ///
    /// - Parameter scheduler: The scheduler on which the source is started.
    @inlinable
    public func start(on scheduler: any Scheduler) -> SignalProducer<Value, Error> {
        starting { action in scheduler.schedule(action) }
    }

    /// Starts the source on a scheduler after a delay.
    ///
    ///     source                a-b-|
    ///     delay subscription 3  ---a-b-|
    ///
    /// Events are delivered on the threads on which the source sends them. Disposing before the time interrupts at once,
    /// and the source is not started.
    ///
    /// - Parameters:
    ///   - interval: The delay in seconds. At least 0. May be infinite.
    ///   - scheduler: The scheduler on which the source is started.
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
