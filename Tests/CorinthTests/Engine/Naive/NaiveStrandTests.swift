#if NaiveLocks
    @testable import Corinth
    import Testing

    /// What the naive build's strand guarantees besides the laws.
    @Suite("Naive strand")
    struct NaiveStrandTests {
        /// One thread enters and leaves, and another queues work for it. In either order, the work has run when both threads
        /// have returned.
        @Test func everyPostedItemRuns() {
            let strand = Strand()
            let (done, missed) = (Counter(), Counter())
            let barrier = Barrier(2)
            ThreadGroup.run(2) { thread in
                for round in 1...50_000 {
                    barrier.arrive()
                    if thread == 0 {
                        strand.enter {}
                    } else {
                        strand.enqueue(WorkNode { done.increment() }, .atOnce)
                    }
                    barrier.arrive()
                    if thread == 0, done.value != round { missed.increment() }
                }
            }
            #expect(missed.value == 0)
            #expect(done.value == 50_000)
        }

        /// The two mutexes and the words next to them don't overlap in memory.
        @Test func deliveryAndStateAreApart() {
            let strand = Strand()
            let isEntered = strand.enter {
                let edit = strand.beginEdit()
                #expect(strand.isHeldHere)
                #expect(!strand.enter {})
                if let edit { strand.endEdit(edit) } else { Issue.record("an edit has begun") }
            }
            #expect(isEntered)
            #expect(!strand.isHeldHere)
            if let owned = strand.enterAtOnce() { strand.leave(owned) } else { Issue.record("the strand isn't idle") }
        }
    }
#endif
