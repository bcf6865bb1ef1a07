// The overloads of a producer's operators that take a `Duration`. They are disfavoured: `.seconds(1)` in a call goes on to
// mean what it meant before.

extension SignalProducer {
    /// Delivers each event after a delay. See ``delay(_:on:)``.
    @_disfavoredOverload
    @inlinable
    public func delay(
        _ interval: Duration, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> where Value: Sendable {
        delay(interval.timeInterval, on: scheduler)
    }

    /// Delivers each event after a delay, with an overflow policy. See ``delay(_:on:bufferingPolicy:statistics:)``.
    @_disfavoredOverload
    @inlinable
    public func delay(
        _ interval: Duration, on scheduler: any DateScheduler, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<Value, Error> where Value: Sendable {
        delay(interval.timeInterval, on: scheduler, bufferingPolicy: policy, statistics: statistics)
    }

    /// Delivers at most so many values per interval, and loses none. See
    /// ``Signal/pace(_:per:burst:on:bufferingPolicy:statistics:)-(_,TimeInterval,_,_,_,_)``.
    @_disfavoredOverload
    @inlinable
    public func pace(
        _ count: Int, per interval: Duration, burst: Int = 1, on scheduler: any DateScheduler,
        bufferingPolicy policy: BufferingPolicy<Error>? = nil, statistics: BufferStatistics? = nil
    ) -> SignalProducer<Value, Error> where Value: Sendable {
        pace(
            count, per: interval.timeInterval, burst: burst, on: scheduler, bufferingPolicy: policy,
            statistics: statistics)
    }

    /// Sends at most one value per interval. See ``throttle(_:on:)``.
    @_disfavoredOverload
    @inlinable
    public func throttle(
        _ interval: Duration, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> where Value: Sendable {
        throttle(interval.timeInterval, on: scheduler)
    }

    /// Sends at most one value per interval, at the given edges. See ``throttle(_:on:edges:discardWhenCompleted:)``.
    @_disfavoredOverload
    @inlinable
    public func throttle(
        _ interval: Duration, on scheduler: any DateScheduler, edges: IntervalEdges, discardWhenCompleted: Bool = false
    ) -> SignalProducer<Value, Error> where Value: Sendable {
        throttle(interval.timeInterval, on: scheduler, edges: edges, discardWhenCompleted: discardWhenCompleted)
    }

    /// Sends a value when no other one has come for the interval. See ``debounce(_:on:discardWhenCompleted:)``.
    @_disfavoredOverload
    @inlinable
    public func debounce(
        _ interval: Duration, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
    ) -> SignalProducer<Value, Error> where Value: Sendable {
        debounce(interval.timeInterval, on: scheduler, discardWhenCompleted: discardWhenCompleted)
    }

    /// Sends the first or the last value of each burst, at the given edges.
    /// See ``debounce(_:on:edges:discardWhenCompleted:)``.
    @_disfavoredOverload
    @inlinable
    public func debounce(
        _ interval: Duration, on scheduler: any DateScheduler, edges: IntervalEdges, discardWhenCompleted: Bool = false
    ) -> SignalProducer<Value, Error> where Value: Sendable {
        debounce(interval.timeInterval, on: scheduler, edges: edges, discardWhenCompleted: discardWhenCompleted)
    }

    /// Fails if the stream hasn't ended after the interval. See ``timeout(after:raising:on:)``.
    @_disfavoredOverload
    @inlinable
    public func timeout(
        after interval: Duration, raising error: Error, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        timeout(after: interval.timeInterval, raising: error, on: scheduler)
    }

    /// Fails if no value comes for the interval. See ``timeout(perValue:raising:on:)``.
    @_disfavoredOverload
    @inlinable
    public func timeout(
        perValue interval: Duration, raising error: Error, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        timeout(perValue: interval.timeInterval, raising: error, on: scheduler)
    }

    /// Sends the latest value after each interval. See ``sample(every:on:)``.
    @_disfavoredOverload
    @inlinable
    public func sample(
        every interval: Duration, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> where Value: Sendable {
        sample(every: interval.dispatchInterval(), on: scheduler)
    }

    /// Sends the values of each interval in an array. See ``collect(every:on:skipEmpty:discardWhenCompleted:)``.
    @_disfavoredOverload
    @inlinable
    public func collect(
        every interval: Duration, on scheduler: any DateScheduler, skipEmpty: Bool = false,
        discardWhenCompleted: Bool = true
    ) -> SignalProducer<[Value], Error> where Value: Sendable {
        collect(
            every: interval.dispatchInterval(), on: scheduler, skipEmpty: skipEmpty,
            discardWhenCompleted: discardWhenCompleted)
    }

    /// Sends the values of each interval in an array, with an overflow policy.
    /// See ``collect(every:on:skipEmpty:discardWhenCompleted:bufferingPolicy:statistics:)``.
    @_disfavoredOverload
    @inlinable
    public func collect(
        every interval: Duration, on scheduler: any DateScheduler, skipEmpty: Bool = false,
        discardWhenCompleted: Bool = true, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<[Value], Error> where Value: Sendable {
        collect(
            every: interval.dispatchInterval(), on: scheduler, skipEmpty: skipEmpty,
            discardWhenCompleted: discardWhenCompleted, bufferingPolicy: policy, statistics: statistics)
    }

    /// Sends arrays of `count` values, or fewer after the interval. See ``collect(count:within:on:)``.
    @_disfavoredOverload
    @inlinable
    public func collect(
        count: Int, within interval: Duration, on scheduler: any DateScheduler
    ) -> SignalProducer<[Value], Error> where Value: Sendable {
        collect(count: count, within: interval.timeInterval, on: scheduler)
    }

    /// Sends a stream of the values of each interval. See ``window(every:on:bufferingPolicy:statistics:)``.
    @_disfavoredOverload
    @inlinable
    public func window(
        every interval: Duration, on scheduler: any DateScheduler,
        bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil
    ) -> SignalProducer<SignalProducer<Value, Error>, Error> {
        window(
            every: interval.dispatchInterval(), on: scheduler, bufferingPolicy: policy, statistics: statistics)
    }

    /// Sends streams of `count` values, or fewer after the interval.
    /// See ``window(count:within:on:bufferingPolicy:statistics:)``.
    @_disfavoredOverload
    @inlinable
    public func window(
        count: Int, within interval: Duration, on scheduler: any DateScheduler,
        bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil
    ) -> SignalProducer<SignalProducer<Value, Error>, Error> {
        window(
            count: count, within: interval.timeInterval, on: scheduler, bufferingPolicy: policy, statistics: statistics)
    }

    /// Groups the values by a key. A group ends when it has been idle for the interval.
    /// See ``group(limit:idle:on:bufferingPolicy:statistics:by:)``.
    @_disfavoredOverload
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func group<Key: Hashable & Sendable>(
        limit: Int, idle interval: Duration, on scheduler: any DateScheduler,
        bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil,
        by key: @escaping @Sendable (Value) -> Key
    ) -> SignalProducer<Group<Key, Value, Error>, Error> {
        group(
            limit: limit, idle: interval.timeInterval, on: scheduler, bufferingPolicy: policy, statistics: statistics,
            by: key)
    }

    /// Starts the producer after a delay. See ``delaySubscription(_:on:)``.
    @_disfavoredOverload
    @inlinable
    public func delaySubscription(
        _ interval: Duration, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        delaySubscription(interval.timeInterval, on: scheduler)
    }

    /// Starts the producer again after a failure and the interval. See ``retry(upTo:interval:on:)``.
    @_disfavoredOverload
    @inlinable
    public func retry(
        upTo count: Int, interval: Duration, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        retry(upTo: count, interval: interval.timeInterval, on: scheduler)
    }

    /// Shares one start among all starts of the result, each of which first sends the last values that aren't too old. See
    /// ``replayLazily(upTo:for:on:)``.
    @_disfavoredOverload
    @export(implementation)
    public func replayLazily(
        upTo capacity: Int = .max, for age: Duration, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        replayLazily(upTo: capacity, for: age.timeInterval, on: scheduler)
    }
}

extension SignalProducer where Error == Never {
    /// Fails if the stream hasn't ended after the interval. See ``timeout(after:raising:on:)``.
    @_disfavoredOverload
    @inlinable
    public func timeout<NewError>(
        after interval: Duration, raising error: NewError, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, NewError> {
        timeout(after: interval.timeInterval, raising: error, on: scheduler)
    }

    /// Fails if no value comes for the interval. See ``timeout(perValue:raising:on:)``.
    @_disfavoredOverload
    @inlinable
    public func timeout<NewError>(
        perValue interval: Duration, raising error: NewError, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, NewError> {
        timeout(perValue: interval.timeInterval, raising: error, on: scheduler)
    }
}
