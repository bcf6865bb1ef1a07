public import CorinthEssentials

/// The wait before each retry.
public struct Backoff: Sendable, Equatable {
    /// The wait before the first retry, in seconds.
    public let initial: TimeInterval

    /// The ratio of each wait to the previous one.
    public let factor: Double

    /// The longest wait, in seconds.
    public let maximum: TimeInterval

    /// The random share of the wait, from 0 (none) to 1 (all of it). It spreads the retries of streams that failed together.
    public let jitter: Double

    /// The same wait before each retry.
    ///
    /// - Parameters:
    ///   - interval: The wait in seconds. At least 0. If it is infinite, there is no retry.
    ///   - jitter: The random share of the wait, from 0 to 1.
    public static func constant(_ interval: TimeInterval, jitter: Double = 0) -> Backoff {
        requireNonnegative(interval)
        return exponential(from: interval, factor: 1, upTo: .infinity, jitter: jitter)
    }

    /// A wait that grows with each retry.
    ///
    /// - Parameters:
    ///   - initial: The wait before the first retry, in seconds. At least 0.
    ///   - factor: The ratio of each wait to the previous one. At least 1.
    ///   - maximum: The longest wait, in seconds. At least 0. Infinite for no limit.
    ///   - jitter: The random share of the wait, from 0 to 1.
    public static func exponential(
        from initial: TimeInterval, factor: Double = 2, upTo maximum: TimeInterval = 60, jitter: Double = 0.5
    ) -> Backoff {
        requireNonnegative(initial, "initial")
        requireNonnegative(maximum, "maximum")
        precondition(factor >= 1, "factor is \(factor), but must be at least 1")
        precondition((0...1).contains(jitter), "jitter is \(jitter), but must be from 0 to 1")
        return Backoff(initial: initial, factor: factor, maximum: maximum, jitter: jitter)
    }

    /// The same wait before each retry. See ``constant(_:jitter:)-(TimeInterval,_)``.
    ///
    /// - Parameters:
    ///   - interval: The wait. At least 0.
    ///   - jitter: The random share of the wait, from 0 to 1.
    @_disfavoredOverload
    public static func constant(_ interval: Duration, jitter: Double = 0) -> Backoff {
        constant(interval.timeInterval, jitter: jitter)
    }

    /// A wait that grows with each retry. See ``exponential(from:factor:upTo:jitter:)-(TimeInterval,_,_,_)``.
    ///
    /// - Parameters:
    ///   - initial: The wait before the first retry. At least 0.
    ///   - factor: The ratio of each wait to the previous one. At least 1.
    ///   - maximum: The longest wait. At least 0.
    ///   - jitter: The random share of the wait, from 0 to 1.
    @_disfavoredOverload
    public static func exponential(
        from initial: Duration, factor: Double = 2, upTo maximum: Duration = .seconds(60), jitter: Double = 0.5
    ) -> Backoff {
        exponential(from: initial.timeInterval, factor: factor, upTo: maximum.timeInterval, jitter: jitter)
    }

    /// The wait before a retry, in seconds.
    ///
    /// - Parameters:
    ///   - number: The index of the retry. At least 0, which is the first retry.
    ///   - generator: The random number generator for the jitter.
    public func delay(
        beforeRetry number: Int, using generator: inout some RandomNumberGenerator
    ) -> TimeInterval {
        precondition(number >= 0, "number is \(number), but must be at least 0")
        let longest = initial == 0 ? 0 : min(initial * factor.power(number), maximum)
        // An infinite wait has no random share.
        return jitter == 0 || longest == .infinity
            ? longest : longest * (1 - jitter * Double.random(in: 0...1, using: &generator))
    }
}

extension Double {
    /// This number, multiplied by itself so many times. Without the C library, for which Foundation would be needed.
    fileprivate func power(_ exponent: Int) -> Double {
        var (result, square, rest) = (1.0, self, exponent)
        while rest > 0 {
            if rest & 1 == 1 { result *= square }
            square *= square
            rest >>= 1
        }
        return result
    }
}

/// The attempts of one start. They run one after another, so no two threads access this at the same time.
@usableFromInline
final class RetryBackoff<Value, Error: Swift.Error, Generator: RandomNumberGenerator & Sendable>: @unchecked Sendable {
    @usableFromInline let source: SignalProducer<Value, Error>
    @usableFromInline let input: ProducerInput<Value, Error>
    @usableFromInline let policy: Retry<Error>
    @usableFromInline let scheduler: any DateScheduler
    @usableFromInline var clock: SteadyClock
    @usableFromInline var generator: Generator

    /// How many retries there were in a row.
    @usableFromInline var retries = 0

    /// When the first failure in a row came.
    @usableFromInline var begin = Date.distantPast

    @inlinable
    init(
        _ source: SignalProducer<Value, Error>, to input: ProducerInput<Value, Error>, _ policy: Retry<Error>,
        on scheduler: any DateScheduler, using generator: Generator
    ) {
        self.source = source
        self.input = input
        self.policy = policy
        self.scheduler = scheduler
        clock = SteadyClock(scheduler)
        self.generator = generator
    }

    @inlinable
    func start() {
        let input = input
        let receive: (Value) -> Void =
            policy.startsOver
            ? {
                self.retries = 0
                input.send($0)
            } : { input.send($0) }
        source.connect(to: Sink(value: receive, termination: { self.end($0) }), until: input.resources)
    }

    @inlinable
    func end(_ termination: Termination<Error>) {
        guard case .failed(let error) = termination, let date = nextStart(after: error) else {
            input.send(termination)
            return
        }
        let timer = SerialDisposable()
        let handle = input.resources.add(timer)
        timer.inner = scheduler.schedule(after: clock.setTimer(date)) {
            handle?.dispose()
            self.clock.timerFired()
            self.start()
        }
    }

    /// When the source is started again; nil if it isn't.
    @inlinable
    func nextStart(after error: Error) -> Date? {
        let now = clock.now()
        if retries == 0 { begin = now }
        guard retries < policy.count, policy.allows(error, attempt: retries + 1) else { return nil }
        let date = now.addingTimeInterval(policy.backoff.delay(beforeRetry: retries, using: &generator))
        guard date.timeIntervalSince(begin) <= policy.time else { return nil }
        retries += 1
        return date
    }
}

extension SignalProducer {
    /// Starts the source again after a failure and a wait.
    ///
    ///     source                        a#
    ///     retry up to 2, constantly 3   a---a---a#
    ///
    /// Any other termination is forwarded. The failure after the last retry is forwarded, too. Disposing during a wait
    /// interrupts at once.
    ///
    /// ```swift
    /// download.retry(upTo: 5, backoff: .exponential(from: 0.5), on: QueueScheduler.main)
    /// ```
    ///
    /// - Parameters:
    ///   - count: The maximum number of retries. At least 0.
    ///   - backoff: The wait before each retry.
    ///   - scheduler: The scheduler that measures the time and starts the source again.
    /// - Complexity: One timer for each retry. Constant stack depth.
    @inlinable
    public func retry(
        upTo count: Int, backoff: Backoff, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        retry(upTo: count, backoff: backoff, on: scheduler, using: SystemRandomNumberGenerator())
    }

    /// Starts the source again after a failure and a constant wait, at most `count` times. See ``retry(upTo:backoff:on:)``.
    ///
    /// - Parameters:
    ///   - count: The maximum number of retries. At least 0.
    ///   - interval: The wait before each retry, in seconds. At least 0. If it is infinite, there is no retry.
    ///   - scheduler: The scheduler that measures the time and starts the source again.
    @inlinable
    public func retry(
        upTo count: Int, interval: TimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        retry(upTo: count, backoff: .constant(interval), on: scheduler)
    }

    /// Starts the source again after a failure and a wait, with your random number generator. See ``retry(upTo:backoff:on:)``.
    ///
    /// - Parameters:
    ///   - count: The maximum number of retries. At least 0.
    ///   - backoff: The wait before each retry.
    ///   - scheduler: The scheduler that measures the time and starts the source again.
    ///   - generator: The random number generator for the jitter. Each start begins with a copy of it.
    @inlinable
    public func retry(
        upTo count: Int, backoff: Backoff, on scheduler: any DateScheduler,
        using generator: some RandomNumberGenerator & Sendable
    ) -> SignalProducer<Value, Error> {
        let policy = Retry<Error>(backoff).limited(to: count)
        return count == 0 ? self : retry(policy, on: scheduler, using: generator)
    }

    /// Starts the source again after a failure, when a policy says so.
    ///
    ///     source                                   a#
    ///     retry, constantly 3, limited to 2        a---a---a#
    ///
    /// Any other termination is forwarded. So is a failure after which the policy allows no retry. Disposing during a wait interrupts at
    /// once.
    ///
    /// - Parameters:
    ///   - policy: After which failures the source starts again, and after which wait.
    ///   - scheduler: The scheduler that measures the time and starts the source again.
    /// - Complexity: One timer for each retry. Constant stack depth.
    @inlinable
    public func retry(_ policy: Retry<Error>, on scheduler: any DateScheduler) -> SignalProducer<Value, Error> {
        retry(policy, on: scheduler, using: SystemRandomNumberGenerator())
    }

    /// Starts the source again after a failure, when a policy says so, with your random number generator. See ``retry(_:on:)``.
    ///
    /// - Parameters:
    ///   - policy: After which failures the source starts again, and after which wait.
    ///   - scheduler: The scheduler that measures the time and starts the source again.
    ///   - generator: The random number generator for the jitter. Each start begins with a copy of it.
    @inlinable
    public func retry(
        _ policy: Retry<Error>, on scheduler: any DateScheduler,
        using generator: some RandomNumberGenerator & Sendable
    ) -> SignalProducer<Value, Error> {
        SignalProducer(
            over: depth,
            boundary: { _, sink, run in
                let input = ProducerInput(to: sink, in: run)
                RetryBackoff(self, to: input, policy, on: scheduler, using: generator).start()
            })
    }
}
