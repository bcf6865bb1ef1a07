import Testing

@testable import Corinth

struct TimePointTests {
    @Test func adding() {
        #expect(TimePoint(nanoseconds: 5).adding(7).nanoseconds == 12)
        #expect(TimePoint(nanoseconds: 5).adding(.max) == .never)
        #expect(TimePoint.never.adding(1) == .never)
    }

    @Test func nextOfARepetition() {
        let first = TimePoint(nanoseconds: 100)
        func next(_ now: UInt64) -> UInt64 { first.next(after: TimePoint(nanoseconds: now), every: 10).nanoseconds }
        // The same time is never returned twice.
        #expect(next(50) == 110)
        #expect(next(100) == 110)
        #expect(next(109) == 110)
        #expect(next(110) == 120)
        #expect(next(155) == 160)
        #expect(first.next(after: first, every: .max) == .never)
        #expect(
            TimePoint.beginning.next(after: .never, every: 3) >= TimePoint(nanoseconds: TimePoint.never.nanoseconds - 3)
        )
    }

    @Test func leeway() {
        #expect(TimePoint(nanoseconds: 1001).rounded(within: 0).nanoseconds == 1001)
        #expect(TimePoint(nanoseconds: 1001).rounded(within: 23).nanoseconds == 1024)
        #expect(TimePoint(nanoseconds: 1001).rounded(within: 22).nanoseconds == 1008)
        // A rounded time stays the same.
        #expect(TimePoint(nanoseconds: 1024).rounded(within: 100).nanoseconds == 1024)
        #expect(TimePoint.never.rounded(within: 100) == .never)
        #expect(TimePoint(nanoseconds: 100).rounded(within: .max) >= TimePoint(nanoseconds: 100))
        for time in 0..<200 as Range<UInt64> {
            for leeway in 0..<40 as Range<UInt64> {
                let rounded = TimePoint(nanoseconds: time).rounded(within: leeway).nanoseconds
                #expect(time <= rounded && rounded <= time + leeway)
                let roundest = (time...time + leeway).map(\.trailingZeroBitCount).max()
                #expect(rounded.trailingZeroBitCount == roundest)
            }
        }
    }
}
