internal import Dispatch

/// A Dispatch thread for work that must not stay on its original thread.
@usableFromInline
enum Worker {
    /// - Parameter isWatched: Whether another thread does the work if no Dispatch thread does. Then it isn't submitted while
    ///   Dispatch has much work already: it has 255 threads for all queues of the process, and work may take any time.
    @usableFromInline
    static func submit(_ work: @escaping @Sendable () -> Void, isWatched: Bool = false) {
        #if Exploration
            if Explorer.submit(work) { return }
        #endif
        // A queue for this work alone. The global queues have one thread for each processor, and all of them may be waiting
        // for this work. For a queue with no other work, Dispatch always provides another thread.
        for queue in WorkerQueue.reused where queue.trySubmit(work) { return }
        let isAdmitted = WorkerQueue.begin()
        if isWatched, !isAdmitted { return WorkerQueue.end() }
        DispatchQueue(label: "corinth.worker").async {
            work()
            WorkerQueue.end()
        }
    }
}

/// A queue that is used again after its work has ended. It is used for one piece of work at a time, which may take any time.
private final class WorkerQueue: @unchecked Sendable {  // Atomic and immutable.
    /// Raised while there is work.
    private var busyStorage = FlagState.lowered.bits
    private let queue = DispatchQueue(label: "corinth.worker")

    /// More are made when all of these are busy, and are used once.
    static let reused = (0..<8).map { _ in WorkerQueue() }

    /// How many queues that are used once may have work. Beyond that, watched work isn't submitted.
    private static let limit: UInt64 = 56

    /// How many queues that are used once have work.
    private static let others = AtomicWord.allocated()

    /// Counts a queue that is used once.
    ///
    /// - Returns: Whether it is within the limit.
    // relaxed: a count.
    static func begin() -> Bool { others.fetchAdd(1, .relaxed) < limit }

    static func end() { others.fetchSubtract(1, .relaxed) }

    private init() { assert(busy.isStored(in: &busyStorage)) }

    private var busy: AtomicFlag { AtomicFlag(of: self) }

    /// Returns false if the queue has work.
    func trySubmit(_ work: @escaping @Sendable () -> Void) -> Bool {
        // relaxed: the queue orders pieces of work.
        guard !busy.isRaised(.relaxed), busy.tryRaise(.relaxed) else { return false }
        queue.async {
            work()
            self.busy.store(.lowered, .relaxed)
        }
        return true
    }
}
