public import CorinthEssentials

// Overloads that take a `Duration`. They are disfavoured: `.seconds(1)` in a call goes on to mean what it meant before.

extension SignalProducer {
    /// Shares one start among all observers. It goes on for `grace` after the last one has left. See
    /// ``share(replay:grace:on:)``.
    @_disfavoredOverload
    @inlinable
    public func share(
        replay capacity: Int = 0, grace: Duration, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        share(replay: capacity, grace: grace.timeInterval, on: scheduler)
    }
}

extension SignalProducer where Value == Date, Error == Never {
    /// Sends the current time repeatedly. See ``timer(interval:on:)``.
    @_disfavoredOverload
    @inlinable
    public static func timer(interval: Duration, on scheduler: any DateScheduler) -> SignalProducer<Value, Error> {
        timer(interval: interval.dispatchInterval(), on: scheduler)
    }

    /// Sends the current time repeatedly, with a leeway. See ``timer(interval:on:leeway:)``.
    @_disfavoredOverload
    @inlinable
    public static func timer(
        interval: Duration, on scheduler: any DateScheduler, leeway: Duration
    ) -> SignalProducer<Value, Error> {
        timer(interval: interval.dispatchInterval(), on: scheduler, leeway: leeway.dispatchInterval("leeway"))
    }
}

extension SignalProducer where Error == Never {
    /// Sends the elements of a sequence, one after each interval. See ``interval(_:interval:on:)``.
    @_disfavoredOverload
    @inlinable
    public static func interval<Values: Sequence & Sendable>(
        _ values: Values, interval: Duration, on scheduler: any DateScheduler
    ) -> SignalProducer<Values.Element, Error> where Values.Element == Value {
        .interval(values, interval: interval.dispatchInterval(), on: scheduler)
    }
}

extension SignalProducer where Value == Int, Error == Never {
    /// Sends 0, 1, 2, and so on, one after each interval. See ``interval(_:on:)``.
    @_disfavoredOverload
    @inlinable
    public static func interval(
        _ interval: Duration, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        .interval(interval.dispatchInterval(), on: scheduler)
    }
}
