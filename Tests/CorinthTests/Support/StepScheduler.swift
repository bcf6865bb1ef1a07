import Corinth

/// Runs scheduled actions when the test calls `run()`, on the calling thread.
final class StepScheduler: Scheduler {
    private let queue = Atomic<[Item]>([])

    private struct Item: @unchecked Sendable {  // Handed over by the thread that schedules.
        let disposable: AnyDisposable
        let action: () -> Void
    }

    var count: Int { queue.value.count }

    func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        let item = Item(disposable: AnyDisposable(), action: action)
        queue.modify { $0.append(item) }
        return item.disposable
    }

    /// Drops the queued actions.
    func discard() { queue.value = [] }

    /// Runs the queued actions, and the ones that are added meanwhile.
    func run() {
        while let item = queue.modify({ $0.isEmpty ? nil : $0.removeFirst() }) {
            if !item.disposable.isDisposed { item.action() }
        }
    }
}
