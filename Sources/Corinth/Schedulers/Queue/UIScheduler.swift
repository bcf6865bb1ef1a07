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
/// Any thread may schedule. Actions of one UI scheduler run one at a time, in FIFO order (law
/// [C1](doc:Contracts#C1-One-at-a-time)). Law [C2](doc:Contracts#C2-Not-before-schedule-returns) has an exception for this
/// scheduler.
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
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        if runsAtOnce(action) { return nil }
        let scheduled = ScheduledAction(action)
        order.raise()
        queue { scheduled.run() }
        return scheduled
    }

    /// Counts work, and runs it if this is the main thread and nothing is queued.
    private func runsAtOnce(_ work: () -> Void) -> Bool {
        // acquireRelease: a thread that finds no action queued sees the writes of earlier actions. Pairs with the
        // subtractions.
        let isFirst = length.fetchAdd(1, .acquireRelease) == 0
        guard isFirst, DispatchQueue.getSpecific(key: UIScheduler.key) == true else { return false }
        UIScheduler.context.run(work)
        length.fetchSubtract(1, .acquireRelease)
        return true
    }

    /// Queues work that has been counted.
    private func queue(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async {
            UIScheduler.context.run(work)
            self.length.fetchSubtract(1, .acquireRelease)
        }
    }
}

extension UIScheduler: WorkItemScheduler {
    @usableFromInline var label: String { "main" }

    @usableFromInline
    func post(_ workItem: WorkItem) {
        if !runsAtOnce(workItem.run) { queue { workItem.run() } }
    }

    @usableFromInline
    var context: SerialContext? { UIScheduler.context }

    @usableFromInline
    var order: ScheduleOrder { UIScheduler.context.order }

    private static let context = QueueContext.main
}
