public import Dispatch

/// Runs its actions on a serial dispatch queue.
///
/// ```swift
/// let background = QueueScheduler(qos: .userInitiated, name: "parser")
/// lines.observe(on: background).observeValues { parse($0) }
/// ```
///
/// ## Concurrency
/// Any thread may schedule. Actions run on the queue, one at a time, in order; an action that is disposed of before it has
/// begun doesn't run.
public final class QueueScheduler: Scheduler {
    /// The main queue's.
    public static let main = QueueScheduler(internalQueue: .main)

    /// The queue.
    public let queue: DispatchQueue

    /// Set at the queue.
    let mark: QueueMark

    @usableFromInline let serialContext: SerialContext

    private init(internalQueue: DispatchQueue, targeting target: DispatchQueue? = nil) {
        queue = internalQueue
        mark = QueueMark(internalQueue)
        serialContext = .of(internalQueue, targeting: target)
    }

    /// Makes a scheduler on a serial queue of its own.
    ///
    /// - Parameters:
    ///   - qos: The quality of service.
    ///   - name: The label of the queue, as debuggers and `perf` show it.
    ///   - targeting: The queue on which it runs, nil for the global one.
    public convenience init(
        qos: DispatchQoS = .unspecified, name: String = "corinth.QueueScheduler",
        targeting: DispatchQueue? = nil
    ) {
        self.init(internalQueue: DispatchQueue(label: name, qos: qos, target: targeting), targeting: targeting)
    }

    /// Makes a scheduler on top of a queue that you have, serial or concurrent. Its own actions are serial all the same.
    ///
    /// - Parameters:
    ///   - queue: The queue on which it runs.
    ///   - name: The label of the serial queue that is put on top.
    public convenience init(queue: DispatchQueue, name: String = "corinth.QueueScheduler") {
        self.init(internalQueue: DispatchQueue(label: name, target: queue), targeting: queue)
    }

    /// Queues `action`.
    @discardableResult
    @preconcurrency
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        // Handed over: the caller can't touch what it captures any more. Disposing lets go of it at once.
        let scheduled = ScheduledAction(action)
        queue.async { scheduled.runOnce() }
        return scheduled
    }
}

extension QueueScheduler: ErrandScheduler {
    @usableFromInline
    func post(_ errand: Errand) { QueuePosting.post(errand, to: queue) }

    @usableFromInline
    var context: SerialContext? { serialContext }
}
