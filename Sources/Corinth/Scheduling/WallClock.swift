internal import Foundation

/// What turns dates into moments of the monotonic clock, once, where they enter.
///
/// It keeps how far the two clocks are apart, and looks at both each time. As long as nobody has set the time of day, the same
/// date is always the same moment, and dates keep their order, to the nanosecond. A moment that was made before the time of
/// day was set stays what it is.
///
/// No moment comes before its date, as the clocks are when it is made. It may come later by ``tolerance``.
final class WallClock: @unchecked Sendable {  // One atomic word.
    /// In nanoseconds. As long as the distance that is kept is not less than the true one by more than this, it is kept.
    static let tolerance: Int64 = 10_000

    /// What a `Date` of our times may be off, in nanoseconds.
    private static let rounding: Int64 = 256

    /// The process's own.
    static let shared = WallClock(date: { Date() }, monotonic: { MonotonicTime.now })

    /// By how much the time of day is ahead, in nanoseconds: at most. 0 before it is asked for.
    private var distanceStorage: UInt64 = 0

    private let date: @Sendable () -> Date
    private let monotonic: @Sendable () -> UInt64

    init(date: @escaping @Sendable () -> Date, monotonic: @escaping @Sendable () -> UInt64) {
        self.date = date
        self.monotonic = monotonic
    }

    private var distance: AtomicWord { AtomicWord(of: self) }

    func moment(of date: Date) -> TimePoint {
        guard let time = WallClock.nanoseconds(of: date) else { return .never }
        let moment = time.subtractingReportingOverflow(currentDistance())
        return moment.overflow || moment.partialValue < 0
            ? .beginning : TimePoint(nanoseconds: UInt64(moment.partialValue))
    }

    /// The distance that is kept, unless the time of day was set.
    private func currentDistance() -> Int64 {
        var bounds = measure()
        // A thread that was interrupted between its looks knows little.
        for _ in 0..<8 where bounds.upperBound - bounds.lowerBound > WallClock.tolerance { bounds = measure() }
        // relaxed: a number, by which nothing is published.
        let seen = distance.load(.relaxed)
        let kept = Int64(bitPattern: seen)
        if kept <= bounds.upperBound, kept >= bounds.lowerBound - WallClock.tolerance { return kept }
        // The lower bound, so that nothing comes too early. Of threads that find this at the same time, all use the first
        // one's, so that the same date is the same moment for all of them.
        let result = distance.compareExchange(seen, UInt64(bitPattern: bounds.lowerBound), .relaxed)
        return result.won ? bounds.lowerBound : Int64(bitPattern: result.seen)
    }

    /// Between which bounds the distance is.
    private func measure() -> ClosedRange<Int64> {
        let before = Int64(bitPattern: monotonic())
        let now = WallClock.nanoseconds(of: date()) ?? 0
        let after = Int64(bitPattern: monotonic())
        return now - after - WallClock.rounding...now - before + WallClock.rounding
    }

    /// Since 1970. Two dates that differ at all differ here, in the same order. Nil if it is later than the year 2200 or so.
    static func nanoseconds(of date: Date) -> Int64? {
        let sinceReference = date.timeIntervalSinceReferenceDate
        guard sinceReference < 7e9 else { return nil }
        // Apart, because all digits together are more than a floating-point number has.
        let second = max(sinceReference, -1e9).rounded(.down)
        let fraction = max(sinceReference, -1e9) - second
        return max((Int64(second) + 978_307_200) * 1_000_000_000 + Int64((fraction * 1e9).rounded()), 0)
    }
}
