#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Seeded bugs in the strand: each must be found, or the explorations prove nothing.
    @Suite("Strand, seeded bugs", .serialized)
    struct StrandMutantTests {
        @Test("Leaving by a plain store loses what was queued")
        func leaveByStore() {
            let mutation = Mutation(site: "leave()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken) { senders(["A": 1, "B": 1], $0) }
        }

        @Test("Leaving by a plain store after draining loses what was queued")
        func drainByStore() {
            let mutation = Mutation(site: "drain(canStop:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken) { senders(["A": 1, "B": 2], $0) }
        }

        @Test("Leaving without a release hides what the owner did from the next one")
        func leaveRelaxed() {
            let mutation = Mutation(site: "leave()", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race) { senders(["A": 1, "B": 1], $0) }
        }

        @Test("Leaving without a release after draining hides what the owner did from the next one")
        func drainRelaxed() {
            let mutation = Mutation(site: "drain(canStop:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 3)) { senders(["A": 1, "B": 2], $0) }
        }

        @Test("Entering without an acquire doesn't see what the last owner did")
        func enterRelaxed() {
            let mutation = Mutation(site: "tryEnter()", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race) { senders(["A": 1, "B": 1], $0) }
        }

        @Test("Entering by a plain store makes two owners")
        func enterByStore() {
            let mutation = Mutation(site: "tryEnter()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race) { senders(["A": 1, "B": 1], $0) }
        }

        @Test("Pushing without a release lets the owner run a node that isn't written yet")
        func pushRelaxed() {
            let mutation = Mutation(site: "place(_:by:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race) { senders(["A": 1, "B": 1], $0) }
        }

        @Test("Pushing by a plain store loses what others pushed, or makes two owners")
        func pushByStore() {
            let mutation = Mutation(site: "place(_:by:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken) { senders(["A": 1, "B": 1, "C": 1], $0) }
        }

        @Test("Taking the nodes without an acquire runs one that isn't written yet")
        func takeRelaxed() {
            let mutation = Mutation(site: "takeAll()", operation: .update, effect: .relaxed)
            expectCaught(mutation, as: .race) { senders(["A": 1, "B": 1], $0) }
        }

        @Test("Giving room back without looking at the sleepers in order leaves one asleep")
        func giveUpRoomNotSequential() {
            let mutation = Mutation(site: "giveUpRoom(_:)", operation: .load, effect: .notSequential)
            expectCaught(mutation, as: .deadlock, Bounds(preemptions: 2, spinning: 0)) {
                senders(["A": 1, "B": 3], capacity: 1, $0)
            }
        }

        @Test("Counting oneself as a sleeper out of order leaves one asleep")
        func waitForRoomNotSequential() {
            let mutation = Mutation(site: "waitForRoom(turn:)", operation: .update, effect: .notSequential)
            expectCaught(mutation, as: .deadlock, Bounds(preemptions: 2, spinning: 0)) {
                senders(["A": 1, "B": 3], capacity: 1, $0)
            }
        }

        @Test("Without a wake-up, a sender that waits for room sleeps for ever")
        func noWake() {
            let mutation = Mutation(site: "giveUpRoom(_:)", operation: .wake, effect: .skipped)
            expectCaught(mutation, as: .deadlock, Bounds(preemptions: 2, spinning: 0)) {
                senders(["A": 1, "B": 3], capacity: 1, $0)
            }
        }
    }
#endif
