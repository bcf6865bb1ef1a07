internal import Dispatch

/// A thread of the default pool, for work that must not stay on the thread where it came up.
@usableFromInline
enum Worker {
    @usableFromInline
    static func submit(_ work: @escaping @Sendable () -> Void) {
        #if Exploration
            if Explorer.submit(work) { return }
        #endif
        DispatchQueue.global().async(execute: work)
    }
}
