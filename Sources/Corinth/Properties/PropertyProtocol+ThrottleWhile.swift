extension Signal where Value: Sendable {
    /// Sends values while a property is false. While it is true, holds the latest value, and sends it when the property
    /// becomes false.
    ///
    ///     source        a-b--c-d---e-|
    ///     property      --t-----f-----
    ///     throttle      a-------d--e-|
    ///
    /// Any termination of the source drops the held value. When the property ends, its last value stays in effect.
    ///
    /// - Parameters:
    ///   - shouldThrottle: The property. While it is true, values are held.
    ///   - scheduler: The scheduler on which the result's callbacks run.
    /// - Complexity: O(1) per value. One action of the scheduler for a burst.
    /// ## Concurrency
    /// The property may change on any thread. The queue of values for the scheduler is unbounded.
    @inlinable
    public func throttle<P: PropertyProtocol>(
        while shouldThrottle: P, on scheduler: any Scheduler
    ) -> Signal<Value, Error> where P.Value == Bool {
        let condition = shouldThrottle.producer
        return scheduling {
            let stage = ThrottleWhile($0, on: scheduler)
            stage.follow(condition)
            return (stage, stage.input)
        }
    }
}

extension SignalProducer where Value: Sendable {
    /// Sends values while a property is false, and holds the latest value while it is true. See ``Signal/throttle(while:on:)``.
    @inlinable
    public func throttle<P: PropertyProtocol>(
        while shouldThrottle: P, on scheduler: any Scheduler
    ) -> SignalProducer<Value, Error> where P.Value == Bool {
        let condition = shouldThrottle.producer
        return scheduling {
            let stage = ThrottleWhile($0, on: scheduler)
            stage.follow(condition)
            return (stage, stage.input)
        }
    }
}
