#if !NaiveLocks
    /// Whether a ``Mailbox`` has a drain, and how a post makes sure that the drain sees its element.
    ///
    ///     idle ── post ──▶ draining ── many posts ──▶ streaming
    ///       ▲──── rest ───────┘                           │
    ///       ▲──── rest, with a heavy barrier ─────────────┘
    ///
    /// - draining: each post exchanges the stage. The exchanges of both sides are in one order, so one side sees the other.
    /// - streaming: a post only reads the stage, after a light barrier. So a drain that comes to rest executes a heavy barrier.
    ///
    /// Only the posting side makes the first two transitions. Invariant: unless the mailbox is idle, a drain is scheduled,
    /// running or stopped. The posting side streams only while the stage is streaming or idle.
    @frozen
    @usableFromInline
    struct MailboxStage: WordState, Equatable, Sendable {
        @usableFromInline let bits: UInt64

        /// There is no drain, and nothing is posted.
        @inlinable @inline(__always)
        static var idle: MailboxStage { MailboxStage(bits: 0) }

        /// There is a drain, and posts exchange the stage.
        @inlinable @inline(__always)
        static var draining: MailboxStage { MailboxStage(bits: 1) }

        /// There is a drain, and posts only read the stage.
        @inlinable @inline(__always)
        static var streaming: MailboxStage { MailboxStage(bits: 2) }

        @inlinable @inline(__always)
        init(bits: UInt64) {
            self.bits = bits
        }
    }
#endif
