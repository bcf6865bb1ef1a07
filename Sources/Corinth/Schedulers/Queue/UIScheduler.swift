internal import Dispatch

/// A scheduler that runs its actions on the main queue: at once if called there with no action queued, otherwise in FIFO
/// order.
///
/// ```swift
/// results.observe(on: UIScheduler()).observeValues { label.text = $0 }
/// ```
///
/// An action scheduled inside another one is queued, so actions don't nest.
///
/// ## Concurrency
/// Any thread may schedule. Actions of one UI scheduler run one at a time, in FIFO order (law C1). Law C2 has an exception
/// for this scheduler.
public final class UIScheduler: Scheduler, @unchecked Sendable {  // The word is atomic.
    /// How many actions are queued or running.
    private let length = AtomicWord()

    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Creates a UI scheduler. Each instance has its own FIFO order.
    public init() {
    }

    /// Runs `action`, or queues it on the main queue.
    ///
    /// - Returns: nil if the action has run.
    @discardableResult
    @preconcurrency
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        // acquireRelease: a thread that finds no action queued sees the writes of earlier actions. Pairs with the
        // subtractions.
        let isFirst = length.fetchAdd(1, .acquireRelease) == 0
        if isFirst, DispatchQueue.getSpecific(key: UIScheduler.key) == true {
            UIScheduler.context.run(action)
            length.fetchSubtract(1, .acquireRelease)
            return nil
        }
        let scheduled = ScheduledAction(action)
        order.raise()
        DispatchQueue.main.async {
            UIScheduler.context.run(scheduled.run)
            self.length.fetchSubtract(1, .acquireRelease)
        }
        return scheduled
    }
}

extension UIScheduler: WorkItemScheduler {
    @usableFromInline
    func post(_ workItem: WorkItem) {
        // acquireRelease: as in `schedule(_:)`.
        let isFirst = length.fetchAdd(1, .acquireRelease) == 0
        if isFirst, DispatchQueue.getSpecific(key: UIScheduler.key) == true {
            UIScheduler.context.run(workItem.run)
            length.fetchSubtract(1, .acquireRelease)
        } else {
            DispatchQueue.main.async {
                UIScheduler.context.run(workItem.run)
                self.length.fetchSubtract(1, .acquireRelease)
            }
        }
    }

    @usableFromInline
    var context: SerialContext? { UIScheduler.context }

    @usableFromInline
    var order: ScheduleOrder { UIScheduler.context.order }

    private static let context = QueueContext.main
}
