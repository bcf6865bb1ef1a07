import Corinth
import Foundation

/// A scheduler from outside the library: a loop on a thread of its own.
final class LoopScheduler: Scheduler {
    private struct Item: @unchecked Sendable {  // Handed over by the thread that schedules.
        let action: () -> Void
    }

    /// What isn't run yet; nil after the end. One word, so that nothing is queued after the end: the actions may refer to this
    /// scheduler.
    private let queue = Atomic<[Item]?>([])
    private let arrivals = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [queue, arrivals] in
            while true {
                arrivals.wait()
                // Each signal is for one action, or for the end.
                guard let next = queue.modify({ $0?.isEmpty == false ? $0?.removeFirst() : nil }) else { return }
                next.action()
            }
        }
    }

    func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        let item = Item(action: action)
        queue.modify { $0?.append(item) }
        arrivals.signal()
        return nil
    }

    /// What is queued then isn't run.
    func stop() {
        queue.value = nil
        arrivals.signal()
    }
}
