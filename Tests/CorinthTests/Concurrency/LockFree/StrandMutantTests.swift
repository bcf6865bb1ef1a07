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
            let mutation = Mutation(site: "drain(forOthers:alone:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken) { senders(["A": 1, "B": 2], $0) }
        }

        @Test("Leaving without a release hides what the owner did from the next one")
        func leaveRelaxed() {
            let mutation = Mutation(site: "leave()", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race) { senders(["A": 1, "B": 1], $0) }
        }

        @Test("Leaving without a release after draining hides what the owner did from the next one")
        func drainRelaxed() {
            let mutation = Mutation(site: "drain(forOthers:alone:)", operation: .compareExchange, effect: .relaxed)
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

        @Test("Without a wake-up, a sender that waits for a place sleeps for ever")
        func noWake() {
            let mutation = Mutation(site: "serve()", operation: .wake, effect: .skipped)
            expectCaught(mutation, as: .deadlock, Bounds(preemptions: 2, spinning: 0)) {
                senders(["A": 1, "B": 3], capacity: 1, $0)
            }
        }

        @Test("Handing over without a release hides what the owner did from who adopts the strand")
        func submitRelaxed() {
            let mutation = Mutation(site: "submit(_:)", operation: .update, effect: .relaxed)
            // What a worker is given is given by Dispatch in order; it is another sender that has only this word.
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, oldReads: 0, helping: 1, spinning: 0)) {
                senders(["A": 1, "B": 3], capacity: 1, $0)
            }
        }

        @Test("Adopting by a plain store makes two owners")
        func adoptByStore() {
            let mutation = Mutation(site: "tryAdopt()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, oldReads: 0, helping: 1, spinning: 0)) {
                senders(["A": 1, "B": 3], capacity: 1, $0)
            }
        }

        @Test("Ending an edit by a plain store loses what was queued")
        func endEditByStore() {
            let mutation = Mutation(site: "endEdit()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, oldReads: 0, spinning: 0)) {
                editBesideSender($0)
            }
        }

        @Test("Ending an edit without a release hides it from the next owner")
        func endEditRelaxed() {
            let mutation = Mutation(site: "endEdit()", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, spinning: 0)) { editBesideSender($0) }
        }

        @Test("Beginning an edit without an acquire doesn't see what the last owner did")
        func beginEditRelaxed() {
            let mutation = Mutation(site: "beginEdit()", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, spinning: 0)) { editBesideSender($0) }
        }
    }
#endif
