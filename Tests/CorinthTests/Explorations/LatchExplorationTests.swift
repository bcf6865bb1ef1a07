#if Exploration
    @testable import Corinth
    import Testing

    /// Every interleaving of a thread that opens a latch and threads that wait for it.
    @Suite("Latch, all interleavings", .serialized)
    struct LatchExplorationTests {
        @Test func `A thread that has waited sees what was done before the latch was opened`() {
            expectSound(Bounds(preemptions: nil)) { Self.arrange(["B"], $0) }
            expectSound(Bounds(preemptions: nil)) { Self.arrange(["B", "C"], $0) }
        }

        @Test(arguments: [
            Mutation(site: "open()", operation: .update, effect: .relaxed),
            Mutation(site: "blockingWaitUntilOpen()", operation: .load, effect: .relaxed),
        ])
        func `Seeded bug: with a weaker ordering, a thread that has waited reads what isn't written yet`(
            mutation: Mutation
        ) {
            expectCaught(mutation, as: .race) { Self.arrange(["B"], $0) }
        }

        private static func arrange(_ waiting: [String], _ scenario: Scenario) {
            let latch = Latch()
            let contents = Tally()
            scenario.watch(latch)
            scenario.thread("A") {
                PlainAccess.write(contents)
                latch.open()
            }
            for name in waiting {
                scenario.thread(name) {
                    latch.blockingWaitUntilOpen()
                    PlainAccess.read(contents)
                }
            }
        }
    }
#endif
