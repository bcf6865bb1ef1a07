public import Foundation

extension SignalProducer {
    /// A producer that `schedule` has started later. Disposing before that interrupts at once, and cancels the action.
    @inlinable
    func starting(
        _ schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> (any Disposable)?
    ) -> SignalProducer<Value, Error> {
        SignalProducer(recipe: { sink, run in
            let input = ProducerInput(to: sink, in: run)
            let resources = input.resources
            resources.add(
                schedule {
                    self.connect(to: Sink(value: { input.send($0) }, termination: { input.send($0) }), until: resources)
                })
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
    ///   - interval: How much later, in seconds. At least 0.
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
