public import CorinthEssentials

/// A start on a scheduler that may end. If the scheduler releases the action without running it, because it has ended, the stream
/// is interrupted.
@usableFromInline
final class EndingStart<Value, Error: Swift.Error>: @unchecked Sendable {  // The scheduled action owns the flag.
    @usableFromInline let input: ProducerInput<Value, Error>

    /// Written only by the scheduled action.
    @safe @exclusivity(unchecked)
    @usableFromInline var isStarted = false

    @usableFromInline
    init(_ input: ProducerInput<Value, Error>) {
        self.input = input
    }

    deinit { if !isStarted { input.interrupt() } }
}

extension SignalProducer {
    /// A producer that starts when `schedule` runs its action. Disposing before that interrupts at once and cancels the
    /// action. A start whose action never runs goes on until it is disposed of (law P5), unless its scheduler has ended.
    ///
    /// - Parameters:
    ///   - end: That of the scheduler.
    ///   - scheduler: The scheduler, if it is the same for every start.
    @inlinable
    func starting(
        until end: CompositeDisposable?, on scheduler: (any Scheduler)?,
        _ schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> (any Disposable)?
    ) -> SignalProducer<Value, Error> {
        SignalProducer(
            over: depth, inputs: .one,
            boundary: { _, sink, run in
                if let scheduler { run.passes(through: scheduler) }
                let input = ProducerInput(to: sink, in: run)
                let ending = end == nil ? nil : EndingStart(input)
                let scheduled = schedule {
                    ending?.isStarted = true
                    self.whole(of: input.run, passing: scheduler).connect(
                        to: Sink(value: { input.send($0) }, termination: { input.send($0) }), until: input.resources)
                }
                input.resources.add(scheduled)
            })
    }

    /// Starts the source on a scheduler.
    ///
    /// Events are delivered on the threads on which the source sends them. To change that, see ``observe(on:)``. Disposing
    /// before the scheduled action runs interrupts at once, and the source is not started. If a ``ThreadScheduler`` or a pool is
    /// stopped before, the stream is interrupted. A scheduler that drops the action otherwise doesn't end the stream.
    ///
    /// - Parameter scheduler: The scheduler on which the source is started.
    @inlinable
    public func start(on scheduler: any Scheduler) -> SignalProducer<Value, Error> {
        starting(until: scheduler.end, on: scheduler) { action in scheduler.schedule(action) }
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
        return starting(until: scheduler.end, on: scheduler) { action in
            scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(interval), action: action)
        }
    }
}
