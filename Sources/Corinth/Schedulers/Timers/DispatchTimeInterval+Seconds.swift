public import Dispatch
public import CorinthEssentials

extension DispatchTimeInterval {
    /// In seconds; infinite for `.never`.
    @usableFromInline package var timeInterval: TimeInterval {
        switch self {
        case .seconds(let count): TimeInterval(count)
        case .milliseconds(let count): TimeInterval(count) / 1e3
        case .microseconds(let count): TimeInterval(count) / 1e6
        case .nanoseconds(let count): TimeInterval(count) / 1e9
        case .never: .infinity
        @unknown default: .infinity
        }
    }

    /// An interval of `seconds`, rounded to nanoseconds; `.never` if an integer can't hold the nanoseconds.
    package init(rounding seconds: TimeInterval) {
        let nanoseconds = Int(exactly: (seconds * 1e9).rounded())
        self = nanoseconds.map { .nanoseconds($0) } ?? .never
    }

    /// The default leeway for a timer of this interval: a tenth of it, so that the system can combine wake-ups. For `.never`,
    /// the timer fires only once, and the leeway is 0.
    @usableFromInline package var usualLeeway: DispatchTimeInterval {
        timeInterval.isFinite ? DispatchTimeInterval(rounding: timeInterval / 10) : .nanoseconds(0)
    }

    /// Stops the program if this is negative.
    @usableFromInline package func requireNonnegative(_ name: StaticString) {
        precondition(timeInterval >= 0, "\(name) is \(timeInterval) s, but must be at least 0")
    }
}

extension Date {
    /// The date `interval` later.
    @usableFromInline package func adding(_ interval: DispatchTimeInterval) -> Date {
        addingTimeInterval(interval.timeInterval)
    }

    /// Stops the program if the date is NaN. Infinite dates are valid: they never come, or came long ago.
    ///
    /// The date isn't printed: Foundation can't print NaN or infinite dates.
    @usableFromInline package func requireNumber(_ name: StaticString = "date") {
        precondition(
            !timeIntervalSinceReferenceDate.isNaN,
            "\(name) is nan s after the reference date, but must be a number: .distantFuture is a date that never comes"
        )
    }
}

/// Stops the program if an argument of ``DateScheduler/schedule(after:interval:leeway:action:)`` is invalid.
package func requireRepetition(
    after date: Date, every interval: DispatchTimeInterval, _ leeway: DispatchTimeInterval
) {
    date.requireNumber()
    interval.requireNonnegative("interval")
    leeway.requireNonnegative("leeway")
}

/// Stops the program if an interval in seconds is negative or NaN.
@usableFromInline
func requireNonnegative(_ interval: TimeInterval, _ name: StaticString = "interval") {
    precondition(interval >= 0, "\(name) is \(interval) s, but must be at least 0")
}
