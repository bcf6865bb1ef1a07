#if !NaiveLocks
    extension Worker {
        /// Submits work that no other thread would do. If no Dispatch thread has begun it after a while, ``ProgressThread``
        /// does it.
        @usableFromInline
        static func submitSurely(_ work: @escaping @Sendable () -> Void) {
            let once = OneShotAction(work)
            submit({ once.runOnce() }, isWatched: true)
            ProgressThread.watch(once)
        }
    }
#endif
