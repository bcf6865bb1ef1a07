#if Exploration
    @testable import Corinth

    /// An atomic word that belongs to a scenario.
    final class SharedWord: @unchecked Sendable {  // All access is atomic.
        let word: AtomicWord

        init(_ value: UInt64 = 0) {
            word = AtomicWord(value)
        }

        /// Whether the word was raised. A caller that reads true also sees everything before that.
        var isRaised: Bool { word.load(.acquire) != 0 }

        /// Raises the word, for ``isRaised`` and ``blockingWaitUntilRaised()``.
        func raise() {
            word.store(1, .release)
            word.wake()
        }

        func blockingWaitUntilRaised() {
            while word.load(.acquire) == 0 { word.blockingWait(while: 0) }
        }

        /// Does nothing, but another thread can run at this point.
        func pass() {
            _ = word.load(.relaxed)
        }
    }
#endif
