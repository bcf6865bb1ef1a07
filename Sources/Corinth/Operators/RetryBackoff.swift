public import Foundation

/// How long to wait before a retry.
public struct Backoff: Sendable, Equatable {
    /// The time before the first retry, in seconds.
    public let initial: TimeInterval

    /// How many times longer than the one before each wait is.
    public let factor: Double

    /// The longest wait, in seconds.
    public let maximum: TimeInterval

    /// Which part of the wait is left to chance, from 0 for none to 1 for all of it: those that failed together are not to
    /// come back together.
    public let jitter: Double

    /// The same wait each time.
    ///
    /// - Parameters:
    ///   - interval: In seconds, at least 0. After an infinite one, there is no retry.
    ///   - jitter: Which part of it is left to chance, from 0 to 1.
    public static func constant(_ interval: TimeInterval, jitter: Double = 0) -> Backoff {
        requireNonnegative(interval)
        return exponential(from: interval, factor: 1, upTo: .infinity, jitter: jitter)
    }

    /// A wait that grows.
    ///
    /// - Parameters:
    ///   - initial: The time before the first retry, in seconds. At least 0.
    ///   - factor: How many times longer each wait is than the one before. At least 1.
    ///   - maximum: The longest wait, in seconds. At least 0; infinite for none.
    ///   - jitter: Which part of the wait is left to chance, from 0 to 1.
    public static func exponential(
        from initial: TimeInterval, factor: Double = 2, upTo maximum: TimeInterval = 60, jitter: Double = 0.5
    ) -> Backoff {
        requireNonnegative(initial, "initial")
        requireNonnegative(maximum, "maximum")
        precondition(factor >= 1, "factor is \(factor), but must be at least 1")
        precondition((0...1).contains(jitter), "jitter is \(jitter), but must be from 0 to 1")
        return Backoff(initial: initial, factor: factor, maximum: maximum, jitter: jitter)
    }

    /// The time to wait before a retry, in seconds.
    ///
    /// - Parameters:
    ///   - number: Which retry it is, at least 0, which is the first.
    ///   - generator: Where chance comes from.
    public func delay(
        beforeRetry number: Int, using generator: inout some RandomNumberGenerator
    ) -> TimeInterval {
        precondition(number >= 0, "number is \(number), but must be at least 0")
        let longest = initial == 0 ? 0 : min(initial * pow(factor, Double(number)), maximum)
        // There is no part of what is infinite.
        return jitter == 0 || longest == .infinity
            ? longest : longest * (1 - jitter * Double.random(in: 0...1, using: &generator))
    }
}

/// The attempts of one start. They follow one another, so nothing here is touched by two threads at once.
@usableFromInline
final class RetryBackoff<Value, Error: Swift.Error, Generator: RandomNumberGenerator & Sendable>: @unchecked Sendable {
    @usableFromInline let source: SignalProducer<Value, Error>
    @usableFromInline let input: ProducerInput<Value, Error>
    @usableFromInline let count: Int
    @usableFromInline let backoff: Backoff
    @usableFromInline let scheduler: any DateScheduler
    @usableFromInline var generator: Generator
    @usableFromInline var retries = 0

    @inlinable
    init(
        _ source: SignalProducer<Value, Error>, to input: ProducerInput<Value, Error>, upTo count: Int,
        _ backoff: Backoff, on scheduler: any DateScheduler, using generator: Generator
    ) {
        self.source = source
        self.input = input
        self.count = count
        self.backoff = backoff
        self.scheduler = scheduler
        self.generator = generator
    }

    @inlinable
    func start() {
        let input = input
        source.connect(
            to: Sink(value: { input.send($0) }, termination: { self.end($0) }), until: input.resources)
    }

    @inlinable
    func end(_ termination: Termination<Error>) {
        guard case .failed = termination, retries < count else {
            input.send(termination)
            return
        }
        let interval = backoff.delay(beforeRetry: retries, using: &generator)
        retries += 1
        let timer = SerialDisposable()
        let handle = input.resources.add(timer)
        timer.inner = scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(interval)) {
            handle?.dispose()
            self.start()
        }
    }
}

extension SignalProducer {
    /// Starts the source again when it has failed, after a while.
    ///
    ///     source                        a#
    ///     retry up to 2, constantly 3   a---a---a#
    ///
    /// Any other end is passed on, as is the failure after the last retry. Disposing while it waits interrupts at once.
    ///
    /// ```swift
    /// download.retry(upTo: 5, backoff: .exponential(from: 0.5), on: QueueScheduler.main)
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many retries there are at most. At least 0.
    ///   - backoff: How long to wait before each.
    ///   - scheduler: Whose time it is, and where the source is started again.
    /// - Complexity: One timer for each retry, and constant stack.
    @inlinable
    public func retry(
        upTo count: Int, backoff: Backoff, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        retry(upTo: count, backoff: backoff, on: scheduler, using: SystemRandomNumberGenerator())
    }

    /// Starts the source again when it has failed, up to `count` times, always after the same while.
    /// See ``retry(upTo:backoff:on:)``.
    ///
    /// - Parameters:
    ///   - count: How many retries there are at most. At least 0.
    ///   - interval: How long to wait before each, in seconds. At least 0; if it is infinite, there is no retry.
    ///   - scheduler: Whose time it is, and where the source is started again.
    @inlinable
    public func retry(
        upTo count: Int, interval: TimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        retry(upTo: count, backoff: .constant(interval), on: scheduler)
    }

    /// Starts the source again when it has failed, after a while, with a source of chance of your own.
    /// See ``retry(upTo:backoff:on:)``.
    ///
    /// - Parameters:
    ///   - count: How many retries there are at most. At least 0.
    ///   - backoff: How long to wait before each.
    ///   - scheduler: Whose time it is, and where the source is started again.
    ///   - generator: Where chance comes from. Each start begins with a copy of it.
    @inlinable
    public func retry(
        upTo count: Int, backoff: Backoff, on scheduler: any DateScheduler,
        using generator: some RandomNumberGenerator & Sendable
    ) -> SignalProducer<Value, Error> {
        precondition(count >= 0, "count is \(count), but must be at least 0")
        if count == 0 { return self }
        return SignalProducer(
            over: depth,
            recipe: { sink, run in
                let input = ProducerInput(to: sink, in: run)
                RetryBackoff(self, to: input, upTo: count, backoff, on: scheduler, using: generator).start()
            })
    }
}
