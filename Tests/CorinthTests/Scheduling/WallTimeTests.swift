import Foundation
import Testing

@testable import Corinth

struct WallTimeTests {
    /// Two dates that differ at all differ here, in the same order: so nothing runs before its date.
    @Test func keepsTheOrderOfDates() {
        for seconds in [0.0, 1, 500_000_000, 798_000_000, 1_500_000_000, 3_000_000_000] {
            var date = Date(timeIntervalSinceReferenceDate: seconds + 0.123_456)
            for _ in 0..<100 {
                let next = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.nextUp)
                if seconds >= 500_000_000 { #expect(WallTime(date) < WallTime(next)) }
                #expect(WallTime(date) <= WallTime(next))
                date = next
            }
        }
    }

    @Test func nanoseconds() {
        #expect(WallTime(Date(timeIntervalSince1970: 0)).nanoseconds == 0)
        #expect(WallTime(Date(timeIntervalSince1970: 1.5)).nanoseconds == 1_500_000_000)
        #expect(WallTime(Date(timeIntervalSince1970: -1)) == .beginning)
        #expect(WallTime(.distantPast) == .beginning)
        #expect(WallTime(.distantFuture) == .never)
        #expect(WallTime(Date(timeIntervalSinceReferenceDate: .infinity)) == .never)
        #expect(WallTime(Date(timeIntervalSinceReferenceDate: .nan)) == .never)
        #expect(WallTime(Date(timeIntervalSinceReferenceDate: -.infinity)) == .beginning)
    }

    @Test func adding() {
        #expect(WallTime(nanoseconds: 5).adding(7).nanoseconds == 12)
        #expect(WallTime(nanoseconds: 5).adding(.max) == .never)
        #expect(WallTime.never.adding(1) == .never)
    }

    @Test func nextOfARepetition() {
        let first = WallTime(nanoseconds: 100)
        func next(_ now: UInt64) -> UInt64 { first.next(after: WallTime(nanoseconds: now), every: 10).nanoseconds }
        // Never the same again, not even if the clock was set back meanwhile.
        #expect(next(50) == 110)
        #expect(next(100) == 110)
        #expect(next(109) == 110)
        #expect(next(110) == 120)
        #expect(next(155) == 160)
        #expect(first.next(after: first, every: .max) == .never)
        #expect(
            WallTime.beginning.next(after: .never, every: 3) >= WallTime(nanoseconds: WallTime.never.nanoseconds - 3))
    }

    @Test func leeway() {
        #expect(WallTime(nanoseconds: 1001).rounded(within: 0).nanoseconds == 1001)
        #expect(WallTime(nanoseconds: 1001).rounded(within: 23).nanoseconds == 1024)
        #expect(WallTime(nanoseconds: 1001).rounded(within: 22).nanoseconds == 1008)
        // What is round already stays.
        #expect(WallTime(nanoseconds: 1024).rounded(within: 100).nanoseconds == 1024)
        #expect(WallTime.never.rounded(within: 100) == .never)
        #expect(WallTime(nanoseconds: 100).rounded(within: .max) >= WallTime(nanoseconds: 100))
        for time in 0..<200 as Range<UInt64> {
            for leeway in 0..<40 as Range<UInt64> {
                let rounded = WallTime(nanoseconds: time).rounded(within: leeway).nanoseconds
                #expect(time <= rounded && rounded <= time + leeway)
                let roundest = (time...time + leeway).map(\.trailingZeroBitCount).max()
                #expect(rounded.trailingZeroBitCount == roundest)
            }
        }
    }
}
