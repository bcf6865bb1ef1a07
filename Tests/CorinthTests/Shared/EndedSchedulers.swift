import Corinth
import CorinthTesting

/// The virtual time of cases that have ended. A real thread may still schedule an action there, which is never released, and keeps
/// the scheduler, if it doesn't run.
final class EndedSchedulers: Sendable {
    private struct Ended {
        /// Nil if nobody can schedule anything there any more.
        weak var scheduler: TestScheduler?
    }

    private let ended = Atomic<[Ended]>([])

    /// Remembers virtual time for ``advance()``.
    func note(_ scheduler: TestScheduler) {
        ended.modify { all in
            // A soak has hundreds of thousands of cases.
            if all.count.isMultiple(of: 1_000) { all.removeAll { $0.scheduler == nil } }
            all.append(Ended(scheduler: scheduler))
        }
    }

    /// Runs what was scheduled in the virtual time of cases that have ended.
    func advance() { for ended in ended.value { ended.scheduler?.advance() } }
}
