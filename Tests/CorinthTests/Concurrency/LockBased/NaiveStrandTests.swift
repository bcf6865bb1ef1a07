#if NaiveLocks
    @testable import Corinth
    import Testing

    /// What the naive build's strand promises beside the laws.
    @Suite("Naive strand")
    struct NaiveStrandTests {
        /// One thread enters and leaves, another one leaves work to it. Whoever comes first, the work has been done when both
        /// are through.
        @Test func nothingThatIsPostedIsForgotten() {
            let strand = Strand()
            let (done, missed) = (Counter(), Counter())
            let barrier = Barrier(2)
            Crew.run(2) { thread in
                for round in 1...50_000 {
                    barrier.arrive()
                    if thread == 0 {
                        if strand.tryEnter() { strand.leave() }
                    } else {
                        strand.enqueueAtOnce(WorkNode { done.increment() })
                    }
                    barrier.arrive()
                    if thread == 0, done.value != round { missed.increment() }
                }
            }
            #expect(missed.value == 0)
            #expect(done.value == 50_000)
        }

        /// The two mutexes and the words beside them don't touch each other.
        @Test func deliveryAndStateAreApart() {
            let strand = Strand()
            #expect(strand.tryEnter())
            #expect(strand.beginEdit())
            #expect(strand.isHeldHere)
            #expect(!strand.tryEnter())
            strand.endEdit()
            strand.leave()
            #expect(!strand.isHeldHere)
            #expect(strand.tryEnterAtOnce())
            strand.leave()
        }
    }
#endif
