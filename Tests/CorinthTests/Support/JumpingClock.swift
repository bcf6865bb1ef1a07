import Corinth
import CorinthTesting
import Dispatch
import Foundation

/// A scheduler in virtual time whose clock can be set. As on the library's own schedulers, what waits goes by relative time:
/// a date counts as the clock is when it is given.
final class JumpingClock: DateScheduler {
    /// What really goes on.
    let scheduler = TestScheduler()

    /// By how much the clock is wrong, in seconds.
    private let error = Atomic(0.0)

    /// Sets the clock, in seconds from what it shows.
    func jump(by seconds: TimeInterval) { error.modify { $0 += seconds } }

    /// The seconds that have really passed.
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
