#if !NaiveLocks
    /// Whether a strand has an owner without a thread, and who may adopt it.
    ///
    ///     | 3       | 2    | 1       | 0        |
    ///     | watched | seen | offered | orphaned |
    ///
    /// Invariants: offered and seen imply orphaned.
    struct OrphanWord: Equatable, Sendable {
        let bits: UInt64

        /// It waits for a worker, or for a thread that would otherwise sleep for a place in it.
        static var handedOver: OrphanWord { OrphanWord(bits: 1) }

        /// It waits for whoever comes next.
        static var offered: OrphanWord { OrphanWord(bits: 3) }

        /// ``ProgressThread`` looks after it.
        static var watched: UInt64 { 8 }

        init(bits: UInt64) {
            self.bits = bits
        }

        var isOrphaned: Bool { bits & 1 != 0 }
        var isOffered: Bool { bits & 2 != 0 }

        /// Whether it was an orphan already when ``ProgressThread`` last looked.
        var isSeen: Bool { bits & 4 != 0 }
        var isWatched: Bool { bits & 8 != 0 }

        /// It has a thread.
        var adopted: OrphanWord { OrphanWord(bits: bits & OrphanWord.watched) }

        /// ``ProgressThread`` has looked: at an orphan it looks once more, at anything else no more.
        var looked: OrphanWord { isOrphaned ? OrphanWord(bits: bits | 4) : OrphanWord(bits: 0) }
    }
#endif
