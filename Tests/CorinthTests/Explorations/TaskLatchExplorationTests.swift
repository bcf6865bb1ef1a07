#if Exploration
    @testable import Corinth
    import Testing

    /// Every interleaving of a task that waits for a latch and a thread that opens it.
    @Suite("Task latch, all interleavings", .serialized)
    struct TaskLatchExplorationTests {
        /// What the latch publishes.
        private final class Contents {}

        private static func arrange(_ scenario: Scenario) {
            let latch = TaskLatch()
            let (contents, continuation, resumed) = (Contents(), Contents(), SharedWord())
            scenario.keep(latch, contents, continuation)
            scenario.watch(latch)
            scenario.thread("S") {
                PlainAccess.write(contents)
                guard latch.markOpen() else { return }
                PlainAccess.read(continuation)
                resumed.raise()
            }
            // As `wait()` does.
            scenario.thread("T") {
                if !latch.isOpen {
                    PlainAccess.write(continuation)
                    if latch.beginWaiting() { resumed.blockingWaitUntilRaised() }
                }
                PlainAccess.read(contents)
            }
        }

        @Test func `A task that waits is resumed once, and sees what was written before`() {
            expectSound(Bounds(preemptions: nil, oldReads: 2), Self.arrange)
        }

        @Test func `Seeded bug: if opening doesn't publish, the task reads what isn't written yet`() {
            expectCaught(
                Mutation(site: "markOpen()", operation: .update, effect: .relaxed), as: .race, Bounds(), Self.arrange)
        }

        @Test func `Seeded bug: if a task doesn't publish its continuation, it can't be resumed`() {
            expectCaught(
                Mutation(site: "beginWaiting()", operation: .compareExchange, effect: .relaxed), as: .race, Bounds(),
                Self.arrange)
        }

        @Test func `Seeded bug: if a task waits by a plain store, it waits for a latch that is open`() {
            expectCaught(
                Mutation(site: "beginWaiting()", operation: .compareExchange, effect: .storeInstead), as: .deadlock,
                Bounds(),
                Self.arrange)
        }

        @Test func `Seeded bug: if a look at the latch doesn't acquire, the task reads what isn't written yet`() {
            expectCaught(
                Mutation(site: "isOpen", operation: .load, effect: .relaxed), as: .race, Bounds(), Self.arrange)
        }
    }
#endif
