public import CorinthEssentials

extension Signal {
    /// Sends all events, and fails if the time between two events of the source is too long.
    ///
    ///     source               a-b-c------d-|
    ///     timeout per value 3  a-b-c--#
    ///
    /// - Parameters:
    ///   - interval: The maximum time between two events in seconds. The first interval begins when the operator is
    ///     applied. At least 0. May be infinite.
    ///   - error: The error of the failure.
    ///   - scheduler: The scheduler that measures the time and sends the failure.
    /// - Complexity: O(1) and no allocation per value. One timer.
    /// ## Concurrency
    /// Events of the source are delivered on the threads on which the source sends them. The failure is delivered on the
    /// scheduler. If a callback is running at that time, its thread delivers the failure.
    @inlinable
    public func timeout(
        perValue interval: TimeInterval, raising error: Error, on scheduler: any DateScheduler
    ) -> Signal<Value, Error> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: true)
            self.connect(to: timeout.input, until: output.resources)
        }
    }
}

extension Signal where Error == Never {
    /// Sends all events, and fails if the time between two events is too long. See
    /// ``Signal/timeout(perValue:raising:on:)-7xifn``.
    @inlinable
    public func timeout<NewError>(
        perValue interval: TimeInterval, raising error: NewError, on scheduler: any DateScheduler
    ) -> Signal<Value, NewError> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: true)
            self.connect(to: timeout.infallibleInput, until: output.resources)
        }
    }
}

extension SignalProducer {
    /// Sends all events. If the time between two events is too long, fails and disposes of the source.
    /// See ``Signal/timeout(perValue:raising:on:)-7xifn``.
    @inlinable
    public func timeout(
        perValue interval: TimeInterval, raising error: Error, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: true)
            self.connect(to: timeout.input, until: output.resources)
        }
    }
}

extension SignalProducer where Error == Never {
    /// Sends all events. If the time between two events is too long, fails and disposes of the source.
    /// See ``Signal/timeout(perValue:raising:on:)-7xifn``.
    @inlinable
    public func timeout<NewError>(
        perValue interval: TimeInterval, raising error: NewError, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, NewError> {
        requireNonnegative(interval)
        return .joining { output in
            let timeout = Timeout(output, after: interval, raising: error, on: scheduler, isPerValue: true)
            self.connect(to: timeout.infallibleInput, until: output.resources)
        }
    }
}
