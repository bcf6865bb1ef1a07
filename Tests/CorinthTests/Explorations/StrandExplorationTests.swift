#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of a few threads on one strand, checked against the guarantees that a signal needs.
    @Suite("Strand, all interleavings", .serialized)
    struct StrandExplorationTests {
        @Test func `E2, E4: two senders with one event each, in every order`() {
            expectSound(Bounds(preemptions: nil)) { senders(["A": 1, "B": 1], $0) }
        }

        @Test func `E2, E4: two senders with two events each`() {
            expectSound(Bounds(preemptions: nil)) { senders(["A": 2, "B": 2], $0) }
        }

        @Test func `E2, E4: three senders`() {
            expectSound(Bounds(preemptions: 3)) { senders(["A": 1, "B": 1, "C": 1], $0) }
        }

        @Test
        func `E5: an event that is sent during a delivery follows it, behind the events that were queued earlier`() {
            expectSound(Bounds(preemptions: nil)) { reentrantSender($0) }
        }

        @Test func `An owner that has helped enough hands the strand over, and no event overtakes another`() {
            expectSound(Bounds(preemptions: 3, oldReads: 0, helping: 1), reaching: [.worker]) {
                senders(["A": 1, "B": 3], $0)
            }
        }

        @Test func `A worker that receives the strand frees capacity, and doesn't wait for any`() {
            expectSound(
                Bounds(preemptions: 2, oldReads: 0, helping: 1, spinning: 0),
                reaching: [.worker, .sleep]
            ) {
                senders(["A": 1, "B": 3], capacity: 1, $0)
            }
        }

        @Test func `X2b: without a thread to be had, one that sleeps for capacity continues the strand`() {
            expectSound(
                Bounds(preemptions: 2, oldReads: 0, helping: 1, spinning: 0, hasThreads: false), reaching: [.sleep]
            ) {
                senders(["A": 1, "B": 3], capacity: 1, $0)
            }
            expectSound(
                Bounds(preemptions: 1, oldReads: 0, helping: 1, spinning: 0, hasThreads: false), reaching: [.sleep]
            ) {
                senders(["A": 1, "B": 1, "C": 1, "D": 1], capacity: 1, $0)
            }
        }

        @Test
        func `Seeded bug: without a thread to be had, a strand stays without one if the sleeper doesn't hear of it`() {
            let mutation = Mutation(site: "nudge()", operation: .wake, effect: .skipped)
            let bounds = Bounds(preemptions: 1, oldReads: 0, helping: 1, spinning: 0, hasThreads: false)
            // B is queued, C is served, and D still sleeps when A hands over.
            expectCaught(mutation, as: .deadlock, bounds) {
                senders(["A": 1, "B": 1, "C": 1, "D": 1], capacity: 1, $0)
            }
        }

        @Test func `X2: a sender that waits for capacity is woken when there is some`() {
            expectSound(Bounds(preemptions: 2, spinning: 0), reaching: [.sleep, .oldValue]) {
                senders(["A": 2, "B": 2], capacity: 1, $0)
            }
        }

        @Test func `X2: three senders share a capacity of 1`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep]) {
                senders(["A": 1, "B": 1, "C": 1], capacity: 1, $0)
            }
        }

        @Test func `E5: the owner of one strand exceeds the bound of another, and waits after it has left all strands`()
        {
            expectSound(
                Bounds(preemptions: 3, oldReads: 0, spinning: 0), reaching: [.sleep], overfillingOwner)
        }

        @Test func `E5: two strands that send to each other from two threads don't deadlock`() {
            expectSound(Bounds(preemptions: nil, oldReads: 0, spinning: 0)) { mutualSenders($0) }
        }

        @Test func `An edit concurrent with a sender loses no event and delivers no other thread's events`() {
            expectSound(Bounds(preemptions: 3, spinning: 0)) { editBesideSender($0) }
        }

        @Test func `Events that an edit leaves queued are delivered once, by a worker or by the next sender`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.worker]) {
                editBesideSender($0, ["B": 2, "C": 1])
            }
        }

        @Test func `A thread that leaves at once delivers no other thread's events, and loses none`() {
            expectSound(Bounds(preemptions: 3, oldReads: 0, spinning: 0), reaching: [.worker]) {
                endBesideSender($0)
            }
        }

        @Test
        func `A thread that sends while it ends something adopts no strand, and delivers no other thread's events`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.worker]) {
                endBesideOffer($0)
            }
        }

        @Test func `The next owner sees what was sent before the strand was left`() {
            expectSound(Bounds(preemptions: nil)) { scenario in
                let strand = Strand()
                let deliveries = Deliveries(scenario)
                scenario.watch(strand)
                for name in ["A", "B"] {
                    scenario.thread(name) {
                        strand.enter { deliveries.deliver(Sent(sender: name, number: 1)) }
                    }
                }
                scenario.finally {
                    scenario.expect(!deliveries.events.isEmpty, "no thread entered the idle strand")
                }
            }
        }
    }

    /// Threads that send some events each.
    func senders(_ counts: [String: Int], capacity: Int = 1024, _ scenario: Scenario) {
        let strand = Strand(capacity: capacity)
        let deliveries = Deliveries(scenario)
        scenario.watch(strand)
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            scenario.thread(name) {
                for number in 1...count { strand.send(Sent(sender: name, number: number), to: deliveries) }
            }
        }
        scenario.finally { deliveries.expectAll(counts) }
    }

    /// A changes a value in an edit, twice. Other threads send some events each.
    func editBesideSender(_ scenario: Scenario, _ counts: [String: Int] = ["B": 2]) {
        let strand = Strand()
        let deliveries = Deliveries(scenario)
        scenario.watch(strand)
        scenario.thread("A") {
            for number in 1...2 {
                guard let edit = strand.beginEdit() else { continue }
                // This is plain memory, but no delivery: no sent event runs inside the edit.
                PlainAccess.write(deliveries)
                let before = deliveries.events.count
                strand.endEdit(edit)
                _ = (number, before)
            }
        }
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            scenario.thread(name) {
                for number in 1...count {
                    strand.send(Sent(sender: name, number: number), to: deliveries) { scenario.expectNotOn("A") }
                }
            }
        }
        scenario.finally { deliveries.expectAll(counts) }
    }

    extension Scenario {
        /// Expects that the delivering thread isn't this one.
        fileprivate func expectNotOn(_ name: String) {
            expect(ControlledThread.current?.name != name, "\(name) delivers an event that another thread sent")
        }
    }

    /// A sends some events, one whose delivery sends another one, and some more. B sends, too.
    func reentrantSender(_ scenario: Scenario, before: Int = 0, after: Int = 0) {
        let strand = Strand()
        let deliveries = Deliveries(scenario)
        scenario.watch(strand)
        scenario.thread("A") {
            for number in 1..<1 + before { strand.send(Sent(sender: "A", number: number), to: deliveries) }
            // The delivering thread sends the inner event. It may be B.
            strand.send(Sent(sender: "A", number: before + 1), to: deliveries) {
                strand.send(Sent(sender: "inner", number: 1), to: deliveries)
            }
            for number in 1..<1 + after { strand.send(Sent(sender: "A", number: before + 1 + number), to: deliveries) }
        }
        scenario.thread("B") { strand.send(Sent(sender: "B", number: 1), to: deliveries) }
        scenario.finally { deliveries.expectAll(["A": before + 1 + after, "inner": 1, "B": 1]) }
    }

    /// A ends something on the strand, which sends an event. B sends, too.
    func endBesideSender(_ scenario: Scenario) {
        let strand = Strand()
        let deliveries = Deliveries(scenario)
        scenario.watch(strand)
        scenario.thread("A") {
            strand.performAtOnce(on: strand, with: ()) { _, _ in
                deliveries.deliver(Sent(sender: "A", number: 1)) {
                    // Its own event is delivered first, unless an event of B's is.
                    strand.send(Sent(sender: "A", number: 2), to: deliveries)
                }
            }
        }
        scenario.thread("B") {
            strand.send(Sent(sender: "B", number: 1), to: deliveries) { scenario.expectNotOn("A") }
        }
        scenario.finally { deliveries.expectAll(["A": 2, "B": 1]) }
    }

    /// A edits a strand and leaves what B sends meanwhile to others. C ends something on another strand, which sends to this one.
    func endBesideOffer(_ scenario: Scenario) {
        let strand = Strand()
        let ended = Strand()
        let deliveries = Deliveries(scenario)
        scenario.watch(strand, ended)
        scenario.thread("A") { if let edit = strand.beginEdit() { strand.endEdit(edit) } }
        scenario.thread("B") {
            strand.send(Sent(sender: "B", number: 1), to: deliveries) { scenario.expectNotOn("C") }
        }
        scenario.thread("C") {
            ended.performAtOnce(on: ended, with: ()) { _, _ in
                strand.send(Sent(sender: "C", number: 1), to: deliveries)
            }
        }
        scenario.finally { deliveries.expectAll(["B": 1, "C": 1]) }
    }

    /// A owns the first strand and sends more to the second strand than its capacity, while B delivers there.
    func overfillingOwner(_ scenario: Scenario) {
        let first = Strand()
        let second = Strand(capacity: 1)
        let toFirst = Deliveries(scenario)
        let toSecond = Deliveries(scenario)
        scenario.thread("A") {
            first.send(Sent(sender: "A", number: 1), to: toFirst) {
                for number in 1...2 { second.send(Sent(sender: "A", number: number), to: toSecond) }
            }
        }
        scenario.thread("B") { second.send(Sent(sender: "B", number: 1), to: toSecond) }
        scenario.finally {
            toFirst.expectAll(["A": 1])
            toSecond.expectAll(["A": 2, "B": 1])
        }
    }

    /// Two strands with a capacity of 1. A delivery on one sends to the other.
    func mutualSenders(_ scenario: Scenario, rounds: Int = 1) {
        let strands = [Strand(capacity: 1), Strand(capacity: 1)]
        let deliveries = [Deliveries(scenario), Deliveries(scenario)]
        for (here, there, name) in [(0, 1, "A"), (1, 0, "B")] {
            scenario.thread(name) {
                for number in 1...rounds {
                    strands[here].send(Sent(sender: name, number: number), to: deliveries[here]) {
                        strands[there].send(Sent(sender: name, number: number), to: deliveries[there])
                    }
                }
            }
        }
        scenario.finally { for delivery in deliveries { delivery.expectAll(["A": rounds, "B": rounds]) } }
    }
#endif
