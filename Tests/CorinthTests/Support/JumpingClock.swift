import Corinth
import CorinthTesting
import Dispatch
import Foundation

/// A scheduler in virtual time whose clock can be set. Like the library's own schedulers, it waits by relative time: a date is
/// converted with the clock's reading at the time of the call.
final class JumpingClock: DateScheduler {
    /// The scheduler with the true time.
    let scheduler = TestScheduler()

    /// The difference between the clock and the true time, in seconds.
    private let error = Atomic(0.0)

    /// Moves the clock by some seconds.
    func jump(by seconds: TimeInterval) { error.modify { $0 += seconds } }

    /// The seconds of true time that have passed.
    var time: TimeInterval { scheduler.currentDate.timeIntervalSinceReferenceDate }

    var currentDate: Date { scheduler.currentDate + error.value }

    func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? { scheduler.schedule(action) }

    func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        scheduler.schedule(after: date - error.value, action: action)
    }

    func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        scheduler.schedule(after: date - error.value, interval: interval, leeway: leeway, action: action)
    }
}
