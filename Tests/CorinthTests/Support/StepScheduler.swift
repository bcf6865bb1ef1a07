@testable import Corinth
import Foundation

/// Runs scheduled actions when the test calls `run()`, on the calling thread.
final class StepScheduler: Scheduler, @unchecked Sendable {  // The lock guards the queue.
    private let lock = NSLock()
    private var queue: [Item?] = []
    private var first = 0
    let order = ScheduleOrder()

    private struct Item {
        let disposable: AnyDisposable
        let action: () -> Void
    }

    var count: Int { lock.withLock { queue.count - first } }

    func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        let disposable = AnyDisposable()
        order.raise()
        // Handed over by the thread that schedules.
        nonisolated(unsafe) let item = Item(disposable: disposable, action: action)
        lock.withLock { unsafe queue.append(item) }
        return disposable
    }

    /// Drops the queued actions.
    func discard() {
        while takeFirst() != nil {}
    }

    /// Runs the queued actions, and the ones that are added meanwhile.
    func run() {
        while let item = takeFirst() {
            if !item.disposable.isDisposed { item.action() }
        }
    }

    private func takeFirst() -> Item? {
        lock.lock()
        defer { lock.unlock() }
        if first == queue.count {
            queue = []
            first = 0
            return nil
        }
        defer {
            queue[first] = nil
            first += 1
        }
        return queue[first]
    }
}

// As the library's own schedulers: a burst of a hop is one action.
extension StepScheduler: WorkItemScheduler {
    func post(_ workItem: WorkItem) {
        nonisolated(unsafe) let item = Item(disposable: AnyDisposable()) { workItem.run() }
        lock.withLock { unsafe queue.append(item) }
    }

    var runsByItself: Bool { false }
}
