public import Dispatch

/// A scheduler that runs its actions on a serial dispatch queue.
///
/// ```swift
/// let background = QueueScheduler(qos: .userInitiated, name: "parser")
/// lines.observe(on: background).observeValues { parse($0) }
/// ```
///
/// ## Concurrency
/// Any thread may schedule. Actions run on the queue, one at a time, in FIFO order. An action that is disposed of before it
/// has begun doesn't run.
public final class QueueScheduler: Scheduler {
    /// The scheduler of the main queue.
    public static let main = QueueScheduler(internalQueue: .main)

    /// The queue.
    public let queue: DispatchQueue

    /// Set on the queue.
    let mark: QueueMark

    @usableFromInline let serialContext: SerialContext

    private init(internalQueue: DispatchQueue, targeting target: DispatchQueue? = nil) {
        queue = internalQueue
        mark = QueueMark(internalQueue)
        serialContext = .of(internalQueue, targeting: target)
    }

    /// Creates a scheduler on its own serial queue.
    ///
    /// - Parameters:
    ///   - qos: The quality of service.
    ///   - name: The label of the queue, as debuggers and `perf` show it.
    ///   - targeting: The target queue, nil for the global one.
    public convenience init(
        qos: DispatchQoS = .unspecified, name: String = "corinth.QueueScheduler",
        targeting: DispatchQueue? = nil
    ) {
        self.init(internalQueue: DispatchQueue(label: name, qos: qos, target: targeting), targeting: targeting)
    }

    /// Creates a scheduler on top of an existing serial or concurrent queue. Its own actions are serial in both cases.
    ///
    /// - Parameters:
    ///   - queue: The target queue.
    ///   - name: The label of the serial queue on top of it.
    public convenience init(queue: DispatchQueue, name: String = "corinth.QueueScheduler") {
        self.init(internalQueue: DispatchQueue(label: name, target: queue), targeting: queue)
    }

    /// Queues `action`.
    @discardableResult
    @preconcurrency
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        // Handed over: the caller can't access its captures any more. Disposing releases it at once.
        let scheduled = ScheduledAction(action)
        queue.async { scheduled.runOnce() }
        return scheduled
    }
}

extension QueueScheduler: WorkItemScheduler {
    @usableFromInline
    func post(_ workItem: WorkItem) { DispatchSourcePoster.post(workItem, to: queue) }

    @usableFromInline
    var context: SerialContext? { serialContext }
}
