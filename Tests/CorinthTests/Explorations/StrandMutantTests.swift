#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Seeded bugs in the strand. The explorations must find each of them, otherwise the explorations prove nothing.
    @Suite("Strand, seeded bugs", .serialized)
    struct StrandMutantTests {
        @Test func `If the owner leaves with a plain store, queued events are lost`() {
            let mutation = Mutation(site: "tryRelease(_:as:bias:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken) { senders(["A": 1, "B": 1], $0) }
        }

        @Test func `If the owner leaves with a plain store after draining, queued events are lost`() {
            let mutation = Mutation(site: "tryRelease(_:as:bias:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken) { senders(["A": 1, "B": 2], $0) }
        }

        @Test func `If the owner leaves without a release, the next owner doesn't see its changes`() {
            let mutation = Mutation(site: "tryRelease(_:as:bias:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race) { senders(["A": 1, "B": 1], $0) }
        }

        @Test func `If the owner leaves without a release after draining, the next owner doesn't see its changes`() {
            let mutation = Mutation(site: "tryRelease(_:as:bias:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 3)) { senders(["A": 1, "B": 2], $0) }
        }

        @Test func `If a thread enters without an acquire, it doesn't see the last owner's changes`() {
            let mutation = Mutation(site: "tryEnterWithoutBias()", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race) { senders(["A": 1, "B": 1], $0) }
        }

        @Test func `If a thread enters with a plain store, there are two owners`() {
            let mutation = Mutation(site: "tryEnterWithoutBias()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race) { senders(["A": 1, "B": 1], $0) }
        }

        @Test func `If a node is pushed without a release, the owner runs it before it is written`() {
            let mutation = Mutation(site: "push(_:by:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race) { senders(["A": 1, "B": 1], $0) }
        }

        @Test func `If a node is pushed with a plain store, other nodes are lost, or there are two owners`() {
            let mutation = Mutation(site: "push(_:by:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken) { senders(["A": 1, "B": 1, "C": 1], $0) }
        }

        @Test func `If the nodes are taken without an acquire, the owner runs a node before it is written`() {
            let mutation = Mutation(site: "takeAll(into:)", operation: .update, effect: .relaxed)
            expectCaught(mutation, as: .race) { senders(["A": 1, "B": 1], $0) }
        }

        @Test func `Without a wake-up, a sender that waits for a permit sleeps forever`() {
            let mutation = Mutation(site: "serve()", operation: .wake, effect: .skipped)
            expectCaught(mutation, as: .deadlock, Bounds(preemptions: 2, spinning: 0)) {
                senders(["A": 1, "B": 3], capacity: 1, $0)
            }
        }

        @Test func `If the strand is handed over without a release, the adopter doesn't see the owner's changes`() {
            let mutation = Mutation(site: "abandon(_:as:)", operation: .update, effect: .relaxed)
            // Dispatch orders the hand-over to a worker, so only another sender depends on this word alone.
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, oldReads: 0, helping: 1, spinning: 0)) {
                senders(["A": 1, "B": 3], capacity: 1, $0)
            }
        }

        @Test func `If the strand is adopted with a plain store, there are two owners`() {
            let mutation = Mutation(site: "tryAdopt()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, oldReads: 0, helping: 1, spinning: 0)) {
                senders(["A": 1, "B": 3], capacity: 1, $0)
            }
        }

        @Test func `If an edit ends with a plain store, queued events are lost`() {
            let mutation = Mutation(site: "tryRelease(_:as:bias:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, oldReads: 0, spinning: 0)) {
                editBesideSender($0)
            }
        }

        @Test func `If an edit ends without a release, the next owner doesn't see its changes`() {
            let mutation = Mutation(site: "tryRelease(_:as:bias:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, spinning: 0)) { editBesideSender($0) }
        }

        @Test func `If an edit begins without an acquire, it doesn't see the last owner's changes`() {
            let mutation = Mutation(site: "beginEditWithoutBias()", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, spinning: 0)) { editBesideSender($0) }
        }
    }
#endif
