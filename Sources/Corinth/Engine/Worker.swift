internal import Dispatch

/// A Dispatch thread for work that must not stay on its original thread.
@usableFromInline
enum Worker {
    @usableFromInline
    static func submit(_ work: @escaping @Sendable () -> Void) {
        #if Exploration
            if Explorer.submit(work) { return }
        #endif
        // A queue for this work alone. The global queues have one thread for each processor, and all of them may be waiting
        // for this work. For a new queue, Dispatch always provides another thread.
        DispatchQueue(label: "corinth.worker").async(execute: work)
    }
}
