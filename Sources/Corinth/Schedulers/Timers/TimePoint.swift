internal import CorinthEssentials

/// A moment of the monotonic clock, in nanoseconds. Setting the time of day doesn't affect it.
struct TimePoint: Comparable, Hashable, Sendable {
    let nanoseconds: UInt64

    /// A moment that never comes: more than two centuries away.
    static var never: TimePoint { TimePoint(nanoseconds: 8_000_000_000_000_000_000) }

    /// The earliest moment.
    static var beginning: TimePoint { TimePoint(nanoseconds: 0) }

    static var now: TimePoint { TimePoint(nanoseconds: MonotonicTime.now) }

    init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The moment of a date, if the time of day isn't set meanwhile.
    init(_ date: Date) { self = WallClock.shared.moment(of: date) }

    static func < (left: TimePoint, right: TimePoint) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The moment `nanoseconds` later.
    func adding(_ nanoseconds: UInt64) -> TimePoint {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return overflow ? .never : min(TimePoint(nanoseconds: sum), .never)
    }

    /// The first moment after `moment` that is at least one whole number of intervals after this one.
    ///
    /// - Parameter interval: In nanoseconds. At least 1.
    func next(after moment: TimePoint, every interval: UInt64) -> TimePoint {
        let passed = moment < self ? 0 : (moment.nanoseconds - nanoseconds) / interval
        let (distance, overflow) = (passed + 1).multipliedReportingOverflow(by: interval)
        return overflow ? .never : adding(distance)
    }

    /// The roundest binary moment from this one to `leeway` nanoseconds later. Timers with leeway coincide there.
    func rounded(within leeway: UInt64) -> TimePoint {
        let latest = adding(leeway)
        let differing = nanoseconds ^ latest.nanoseconds
        guard differing > 0, self < latest else { return self }
        // The later moment has a 1 in the highest differing bit. With the lower bits cleared, it is the roundest moment after
        // this one.
        let below = (UInt64(1) << UInt64(63 - differing.leadingZeroBitCount)) - 1
        return nanoseconds & below == 0 ? self : TimePoint(nanoseconds: latest.nanoseconds & ~below)
    }
}
