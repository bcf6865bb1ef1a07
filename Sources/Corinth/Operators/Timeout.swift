public import Foundation

/// Passes everything on, and fails if that takes too long: from the beginning to the end, or from one value to the next.
@usableFromInline
final class Timeout<Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline let interval: TimeInterval
    @usableFromInline let error: Next.Error
    @usableFromInline let clock: any DateScheduler

    /// Whether each value begins the interval anew.
    @usableFromInline let isPerValue: Bool

    @usableFromInline let timer = SerialDisposable()

    @safe @exclusivity(unchecked)
    @usableFromInline var steadyClock: SteadyClock

    /// When the interval began.
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
    var port: Sink<Next.Value, Next.Error> { port { $0 } }

    /// Where a source that can't fail sends to.
    @inlinable
    var infalliblePort: Sink<Next.Value, Never> {
        port {
            switch $0 {
            case .completed: .completed
            case .interrupted: .interrupted
            }
        }
    }

    @inlinable
    func port<SourceError>(
        _ convert: @escaping (Termination<SourceError>) -> Termination<Next.Error>
    ) -> Sink<Next.Value, SourceError> {
        let strand = strand
        return Sink(
            value: { value in
                if strand.tryEnter() {
                    self.receive(value)
                    strand.leave()
                } else {
                    strand.queue(value, for: self) { timeout, value in timeout.receive(value) }
                }
            },
            termination: { termination in
                strand.perform(on: self, with: convert(termination)) { timeout, end in timeout.terminate(end) }
            })
    }
}

extension Signal {
    /// Passes everything on, and fails if the source has not ended in time.
    ///
    ///     source     a-b-c-d-|
    ///     timeout 5  a-b-c#
    ///
    /// - Parameters:
    ///   - interval: How long the source may take, in seconds from now. At least 0; may be infinite.
    ///   - error: What the failure says.
    ///   - scheduler: Whose time it is, and where the failure is sent.
    /// - Complexity: O(1) and no allocation per value, and one timer.
    /// ## Concurrency
    /// The source's events are delivered where it sends them. The failure is delivered on the scheduler; if it comes during
    /// a callback, by the thread that runs that.
    @inlinable
    public func timeout(
        after interval: TimeInterval, raising error: Error, on scheduler: any DateScheduler
    ) -> Signal<Value, Error> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: false)
            self.connect(to: timeout.port, until: output.resources)
        }
    }
}

extension Signal where Error == Never {
    /// Passes everything on, and fails if the source has not ended in time. See ``Signal/timeout(after:raising:on:)-2xmr``.
    @inlinable
    public func timeout<NewError>(
        after interval: TimeInterval, raising error: NewError, on scheduler: any DateScheduler
    ) -> Signal<Value, NewError> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: false)
            self.connect(to: timeout.infalliblePort, until: output.resources)
        }
    }
}

extension SignalProducer {
    /// Passes everything on, and fails if the source has not ended in time after the start, which cancels it.
    /// See ``Signal/timeout(after:raising:on:)-2xmr``.
    @inlinable
    public func timeout(
        after interval: TimeInterval, raising error: Error, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: false)
            self.connect(to: timeout.port, until: output.resources)
        }
    }
}

extension SignalProducer where Error == Never {
    /// Passes everything on, and fails if the source has not ended in time after the start, which cancels it.
    /// See ``Signal/timeout(after:raising:on:)-2xmr``.
    @inlinable
    public func timeout<NewError>(
        after interval: TimeInterval, raising error: NewError, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, NewError> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: false)
            self.connect(to: timeout.infalliblePort, until: output.resources)
        }
    }
}
