import Corinth
import Foundation

/// A scheduler from outside the library: a loop on a thread of its own.
final class LoopScheduler: Scheduler {
    private struct Item: @unchecked Sendable {  // Handed over by the thread that schedules.
        let action: () -> Void
    }

    private let queue = Atomic<[Item]>([])
    private let isStopped = Flag()
    private let arrivals = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [queue, arrivals, isStopped] in
            while true {
                arrivals.wait()
                if isStopped.isRaised { return }
                queue.modify { $0.isEmpty ? nil : $0.removeFirst() }?.action()
            }
        }
    }

    func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        let item = Item(action: action)
        queue.modify { $0.append(item) }
        arrivals.signal()
        if isStopped.isRaised { discard() }
        return nil
    }

    /// What is queued then isn't run.
    func stop() {
        isStopped.raise()
        arrivals.signal()
        discard()
    }

    /// The actions may refer to this scheduler.
    private func discard() { queue.value = [] }
}
