/// When a producer starts again after a failure, and when its failure is forwarded.
///
/// ```swift
/// let orders = feed.retry(
///     .exponential(from: .milliseconds(100), upTo: .seconds(30))
///         .limited(to: 10)
///         .startingOverAfterValues()
///         .when { error in error.isTransient },
///     on: queue)
/// ```
///
/// Without a limit, there is a retry after each failure. A policy is a value: each method returns another one.
public struct Retry<Failure: Error>: Sendable {
    @usableFromInline let backoff: Backoff
    @usableFromInline private(set) var count = Int.max
    @usableFromInline private(set) var time = Double.infinity
    @usableFromInline private(set) var startsOver = false
    private var conditions: [@Sendable (Failure, _ attempt: Int) -> Bool] = []

    /// A retry after each failure and the wait of `backoff`.
    public init(_ backoff: Backoff) { self.backoff = backoff }

    /// A wait that grows with each retry. See ``Backoff/exponential(from:factor:upTo:jitter:)-(Duration,_,_,_)``.
    ///
    /// - Parameters:
    ///   - initial: The wait before the first retry. At least 0.
    ///   - factor: The ratio of each wait to the previous one. At least 1.
    ///   - maximum: The longest wait. At least 0.
    ///   - jitter: The random share of the wait, from 0 to 1.
    public static func exponential(
        from initial: Duration, factor: Double = 2, upTo maximum: Duration = .seconds(60), jitter: Double = 0.5
    ) -> Retry {
        Retry(.exponential(from: initial, factor: factor, upTo: maximum, jitter: jitter))
    }

    /// The same wait before each retry. See ``Backoff/constant(_:jitter:)-(Duration,_)``.
    ///
    /// - Parameters:
    ///   - interval: The wait. At least 0.
    ///   - jitter: The random share of the wait, from 0 to 1.
    public static func constant(_ interval: Duration, jitter: Double = 0) -> Retry {
        Retry(.constant(interval, jitter: jitter))
    }

    /// At most so many retries in a row.
    ///
    /// - Parameter count: At least 0.
    public func limited(to count: Int) -> Retry {
        precondition(count >= 0, "count is \(count), but must be at least 0")
        return changed { $0.count = min($0.count, count) }
    }

    /// No retry that would begin later than this after the first failure in a row: that failure is forwarded at once.
    ///
    /// - Parameter time: At least 0.
    public func limited(to time: Duration) -> Retry {
        precondition(time >= .zero, "time is \(time), but must be at least 0")
        return changed { $0.time = min($0.time, time.timeInterval) }
    }

    /// After a value, the limits and the growing waits begin anew: for sources that live long and fail now and then.
    public func startingOverAfterValues() -> Retry { changed { $0.startsOver = true } }

    /// A retry only if the closure returns true. Of several conditions, all must hold.
    ///
    /// - Parameter condition: Receives the failure. Called on the thread that delivers it, one call at a time for each start. Not called
    ///   if a limit forbids the retry anyway.
    #if Preconcurrency
        @preconcurrency
    #endif
    public func when(_ condition: @escaping @Sendable (Failure) -> Bool) -> Retry {
        when { failure, _ in condition(failure) }
    }

    /// A retry only if the closure returns true for the failure and the number of the attempt that failed, which is 1 for the first one
    /// in a row. See ``when(_:)-((Failure)->Bool)``.
    #if Preconcurrency
        @preconcurrency
    #endif
    public func when(_ condition: @escaping @Sendable (Failure, _ attempt: Int) -> Bool) -> Retry {
        changed { $0.conditions.append(condition) }
    }

    private func changed(_ change: (inout Retry) -> Void) -> Retry {
        var result = self
        change(&result)
        return result
    }

    @usableFromInline
    func allows(_ failure: Failure, attempt: Int) -> Bool { conditions.allSatisfy { $0(failure, attempt) } }
}
