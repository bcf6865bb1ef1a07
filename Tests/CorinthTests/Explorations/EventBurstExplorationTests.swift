#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Events of one thread that are queued in one node, beside what other threads do with the strand.
    @Suite("Strand, bursts, all interleavings", .serialized)
    struct EventBurstExplorationTests {
        @Test
        func `E1, E2, E4: a thread adds events to its burst while another one owns the strand, or begins to run it`() {
            for size in [1, 2] {
                expectBursts(Bounds(preemptions: 2, spinning: 0, bursting: size)) { bursts(["A": 1, "B": 5], $0, $1) }
            }
            expectBursts(Bounds(preemptions: 3, oldReads: 0, spinning: 0, bursting: 1)) {
                bursts(["A": 1, "B": 4], $0, $1)
            }
        }

        @Test func `E4: two threads with bursts of their own`() {
            expectBursts(Bounds(preemptions: 2, oldReads: 0, spinning: 0, bursting: 1)) {
                bursts(["A": 1, "B": 3, "C": 3], $0, $1)
            }
        }

        @Test func `E4: an event that a thread sends after it has heard of another one doesn't overtake that`() {
            expectBursts(Bounds(preemptions: 3, oldReads: 0, spinning: 0, bursting: 2), turns)
            expectBursts(Bounds(preemptions: 2, oldReads: 1, spinning: 0, bursting: 2), turns)
        }

        @Test func `Seeded bug: if a thread adds to a burst that isn't the newest node, an event overtakes another`() {
            let bounds = Bounds(preemptions: 3, oldReads: 0, spinning: 0, bursting: 2, overtakes: true)
            let outcome = explore(bounds) { turns($0, Bursts()) }
            #expect(outcome.failure?.kind == .broken)
        }

        @Test func `A strand is handed over in the middle of a burst`() {
            expectBursts(
                Bounds(preemptions: 2, oldReads: 0, helping: 1, spinning: 0, bursting: 2), reaching: [.worker]
            ) { bursts(["A": 1, "B": 5], $0, $1) }
        }

        @Test func `X2: bursts take the permits that are free, and give all of them back`() {
            expectBursts(
                Bounds(preemptions: 2, oldReads: 0, helping: 1, spinning: 0, bursting: 1), reaching: [.worker, .sleep]
            ) { bursts(["A": 1, "B": 7], capacity: 6, $0, $1) }
        }

        @Test(arguments: Deed.allCases)
        func `A burst beside other work, whichever comes first`(_ deed: Deed) {
            for isBiased in [false, true] {
                let bounds = Bounds(
                    preemptions: 2, oldReads: 0, delayedStores: 0, helping: 2, spinning: 0, isBiased: isBiased,
                    bursting: 1)
                expectBursts(bounds, title: "bursts(\(deed), \(isBiased ? "biased" : "unbiased"))") {
                    bursts(["A": 1, "B": 4], beside: deed, $0, $1)
                }
            }
        }

        @Test func `X1: a signal handler sends while its thread adds to a burst`() {
            let bounds = Bounds(preemptions: 2, oldReads: 0, delayedStores: 0, spinning: 0, bursting: 2)
            expectBursts(bounds) { scenario, seen in
                var sent = ["A": 1, "B": 4]
                let strand = Strand()
                let deliveries = Deliveries(scenario)
                scenario.watch(strand)
                for name in ["A", "B"] {
                    let count = sent[name] ?? 0
                    scenario.thread(name) { send(count, as: name, on: strand, to: deliveries, seen) }
                }
                scenario.interrupt("B") {
                    sent["handler"] = 2
                    send(2, as: "handler", on: strand, to: deliveries, seen)
                }
                scenario.finally { expectEnd(of: strand, sent, deliveries, scenario) }
            }
        }

        @Test(arguments: [
            Mutation(site: "publish(_:)", operation: .compareExchange, effect: .relaxed),
            Mutation(site: "close()", operation: .compareExchange, effect: .relaxed),
        ])
        func `Seeded bug: without a release or an acquire, the owner runs an event before it is written`(
            _ mutation: Mutation
        ) {
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, oldReads: 0, spinning: 0, bursting: 2)) {
                bursts(["A": 1, "B": 3], $0, Bursts())
            }
        }

        @Test func `Seeded bug: if a burst is added to with a plain store, events are lost`() {
            let mutation = Mutation(site: "publish(_:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, oldReads: 0, spinning: 0, bursting: 2)) {
                bursts(["A": 1, "B": 3], $0, Bursts())
            }
        }

        // MARK: Scenarios

        /// Whether an event was added to a burst in any execution.
        private final class Bursts: @unchecked Sendable {  // The threads run one at a time.
            var isAdded = false

            func look() {
                guard let burst = unsafe ThreadState.current.burst else { return }
                // No step of the schedule.
                let bits = unsafe burst.takeUnretainedValue().word.word.address.pointee
                if BurstWord(bits: bits).count > 1 { isAdded = true }
            }
        }

        private func expectBursts(
            _ bounds: Bounds, reaching milestones: Set<Milestone> = [], title: String = #function,
            at place: SourceLocation = #_sourceLocation, _ arrange: @escaping (Scenario, Bursts) -> Void
        ) {
            let seen = Bursts()
            expectSound(bounds, reaching: milestones, title: title, at: place) { arrange($0, seen) }
            #expect(seen.isAdded, "no event was added to a burst", sourceLocation: place)
        }

        private func bursts(
            _ counts: [String: Int], capacity: Int = 1024, beside deed: Deed? = nil, _ scenario: Scenario,
            _ seen: Bursts
        ) {
            let strand = Strand(capacity: capacity)
            let deliveries = Deliveries(scenario)
            scenario.watch(strand)
            var expected = counts
            for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
                scenario.thread(name) { send(count, as: name, on: strand, to: deliveries, seen) }
            }
            if let deed {
                scenario.thread("other") { deed.carryOut(on: strand, deliveries, as: "other") }
                expected["other"] = deed.events
            }
            scenario.finally { expectEnd(of: strand, expected, deliveries, scenario) }
        }

        /// B sends events, and then says so. A hears that, sends, and says so. When B hears that, its next event comes behind A's.
        private func turns(_ scenario: Scenario, _ seen: Bursts) {
            let strand = Strand()
            let deliveries = Deliveries(scenario)
            let (ofA, ofB) = (SharedWord(), SharedWord())
            scenario.watch(strand)
            scenario.thread("owner") { send(1, as: "owner", on: strand, to: deliveries, seen) }
            var isHeard = false
            scenario.thread("B") {
                send(3, as: "B", on: strand, to: deliveries, seen)
                ofB.raise()
                isHeard = ofA.isRaised
                send(1, as: "B", from: 4, on: strand, to: deliveries, seen)
            }
            var isSent = false
            scenario.thread("A") {
                isSent = ofB.isRaised
                if !isSent { return }
                send(1, as: "A", on: strand, to: deliveries, seen)
                ofA.raise()
            }
            scenario.finally {
                expectEnd(of: strand, ["owner": 1, "B": 4, "A": isSent ? 1 : 0], deliveries, scenario)
                if !isHeard { return }
                let order = deliveries.events.filter { $0.sender != "owner" }.map(\.sender)
                scenario.expect(
                    order == ["B", "B", "B", "A", "B"], "B has heard of A's event and overtakes it: \(order)")
            }
        }

        private func send(
            _ count: Int, as name: String, from first: Int = 1, on strand: Strand, to deliveries: Deliveries,
            _ seen: Bursts
        ) {
            for number in first..<first + count {
                let event = Sent(sender: name, number: number)
                if let owned = strand.enter() {
                    deliveries.deliver(event)
                    strand.leave(owned)
                } else {
                    strand.queue(event, for: deliveries, isKeptByList: true)
                    seen.look()
                }
            }
        }

        private func expectEnd(
            of strand: Strand, _ counts: [String: Int], _ deliveries: Deliveries, _ scenario: Scenario
        ) {
            deliveries.expectAll(counts)
            let taken = unsafe strand.state.used.address.pointee
            scenario.expect(taken == 0, "\(taken) permits are still taken")
        }
    }

    extension Deliveries: EventTarget {
        func deliverQueued(_ event: Sent) { deliver(event) }
    }
#endif
