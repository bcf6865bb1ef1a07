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
        func wait(isolation actor: isolated (any Actor)?, joining attempt: () -> SendAttempt) async -> Outcome {
            _ = attempt()
            return .sent
        }
    }

    /// A task that waits because its event has exceeded a bound. Whoever delivers waits in place, so there is none.
    @usableFromInline
    final class StoppingTask: Sendable {
        private init() {}

        @usableFromInline
        func wait(isolation actor: isolated (any Actor)?) async {}
    }
#endif
