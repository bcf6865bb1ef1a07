internal import Foundation

/// A moment of the wall clock, in nanoseconds since 1970: as fine as a `Date` of our times, and in the same order.
struct WallTime: Comparable, Hashable, Sendable {
    let nanoseconds: UInt64

    /// A moment that doesn't come: whatever is later than the year 2200 or so.
    static var never: WallTime { WallTime(nanoseconds: 8_000_000_000_000_000_000) }

    /// Long ago.
    static var beginning: WallTime { WallTime(nanoseconds: 0) }

    static var now: WallTime { WallTime(Date()) }

    init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The same moment. What a `Date` can tell from another one, this can, too: there are more nanoseconds than dates.
    init(_ date: Date) {
        let sinceReference = date.timeIntervalSinceReferenceDate
        guard sinceReference < 7e9 else {
            self = .never
            return
        }
        // Apart, because all digits together are more than a floating-point number has.
        let second = max(sinceReference, -1e9).rounded(.down)
        let fraction = max(sinceReference, -1e9) - second
        let sum = (Int64(second) + 978_307_200) * 1_000_000_000 + Int64((fraction * 1e9).rounded())
        nanoseconds = UInt64(max(sum, 0))
    }

    static func < (left: WallTime, right: WallTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// So many nanoseconds later.
    func adding(_ nanoseconds: UInt64) -> WallTime {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return overflow ? .never : min(WallTime(nanoseconds: sum), .never)
    }

    /// The first moment after `moment` that is a number of intervals after this one, and at least one of them.
    ///
    /// - Parameter interval: In nanoseconds. At least 1.
    func next(after moment: WallTime, every interval: UInt64) -> WallTime {
        let passed = moment < self ? 0 : (moment.nanoseconds - nanoseconds) / interval
        let (distance, overflow) = (passed + 1).multipliedReportingOverflow(by: interval)
        return overflow ? .never : adding(distance)
    }

    /// The roundest moment from this one to so many nanoseconds later, in the binary system. Those who may be a little
    /// late meet there.
    func rounded(within leeway: UInt64) -> WallTime {
        let latest = adding(leeway)
        let differing = nanoseconds ^ latest.nanoseconds
        guard differing > 0, self < latest else { return self }
        // The highest bit in which the two differ is set in the later one: without the bits below it, that is the roundest
        // moment that is later than this.
        let below = (UInt64(1) << UInt64(63 - differing.leadingZeroBitCount)) - 1
        return nanoseconds & below == 0 ? self : WallTime(nanoseconds: latest.nanoseconds & ~below)
    }
}
