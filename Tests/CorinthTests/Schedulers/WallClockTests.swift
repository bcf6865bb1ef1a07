import Foundation
import Testing

@testable import Corinth

/// Dates are converted to times of the monotonic clock when they are passed in.
struct WallClockTests {
    /// Two clocks that the test sets.
    private final class Clocks: Sendable {
        /// The reading of the monotonic clock, in nanoseconds.
        let monotonic = Atomic<UInt64>(5_000_000_000)

        /// The time of day at which the monotonic clock reads 0, in seconds since the reference date.
        let start = Atomic(800_000_000.0)

        /// The duration of one reading of the monotonic clock, in nanoseconds.
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

    /// Actions that are scheduled in order run in order.
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

    /// No time is before its date, even if a reading was preempted. The next reading corrects it.
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

    /// Earlier conversions stay the same, and later ones follow the new time.
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
