internal import Dispatch

/// A thread of Dispatch's, for work that must not stay on the thread where it came up.
@usableFromInline
enum Worker {
    @usableFromInline
    static func submit(_ work: @escaping @Sendable () -> Void) {
        #if Exploration
            if Explorer.submit(work) { return }
        #endif
        // A queue for this work alone. The global queues have as many threads as there are processors, all of which may be
        // waiting for what this work is about; behind a queue that somebody made, Dispatch always finds another one.
        DispatchQueue(label: "corinth.worker").async(execute: work)
    }
}
