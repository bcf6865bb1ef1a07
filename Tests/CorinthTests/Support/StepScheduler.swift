import Corinth

/// Runs what was scheduled when the test says so, on the thread that says it.
final class StepScheduler: Scheduler {
    private let queue = Atomic<[Item]>([])

    private struct Item: @unchecked Sendable {  // Handed over by whoever schedules.
        let disposable: AnyDisposable
        let action: () -> Void
    }

    var count: Int { queue.value.count }

    func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        let item = Item(disposable: AnyDisposable(), action: action)
        queue.modify { $0.append(item) }
        return item.disposable
    }

    /// Forgets what is queued.
    func discard() { queue.value = [] }

    /// Runs what is queued now and what is queued meanwhile.
    func run() {
        while let item = queue.modify({ $0.isEmpty ? nil : $0.removeFirst() }) {
            if !item.disposable.isDisposed { item.action() }
        }
    }
}
