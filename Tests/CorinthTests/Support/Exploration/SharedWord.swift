#if Exploration
    @testable import Corinth

    /// An atomic word of a scenario's own.
    final class SharedWord: @unchecked Sendable {  // Touched through the atomics only.
        // The only stored property: `word` is its address.
        private var storage: UInt64

        init(_ value: UInt64 = 0) {
            storage = value
        }

        var word: AtomicWord { AtomicWord(of: self) }

        /// Whether this has been raised; what was done before that is seen.
        var isRaised: Bool { word.load(.acquire) != 0 }

        /// Raises it, for ``isRaised`` and ``blockingWaitUntilRaised()``.
        func raise() {
            word.store(1, .release)
            word.wake()
        }

        func blockingWaitUntilRaised() {
            while word.load(.acquire) == 0 { word.blockingWait(while: 0) }
        }

        /// A point where another thread may come in between, and nothing else.
        func pass() {
            _ = word.load(.relaxed)
        }
    }
#endif
