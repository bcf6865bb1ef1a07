public import CorinthEssentials

/// The kernel of `timeout`: sends all events, and fails if the stream, or the time between two values, takes too long.
@usableFromInline
final class Timeout<Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline let interval: TimeInterval
    @usableFromInline let error: Next.Error
    @usableFromInline let clock: any DateScheduler

    /// Whether each value restarts the interval.
    @usableFromInline let isPerValue: Bool

    @usableFromInline let timer = SerialDisposable()

    @safe @exclusivity(unchecked)
    @usableFromInline var steadyClock: SteadyClock

    /// The time at which the interval began.
    @safe @exclusivity(unchecked)
    @usableFromInline var start: Date

    @inlinable
    init(
        _ output: JoinOutput<Next>, after interval: TimeInterval, raising error: Next.Error,
        on clock: any DateScheduler,
        isPerValue: Bool
    ) {
        self.interval = interval
        self.error = error
        self.clock = clock
        self.isPerValue = isPerValue
        steadyClock = SteadyClock(clock)
        start = steadyClock.now()
        super.init(output, sources: 1)
        output.resources.add(timer)
        setTimer()
    }

    @inlinable
    func setTimer() {
        let date = start.addingTimeInterval(interval)
        timer.inner = clock.schedule(after: steadyClock.setTimer(date)) {
            self.strand.perform(on: self, with: date) { timeout, date in timeout.fire(date) }
        }
    }

    @inlinable
    func fire(_ date: Date) {
        if isTerminated { return }
        steadyClock.timerFired()
        if start.addingTimeInterval(interval) > max(date, steadyClock.now()) {
            setTimer()
        } else {
            terminate(.failed(error))
        }
    }

    @inlinable @inline(__always)
    func receive(_ value: Next.Value) {
        if isTerminated { return }
        if isPerValue { start = steadyClock.now() }
        next.receive(value)
    }

    @inlinable
    var input: Sink<Next.Value, Next.Error> { input { $0 } }

    /// The input for a source that can't fail.
    @inlinable
    var infallibleInput: Sink<Next.Value, Never> {
        input {
            switch $0 {
            case .completed: .completed
            case .interrupted: .interrupted
            }
        }
    }

    @inlinable
    func input<SourceError>(
        _ convert: @escaping (Termination<SourceError>) -> Termination<Next.Error>
    ) -> Sink<Next.Value, SourceError> {
        let strand = strand
        return Sink(
            value: { value in strand.send(value, to: self, self.receive(value)) { $0.receive($1) } },
            termination: { strand.perform(on: self, with: convert($0)) { $0.terminate($1) } })
    }
}

extension Signal {
    /// Sends all events, and fails if the source has not ended in time.
    ///
    ///     source     a-b-c-d-|
    ///     timeout 5  a-b-c#
    ///
    /// - Parameters:
    ///   - interval: The maximum duration of the source in seconds, from the application of the operator on. At least 0.
    ///     May be infinite.
    ///   - error: The error of the failure.
    ///   - scheduler: The scheduler that measures the time and sends the failure.
    /// - Complexity: O(1) and no allocation per value. One timer.
    /// ## Concurrency
    /// Events of the source are delivered on the threads on which the source sends them. The failure is delivered on the
    /// scheduler. If a callback is running at that time, its thread delivers the failure.
    @inlinable
    public func timeout(
        after interval: TimeInterval, raising error: Error, on scheduler: any DateScheduler
    ) -> Signal<Value, Error> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: false)
            self.connect(to: timeout.input, until: output.resources)
        }
    }
}

extension Signal where Error == Never {
    /// Sends all events, and fails if the source has not ended in time. See ``Signal/timeout(after:raising:on:)-2xmr``.
    @inlinable
    public func timeout<NewError>(
        after interval: TimeInterval, raising error: NewError, on scheduler: any DateScheduler
    ) -> Signal<Value, NewError> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: false)
            self.connect(to: timeout.infallibleInput, until: output.resources)
        }
    }
}

extension SignalProducer {
    /// Sends all events. If the source has not ended in time after the start, fails and disposes of the source.
    /// See ``Signal/timeout(after:raising:on:)-2xmr``.
    @inlinable
    public func timeout(
        after interval: TimeInterval, raising error: Error, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: false)
            self.connect(to: timeout.input, until: output.resources)
        }
    }
}

extension SignalProducer where Error == Never {
    /// Sends all events. If the source has not ended in time after the start, fails and disposes of the source.
    /// See ``Signal/timeout(after:raising:on:)-2xmr``.
    @inlinable
    public func timeout<NewError>(
        after interval: TimeInterval, raising error: NewError, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, NewError> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: false)
            self.connect(to: timeout.infallibleInput, until: output.resources)
        }
    }
}
