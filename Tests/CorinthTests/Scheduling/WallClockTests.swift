import Foundation
import Testing

@testable import Corinth

/// Dates become moments of the monotonic clock where they enter.
struct WallClockTests {
    /// Two clocks that show what the test says.
    private final class Clocks: Sendable {
        /// What the monotonic clock shows, in nanoseconds.
        let monotonic = Atomic<UInt64>(5_000_000_000)

        /// What the time of day is when that is 0, in seconds since the reference date.
        let start = Atomic(800_000_000.0)

        /// How long it takes to look at the monotonic clock, in nanoseconds.
        let step = Atomic<UInt64>(50)

        var date: Date { Date(timeIntervalSinceReferenceDate: start.value + Double(monotonic.value) / 1e9) }

        func translation() -> WallClock {
            WallClock(
                date: { self.date },
                monotonic: {
                    let step = self.step.value
                    return self.monotonic.modify {
                        $0 += step
                        return $0
                    }
                })
        }
    }

    private let clocks = Clocks()

    @Test func sameDateSameMoment() {
        let translation = clocks.translation()
        let date = clocks.date + 3600
        let moment = translation.moment(of: date)
        let now = clocks.monotonic.value
        #expect(moment.nanoseconds >= now + 3_599_999_000_000)
        #expect(moment.nanoseconds <= now + 3_600_000_020_000)
        for _ in 0..<1_000 {
            clocks.monotonic.modify { $0 += 1_000_000 }
            #expect(translation.moment(of: date) == moment)
        }
    }

    /// What is scheduled in order runs in order.
    @Test func keepsTheOrderOfDates() {
        let translation = clocks.translation()
        for seconds in [800_000_000.25, 1_500_000_000, 3_000_000_000] {
            var date = Date(timeIntervalSinceReferenceDate: seconds)
            for _ in 0..<100 {
                let next = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.nextUp)
                #expect(translation.moment(of: date) < translation.moment(of: next))
                date = next
            }
        }
    }

    /// Nothing comes before its date, though a look at the clocks was interrupted, and the next one corrects it.
    @Test func interruptedLook() {
        let translation = clocks.translation()
        let date = clocks.date + 10
        clocks.step.value = 2_000_000_000
        let late = translation.moment(of: date)
        clocks.step.value = 50
        let truth: UInt64 = 15_000_000_000
        #expect(late.nanoseconds >= truth)
        #expect(late.nanoseconds <= truth + 5_000_000_000)
        let exact = translation.moment(of: date).nanoseconds
        #expect(exact >= truth)
        #expect(exact <= truth + 20_000)
    }

    /// What was made before stays, and what is made from then on follows the new time.
    @Test(arguments: [-3600.0, 3600, -0.001, 0.001]) func clockIsSet(by seconds: Double) {
        let translation = clocks.translation()
        let before = translation.moment(of: clocks.date + 10)
        clocks.start.modify { $0 += seconds }
        let after = translation.moment(of: clocks.date + 10)
        let difference = Double(after.nanoseconds) - Double(before.nanoseconds)
        #expect(abs(difference) < 20_000)
    }

    @Test func limits() {
        let translation = clocks.translation()
        #expect(translation.moment(of: .distantPast) == .beginning)
        #expect(translation.moment(of: .distantFuture) == .never)
        #expect(translation.moment(of: Date(timeIntervalSinceReferenceDate: .infinity)) == .never)
        #expect(translation.moment(of: Date(timeIntervalSinceReferenceDate: .nan)) == .never)
        #expect(translation.moment(of: Date(timeIntervalSinceReferenceDate: -.infinity)) == .beginning)
    }

    @Test func nanoseconds() {
        #expect(WallClock.nanoseconds(of: Date(timeIntervalSince1970: 0)) == 0)
        #expect(WallClock.nanoseconds(of: Date(timeIntervalSince1970: 1.5)) == 1_500_000_000)
        #expect(WallClock.nanoseconds(of: Date(timeIntervalSince1970: -1)) == 0)
        #expect(WallClock.nanoseconds(of: .distantFuture) == nil)
    }
}
