#if !NaiveLocks
    /// Whether a ``DroppingMailbox`` has elements to drain, and whether a drain exists.
    ///
    ///     idle ── post ──▶ renewed ── look ──▶ scheduled ── finish ──▶ idle
    ///                         ▲──── post ─────────┘
    ///
    /// Invariant: unless the mailbox is idle, a drain is scheduled, running or stopped.
    @frozen
    @usableFromInline
    struct DrainStage: WordState, Equatable, Sendable {
        @usableFromInline let bits: UInt64

        /// Nothing is posted, and there is no drain.
        @inlinable @inline(__always)
        static var idle: DrainStage { DrainStage(bits: 0) }

        /// There is a drain, and nothing was posted since it last looked.
        @inlinable @inline(__always)
        static var scheduled: DrainStage { DrainStage(bits: 1) }

        /// There is a drain, and something was posted since it last looked.
        @inlinable @inline(__always)
        static var renewed: DrainStage { DrainStage(bits: 2) }

        @inlinable @inline(__always)
        init(bits: UInt64) {
            self.bits = bits
        }

        /// The stage after a drain has delivered all elements that it saw; nil if it has to look again.
        @inlinable @inline(__always)
        func finishing() -> DrainStage? { self == .scheduled ? .idle : nil }
    }
#endif
