#if !NaiveLocks
    /// Whether a strand has an owner without a thread, and who may adopt it.
    ///
    ///     | 3       | 2    | 1       | 0        |
    ///     | watched | seen | offered | orphaned |
    ///
    /// Invariants: offered and seen imply orphaned.
    struct OrphanWord: WordState, Equatable, Sendable {
        let bits: UInt64

        /// It has no owner, or one with a thread.
        static var none: OrphanWord { OrphanWord(bits: 0) }

        /// It waits for a worker, or for a thread that would otherwise sleep for a permit.
        static var handedOver: OrphanWord { OrphanWord(bits: 1) }

        /// The next thread that comes adopts it.
        static var offered: OrphanWord { OrphanWord(bits: 3) }

        init(bits: UInt64) {
            self.bits = bits
        }

        var isOrphaned: Bool { bits & 1 != 0 }
        var isOffered: Bool { bits & 2 != 0 }

        /// Whether it already was an orphan when ``ProgressThread`` last looked.
        var isSeen: Bool { bits & 4 != 0 }
        var isWatched: Bool { bits & 8 != 0 }

        /// ``ProgressThread`` watches it.
        var watched: OrphanWord { OrphanWord(bits: bits | 8) }

        /// It has a thread.
        var adopted: OrphanWord { OrphanWord(bits: bits & 8) }

        /// The word after ``ProgressThread`` has looked. It looks at an orphan again, and stops watching anything else.
        var looked: OrphanWord { isOrphaned ? OrphanWord(bits: bits | 4) : .none }
    }
#endif
