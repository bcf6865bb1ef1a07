public import Dispatch
public import Foundation

extension DispatchTimeInterval {
    /// In seconds; infinite if it is `.never`.
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

    /// So many seconds, rounded to nanoseconds; `.never` if that is more than an integer of nanoseconds holds.
    package init(rounding seconds: TimeInterval) {
        let nanoseconds = Int(exactly: (seconds * 1e9).rounded())
        self = nanoseconds.map { .nanoseconds($0) } ?? .never
    }

    /// How much later than asked a timer of this interval may fire, where the caller has no opinion: a tenth of it, so that
    /// the system can put wake-ups together. A timer that fires only once, as the interval is `.never`, is not late.
    @usableFromInline package var usualLeeway: DispatchTimeInterval {
        timeInterval.isFinite ? DispatchTimeInterval(rounding: timeInterval / 10) : .nanoseconds(0)
    }

    /// Stops the program if this is negative.
    @usableFromInline package func requireNonnegative(_ name: StaticString) {
        precondition(timeInterval >= 0, "\(name) is \(timeInterval) s, but must be at least 0")
    }
}

extension Date {
    /// The date that is so much later.
    @usableFromInline package func adding(_ interval: DispatchTimeInterval) -> Date {
        addingTimeInterval(interval.timeInterval)
    }

    /// Stops the program if this is no number. An infinite date is one: it never comes, or came long ago.
    ///
    /// It isn't printed: Foundation can't print what is no number, or infinite.
    @usableFromInline package func requireNumber(_ name: StaticString = "date") {
        precondition(
            !timeIntervalSinceReferenceDate.isNaN,
            "\(name) is nan s after the reference date, but must be a number: .distantFuture is a date that never comes"
        )
    }
}

/// Stops the program if an interval in seconds is negative, or no number.
@usableFromInline
func requireNonnegative(_ interval: TimeInterval, _ name: StaticString = "interval") {
    precondition(interval >= 0, "\(name) is \(interval) s, but must be at least 0")
}
