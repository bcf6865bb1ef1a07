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

    /// The same for what nothing else would do: if no thread of Dispatch's has come for it after a while, ``ProgressThread``
    /// does it.
    @usableFromInline
    static func submitSurely(_ work: @escaping @Sendable () -> Void) {
        #if NaiveLocks
            submit(work)
        #else
            let once = OneShot(work)
            submit { once.run() }
            ProgressThread.watch(once)
        #endif
    }
}

#if !NaiveLocks
    /// Work for the first who comes.
    final class OneShot: @unchecked Sendable {  // The flag settles who may touch the work.
        private var flagStorage: UInt64 = 0

        /// Owned by whoever raises the flag.
        private var work: (@Sendable () -> Void)?

        init(_ work: @escaping @Sendable () -> Void) {
            self.work = work
        }

        /// Whether somebody has come.
        var hasRun: Bool { DisposalFlag(of: self).isRaised }

        func run() {
            if DisposalFlag(of: self).raise() { work.take()?() }
        }
    }
#endif
