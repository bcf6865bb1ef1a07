internal import Dispatch

/// Runs its actions on the main queue: at once, if that is where it is called and nothing is queued, else in order.
///
/// ```swift
/// results.observe(on: UIScheduler()).observeValues { label.text = $0 }
/// ```
///
/// An action that is scheduled from inside another one is queued, so that nothing nests.
///
/// ## Concurrency
/// Any thread may schedule. Actions of one UI scheduler run one at a time, in order (law C1); the exception in law C2 is
/// this one's.
public final class UIScheduler: Scheduler, @unchecked Sendable {  // Its word is atomic.
    /// How many actions are queued or running.
    private var lengthStorage: UInt64 = 0

    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Makes one. Each keeps its own order.
    public init() {}

    private var length: AtomicWord { AtomicWord(of: self) }

    /// Runs `action`, or queues it on the main queue.
    ///
    /// - Returns: nil if the action has run.
    @discardableResult
    @preconcurrency
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        // acquireRelease: who finds the queue empty sees what the actions before have done. Pairs with the subtractions.
        let isFirst = length.fetchAdd(1, .acquireRelease) == 0
        if isFirst, DispatchQueue.getSpecific(key: UIScheduler.key) == true {
            action()
            length.fetchSubtract(1, .acquireRelease)
            return nil
        }
        let scheduled = ScheduledAction(action)
        DispatchQueue.main.async {
            scheduled.runOnce()
            self.length.fetchSubtract(1, .acquireRelease)
        }
        return scheduled
    }
}

extension UIScheduler: ErrandScheduler {
    @usableFromInline
    func post(_ errand: Errand) {
        // acquireRelease: as in `schedule(_:)`.
        let isFirst = length.fetchAdd(1, .acquireRelease) == 0
        if isFirst, DispatchQueue.getSpecific(key: UIScheduler.key) == true {
            errand.run()
            length.fetchSubtract(1, .acquireRelease)
        } else {
            QueuePosting.post(errand, to: .main) { self.length.fetchSubtract(1, .acquireRelease) }
        }
    }

    @usableFromInline
    var context: SerialContext? { .of(.main) }
}
