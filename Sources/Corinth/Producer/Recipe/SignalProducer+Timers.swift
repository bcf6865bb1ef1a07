public import Dispatch
public import CorinthEssentials

extension SignalProducer where Value == Date, Error == Never {
    /// Sends the current time repeatedly. It never ends by itself.
    ///
    ///     timer 3  ---t--t--t--…
    ///
    /// - Parameters:
    ///   - interval: The time from the start to the first value, and between two values. At least 0. With `.never`, no
    ///     value is sent.
    ///   - scheduler: The scheduler that sends the values. A value may be late by up to a tenth of the interval.
    @inlinable
    public static func timer(
        interval: DispatchTimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        timer(interval: interval, on: scheduler, leeway: interval.usualLeeway)
    }

    /// Sends the current time repeatedly, with a leeway. It never ends by itself.
    ///
    /// - Parameters:
    ///   - interval: The time from the start to the first value, and between two values. At least 0. With `.never`, no
    ///     value is sent.
    ///   - scheduler: The scheduler that sends the values.
    ///   - leeway: How late a value may be. At least 0. `.never` counts as 0.
    @inlinable
    public static func timer(
        interval: DispatchTimeInterval, on scheduler: any DateScheduler, leeway: DispatchTimeInterval
    ) -> SignalProducer<Value, Error> {
        interval.requireNonnegative("interval")
        leeway.requireNonnegative("leeway")
        return SignalProducer(
            inputs: .one,
            boundary: { _, sink, run in
                run.passes(through: scheduler)
                let input = ProducerInput(to: sink, in: run)
                input.resources.add(
                    scheduler.schedule(
                        after: scheduler.currentDate.adding(interval), interval: interval, leeway: leeway
                    ) {
                        input.send(scheduler.currentDate)
                    })
            })
    }
}

extension SignalProducer where Error == Never {
    /// Sends the elements of a sequence, one after each interval, and completes after one more interval.
    ///
    ///     interval "abc", 2  --a-b-c-|
    ///
    /// - Parameters:
    ///   - values: The sequence. Each start iterates it again.
    ///   - interval: The time from the start to the first value, and between two values. At least 0. With `.never`, no
    ///     value is sent.
    ///   - scheduler: The scheduler that sends the values.
    @inlinable
    public static func interval<Values: Sequence & Sendable>(
        _ values: Values, interval: DispatchTimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<Values.Element, Error> where Values.Element == Value {
        interval.requireNonnegative("interval")
        return SignalProducer(
            inputs: .one,
            boundary: { _, sink, run in
                run.passes(through: scheduler)
                let input = ProducerInput(to: sink, in: run)
                // Each start iterates its own copy, in actions that never overlap.
                var iterator = values.makeIterator()
                input.resources.add(
                    scheduler.schedule(
                        after: scheduler.currentDate.adding(interval), interval: interval, leeway: .seconds(0)
                    ) {
                        if let value = iterator.next() { input.send(value) } else { input.send(.completed) }
                    })
            })
    }
}

extension SignalProducer where Value == Int, Error == Never {
    /// Sends 0, 1, 2, and so on, one after each interval. It never ends by itself.
    ///
    /// - Parameters:
    ///   - interval: The time from the start to the first value, and between two values. At least 0. With `.never`, no
    ///     value is sent.
    ///   - scheduler: The scheduler that sends the values.
    @inlinable
    public static func interval(
        _ interval: DispatchTimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        .interval(0..., interval: interval, on: scheduler)
    }
}
