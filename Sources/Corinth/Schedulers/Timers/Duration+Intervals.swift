public import Dispatch
public import CorinthEssentials

// The overloads that take a `Duration` are disfavoured: `.seconds(1)` in a call goes on to mean what it meant before.

extension Duration {
    /// In seconds.
    @usableFromInline package var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }

    /// In whole nanoseconds; `.never` if an integer can't hold them. Stops the program if it is negative.
    ///
    /// - Parameter name: The name of the parameter.
    @usableFromInline
    package func dispatchInterval(_ name: StaticString = "interval") -> DispatchTimeInterval {
        precondition(self >= .zero, "\(name) is \(self), but must be at least 0")
        let (seconds, attoseconds) = components
        let (whole, overflow) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowsToo) = whole.addingReportingOverflow(Int(attoseconds / 1_000_000_000))
        return overflow || overflowsToo ? .never : .nanoseconds(sum)
    }
}

extension DateScheduler {
    /// Queues an action after a delay, and again after each interval. See ``schedule(after:interval:leeway:action:)``.
    ///
    /// - Parameters:
    ///   - delay: The time until the action is queued first. Less than 0 queues it at once.
    ///   - interval: The time between two queueings. At least 0.
    ///   - leeway: How much later it may be, so that wake-ups can be combined. At least 0.
    ///   - action: Runs on this scheduler.
    /// - Returns: A disposable that ends the repetition.
    @_disfavoredOverload
    @discardableResult
    public func schedule(
        after delay: Duration, interval: Duration, leeway: Duration = .zero, action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        schedule(
            after: currentDate.addingTimeInterval(delay.timeInterval), interval: interval.dispatchInterval(),
            leeway: leeway.dispatchInterval("leeway"), action: action)
    }

    /// Queues an action after a delay.
    ///
    /// - Parameters:
    ///   - delay: The time until the action is queued. Less than 0 queues it at once.
    ///   - action: Runs on this scheduler.
    /// - Returns: A disposable that cancels the action if it has not begun.
    @_disfavoredOverload
    @discardableResult
    public func schedule(after delay: Duration, action: sending @escaping () -> Void) -> (any Disposable)? {
        schedule(after: currentDate.addingTimeInterval(delay.timeInterval), action: action)
    }

    /// Queues an action at a date, and again after each interval. See ``schedule(after:interval:leeway:action:)``.
    ///
    /// - Parameters:
    ///   - date: When the action is queued first.
    ///   - interval: The time between two queueings. At least 0.
    ///   - leeway: How much later it may be, so that wake-ups can be combined. At least 0.
    ///   - action: Runs on this scheduler.
    /// - Returns: A disposable that ends the repetition.
    @_disfavoredOverload
    @discardableResult
    public func schedule(
        after date: Date, interval: Duration, leeway: Duration = .zero, action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        schedule(
            after: date, interval: interval.dispatchInterval(), leeway: leeway.dispatchInterval("leeway"),
            action: action)
    }

    /// Suspends the task for at least `duration`, without blocking a thread. See ``sleep(for:leeway:)``.
    ///
    /// - Parameters:
    ///   - duration: How long, in this scheduler's time. If it isn't greater than 0, the call returns at once.
    ///   - leeway: How much longer it may be, so that wake-ups can be combined. At least 0.
    @_disfavoredOverload
    public func sleep(for duration: Duration, leeway: Duration = .zero) async throws {
        try await sleep(
            until: currentDate.addingTimeInterval(duration.timeInterval), leeway: leeway.dispatchInterval("leeway"))
    }

    /// Suspends the task until a date, without blocking a thread. See ``sleep(until:leeway:)-(_,DispatchTimeInterval)``.
    ///
    /// - Parameters:
    ///   - date: Until when, in this scheduler's time. If it has passed, the call returns at once.
    ///   - leeway: How much later it may be, so that wake-ups can be combined. At least 0.
    @_disfavoredOverload
    public func sleep(until date: Date, leeway: Duration) async throws {
        try await sleep(until: date, leeway: leeway.dispatchInterval("leeway"))
    }

    /// Returns a sequence of the times at which a timer fires. See ``timer(interval:leeway:)``.
    ///
    /// - Parameters:
    ///   - interval: The time until the first firing, and then between two firings. At least 0.
    ///   - leeway: How much later it may be, so that wake-ups can be combined. At least 0.
    @_disfavoredOverload
    public func timer(interval: Duration, leeway: Duration = .zero) -> AsyncStream<Date> {
        timer(interval: interval.dispatchInterval(), leeway: leeway.dispatchInterval("leeway"))
    }

    /// Returns a sequence of the times at which a timer fires, with a buffering policy.
    /// See ``timer(interval:leeway:bufferingPolicy:)-(DispatchTimeInterval,_,_)``.
    ///
    /// - Parameters:
    ///   - interval: The time until the first firing, and then between two firings. At least 0.
    ///   - leeway: How much later it may be, so that wake-ups can be combined. At least 0.
    ///   - policy: How many dates are buffered if the iteration is slower than the timer, and which.
    @_disfavoredOverload
    public func timer(
        interval: Duration, leeway: Duration = .zero,
        bufferingPolicy policy: AsyncStream<Date>.Continuation.BufferingPolicy
    ) -> AsyncStream<Date> {
        timer(
            interval: interval.dispatchInterval(), leeway: leeway.dispatchInterval("leeway"), bufferingPolicy: policy)
    }
}

extension QueueScheduler {
    /// Creates a scheduler on its own serial queue, which lingers for a `Duration`.
    /// See ``init(qos:name:targeting:callbacks:lingering:)-(_,_,_,_,DispatchTimeInterval?)``.
    ///
    /// - Parameters:
    ///   - qos: The quality of service.
    ///   - name: The label of the queue.
    ///   - targeting: The target queue; nil for a global one, according to `callbacks`.
    ///   - callbacks: What the callbacks may do. See <doc:ManySchedulers>.
    ///   - lingering: For how long the queue may stay busy to wait for the next event of a stream. From 0, for never, to
    ///     10 ms. See “Lingering”.
    @_disfavoredOverload
    public convenience init(
        qos: DispatchQoS = .unspecified, name: String = "corinth.QueueScheduler",
        targeting: DispatchQueue? = nil, callbacks: Callbacks = .mayBlock, lingering: Duration
    ) {
        self.init(
            qos: qos, name: name, targeting: targeting, callbacks: callbacks,
            lingering: lingering.dispatchInterval("lingering"))
    }

    /// Creates a scheduler on top of an existing queue, which lingers for a `Duration`.
    /// See ``init(queue:name:lingering:)-(_,_,DispatchTimeInterval)``.
    ///
    /// - Parameters:
    ///   - queue: The target queue.
    ///   - name: The label of the serial queue on top of it.
    ///   - lingering: From 0, for never, to 10 ms.
    @_disfavoredOverload
    public convenience init(
        queue: DispatchQueue, name: String = "corinth.QueueScheduler", lingering: Duration
    ) {
        self.init(queue: queue, name: name, lingering: lingering.dispatchInterval("lingering"))
    }

    /// Queues `action` at a date, and again after each interval, with a leeway of a tenth of the interval.
    /// See ``schedule(after:interval:action:)-(_,DispatchTimeInterval,_)``.
    @_disfavoredOverload
    @discardableResult
    public func schedule(
        after date: Date, interval: Duration, action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        schedule(after: date, interval: interval.dispatchInterval(), action: action)
    }
}

extension PooledScheduler {
    /// Queues `action` at a date, and again after each interval, with a leeway of a tenth of the interval.
    /// See ``schedule(after:interval:action:)-(_,DispatchTimeInterval,_)``.
    @_disfavoredOverload
    @discardableResult
    public func schedule(
        after date: Date, interval: Duration, action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        schedule(after: date, interval: interval.dispatchInterval(), action: action)
    }
}

extension BufferingPolicy {
    /// Drops nothing: if the buffer is full, the sender waits for capacity. See ``blocking(capacity:stallTimeout:)``.
    ///
    /// - Parameters:
    ///   - capacity: How many values the buffer holds. At least 1.
    ///   - stallTimeout: Each time that it passes without a delivery, one more `capacity` is admitted. At least 0.
    @_disfavoredOverload
    public static func blocking(capacity: Int, stallTimeout: Duration) -> BufferingPolicy {
        blocking(capacity: capacity, stallTimeout: stallTimeout.dispatchInterval("stallTimeout"))
    }
}
