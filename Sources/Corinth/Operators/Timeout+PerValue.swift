public import Foundation

extension Signal {
    /// Passes everything on, and fails if the source takes too long from one event to the next.
    ///
    ///     source               a-b-c------d-|
    ///     timeout per value 3  a-b-c--#
    ///
    /// - Parameters:
    ///   - interval: How long the source may send nothing, in seconds; for the first time from now. At least 0; may be infinite.
    ///   - error: What the failure says.
    ///   - scheduler: Whose time it is, and where the failure is sent.
    /// - Complexity: O(1) and no allocation per value, and one timer.
    /// ## Concurrency
    /// The source's events are delivered where it sends them. The failure is delivered on the scheduler; if it comes during
    /// a callback, by the thread that runs that.
    @inlinable
    public func timeout(
        perValue interval: TimeInterval, raising error: Error, on scheduler: any DateScheduler
    ) -> Signal<Value, Error> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: true)
            self.connect(to: timeout.port, until: output.resources)
        }
    }
}

extension Signal where Error == Never {
    /// Passes everything on, and fails if the source takes too long for an event. See ``Signal/timeout(perValue:raising:on:)-7xifn``.
    @inlinable
    public func timeout<NewError>(
        perValue interval: TimeInterval, raising error: NewError, on scheduler: any DateScheduler
    ) -> Signal<Value, NewError> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: true)
            self.connect(to: timeout.infalliblePort, until: output.resources)
        }
    }
}

extension SignalProducer {
    /// Passes everything on, and fails if the source takes too long for an event, which cancels it.
    /// See ``Signal/timeout(perValue:raising:on:)-7xifn``.
    @inlinable
    public func timeout(
        perValue interval: TimeInterval, raising error: Error, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: true)
            self.connect(to: timeout.port, until: output.resources)
        }
    }
}

extension SignalProducer where Error == Never {
    /// Passes everything on, and fails if the source takes too long for an event, which cancels it.
    /// See ``Signal/timeout(perValue:raising:on:)-7xifn``.
    @inlinable
    public func timeout<NewError>(
        perValue interval: TimeInterval, raising error: NewError, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, NewError> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: true)
            self.connect(to: timeout.infalliblePort, until: output.resources)
        }
    }
}
