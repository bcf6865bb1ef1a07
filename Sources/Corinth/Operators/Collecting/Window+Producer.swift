public import Dispatch
public import CorinthEssentials

extension SignalProducer {
    @inlinable
    func windows(
        _ bounds: WindowBounds, _ policy: BufferingPolicy<Error>, counting statistics: BufferStatistics?
    ) -> SignalProducer<SignalProducer<Value, Error>, Error> {
        let buffering = policy.buffering(in: "window", counting: statistics)
        return .joining { output in
            let window = Window<Value, Sink<SignalProducer<Value, Error>, Error>>(output, bounds, buffering) {
                $0.producer
            }
            self.connect(to: window.input, until: output.resources)
        }
    }

    /// Splits the stream into producers of `count` values each.
    ///
    /// The first start of such a producer receives all values of its window, also those that were sent before. A later start receives
    /// those that are sent from then on (law [S6](doc:Contracts#S6-Kept-for-the-first-observer)). See
    /// ``Signal/window(count:bufferingPolicy:statistics:)``.
    @inlinable
    public func window(
        count: Int, bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil
    ) -> SignalProducer<SignalProducer<Value, Error>, Error> {
        windows(WindowBounds(count: count), policy, counting: statistics)
    }

    /// Splits the stream into producers at each tick of a timer, which starts with the producer.
    /// See ``Signal/window(every:on:bufferingPolicy:statistics:)-(DispatchTimeInterval,_,_,_)``, and
    /// ``window(count:bufferingPolicy:statistics:)`` for the values that a start receives.
    @inlinable
    public func window(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler,
        bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil
    ) -> SignalProducer<SignalProducer<Value, Error>, Error> {
        windows(WindowBounds(time: .ticks(interval, scheduler)), policy, counting: statistics)
    }

    /// Splits the stream into producers of `count` values each, or of fewer when an interval has passed.
    /// See ``Signal/window(count:within:on:bufferingPolicy:statistics:)-(_,TimeInterval,_,_,_)``, and
    /// ``window(count:bufferingPolicy:statistics:)`` for the values that a start receives.
    @inlinable
    public func window(
        count: Int, within interval: TimeInterval, on scheduler: any DateScheduler,
        bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil
    ) -> SignalProducer<SignalProducer<Value, Error>, Error> {
        windows(WindowBounds(count: count, time: .length(interval, scheduler)), policy, counting: statistics)
    }
}
