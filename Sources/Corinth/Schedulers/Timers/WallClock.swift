internal import CorinthEssentials

/// Converts dates to moments of the monotonic clock.
///
/// It stores the distance of the two clocks, and reads both at each conversion. As long as the time of day isn't set, equal
/// dates are equal moments, and dates keep their order, to the nanosecond. Setting the time of day doesn't change earlier
/// moments.
///
/// No moment comes before its date, as the clocks show it at the conversion. It may be later by ``tolerance``.
final class WallClock: @unchecked Sendable {  // One atomic word.
    /// In nanoseconds. The stored distance is kept unless it is less than the true one by more than this.
    static let tolerance: Int64 = 10_000

    /// The rounding error of a current `Date`, in nanoseconds.
    private static let rounding: Int64 = 256

    /// The shared instance.
    static let shared = WallClock(date: { Date() }, monotonic: { MonotonicTime.now })

    /// The stored lead of the time of day, in nanoseconds: at most the true one. 0 before the first use.
    private let distance = AtomicWord()

    private let date: @Sendable () -> Date
    private let monotonic: @Sendable () -> UInt64

    init(date: @escaping @Sendable () -> Date, monotonic: @escaping @Sendable () -> UInt64) {
        self.date = date
        self.monotonic = monotonic
    }

    func moment(of date: Date) -> TimePoint {
        guard let time = WallClock.nanoseconds(of: date) else { return .never }
        let moment = time.subtractingReportingOverflow(currentDistance())
        return moment.overflow || moment.partialValue < 0
            ? .beginning : TimePoint(nanoseconds: UInt64(moment.partialValue))
    }

    /// The stored distance, unless the time of day was set.
    private func currentDistance() -> Int64 {
        var bounds = measure()
        // If the thread was preempted between its reads, the bounds are wide.
        for _ in 0..<8 where bounds.upperBound - bounds.lowerBound > WallClock.tolerance { bounds = measure() }
        // relaxed: a number, which publishes nothing.
        let seen = distance.load(.relaxed)
        let kept = Int64(bitPattern: seen)
        if kept <= bounds.upperBound, kept >= bounds.lowerBound - WallClock.tolerance { return kept }
        // The lower bound, so that no moment comes too early. If several threads measure at the same time, all use the first
        // result, so equal dates are equal moments for all of them.
        let result = distance.compareExchange(seen, UInt64(bitPattern: bounds.lowerBound), .relaxed)
        return result.won ? bounds.lowerBound : Int64(bitPattern: result.seen)
    }

    /// The bounds of the distance.
    private func measure() -> ClosedRange<Int64> {
        let before = Int64(bitPattern: monotonic())
        let now = WallClock.nanoseconds(of: date()) ?? 0
        let after = Int64(bitPattern: monotonic())
        return now - after - WallClock.rounding...now - before + WallClock.rounding
    }

    /// Since 1970. Different dates have different results, in the same order. Nil for dates after about the year 2200.
    static func nanoseconds(of date: Date) -> Int64? {
        let sinceReference = date.timeIntervalSinceReferenceDate
        guard sinceReference < 7e9 else { return nil }
        // Computed separately, because a floating-point number can't hold all digits together.
        let second = max(sinceReference, -1e9).rounded(.down)
        let fraction = max(sinceReference, -1e9) - second
        return max((Int64(second) + 978_307_200) * 1_000_000_000 + Int64((fraction * 1e9).rounded()), 0)
    }
}
