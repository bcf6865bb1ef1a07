internal import Foundation

/// A moment of the monotonic clock, in nanoseconds. Setting the time of day doesn't move it.
struct TimePoint: Comparable, Hashable, Sendable {
    let nanoseconds: UInt64

    /// A moment that doesn't come: more than two centuries away.
    static var never: TimePoint { TimePoint(nanoseconds: 8_000_000_000_000_000_000) }

    /// Not after any other.
    static var beginning: TimePoint { TimePoint(nanoseconds: 0) }

    static var now: TimePoint { TimePoint(nanoseconds: MonotonicTime.now) }

    init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// When a time of day will have come, or came, if nobody sets the clock meanwhile.
    init(_ date: Date) { self = WallClock.shared.moment(of: date) }

    static func < (left: TimePoint, right: TimePoint) -> Bool { left.nanoseconds < right.nanoseconds }

    /// So many nanoseconds later.
    func adding(_ nanoseconds: UInt64) -> TimePoint {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return overflow ? .never : min(TimePoint(nanoseconds: sum), .never)
    }

    /// The first moment after `moment` that is a number of intervals after this one, and at least one of them.
    ///
    /// - Parameter interval: In nanoseconds. At least 1.
    func next(after moment: TimePoint, every interval: UInt64) -> TimePoint {
        let passed = moment < self ? 0 : (moment.nanoseconds - nanoseconds) / interval
        let (distance, overflow) = (passed + 1).multipliedReportingOverflow(by: interval)
        return overflow ? .never : adding(distance)
    }

    /// The roundest moment from this one to so many nanoseconds later, in the binary system. Those who may be a little
    /// late meet there.
    func rounded(within leeway: UInt64) -> TimePoint {
        let latest = adding(leeway)
        let differing = nanoseconds ^ latest.nanoseconds
        guard differing > 0, self < latest else { return self }
        // The highest bit in which the two differ is set in the later one: without the bits below it, that is the roundest
        // moment that is later than this.
        let below = (UInt64(1) << UInt64(63 - differing.leadingZeroBitCount)) - 1
        return nanoseconds & below == 0 ? self : TimePoint(nanoseconds: latest.nanoseconds & ~below)
    }
}
