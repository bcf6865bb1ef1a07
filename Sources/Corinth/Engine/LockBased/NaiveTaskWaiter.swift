#if NaiveLocks
    /// A task that sends. The nodes posted to the thread that holds a strand are unbounded, so the task never waits.
    @usableFromInline
    final class TaskWaiter {
        @usableFromInline
        enum Outcome: Sendable { case sent, granted, cancelled }

        /// There are no permits.
        @usableFromInline var hasPermit: Bool { false }

        @usableFromInline
        init() {}

        @usableFromInline
        func wait(isolation actor: isolated (any Actor)?, joining attempt: () -> Bool) async -> Outcome {
            attempt() ? .sent : .granted
        }
    }
#endif
