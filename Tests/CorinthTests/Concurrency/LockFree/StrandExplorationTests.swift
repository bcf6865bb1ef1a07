#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of a few threads on one strand, and what a signal relies on in each.
    @Suite("Strand, all interleavings", .serialized)
    struct StrandExplorationTests {
        @Test("E2, E4: two senders, one event each, in every order there is")
        func twoSendersInEveryOrder() {
            expectSound(Bounds(preemptions: nil)) { senders(["A": 1, "B": 1], $0) }
        }

        @Test("E2, E4: two senders, two events each")
        func twoSenders() {
            expectSound(Bounds(preemptions: nil)) { senders(["A": 2, "B": 2], $0) }
        }

        @Test("E2, E4: three senders")
        func threeSenders() {
            expectSound(Bounds(preemptions: 3)) { senders(["A": 1, "B": 1, "C": 1], $0) }
        }

        @Test("E5: what is sent from inside a delivery comes after it, and after what was queued before")
        func reentrancy() {
            expectSound(Bounds(preemptions: nil), reentrantSender)
        }

        @Test("An owner that has helped enough hands the strand over, and nothing overtakes")
        func handOver() {
            expectSound(Bounds(preemptions: 3, oldReads: 0, helping: 1), reaching: [.worker]) {
                senders(["A": 1, "B": 3], $0)
            }
        }

        @Test("A worker that the strand was handed to gives room, and waits for none")
        func handOverOfFullInbox() {
            expectSound(
                Bounds(preemptions: 2, oldReads: 0, helping: 1, spinning: 0),
                reaching: [.worker, .sleep]
            ) {
                senders(["A": 1, "B": 3], capacity: 1, $0)
            }
        }

        @Test("X2: a sender that waits for room is woken when there is some")
        func waitForRoom() {
            expectSound(Bounds(preemptions: 2, spinning: 0), reaching: [.sleep, .oldValue]) {
                senders(["A": 2, "B": 2], capacity: 1, $0)
            }
        }

        @Test("X2: three senders share the room for one")
        func threeSendersWait() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep]) {
                senders(["A": 1, "B": 1, "C": 1], capacity: 1, $0)
            }
        }

        @Test("E5: an owner of one strand goes past the bound of another, and waits once it owns none")
        func debt() {
            expectSound(
                Bounds(preemptions: 3, oldReads: 0, spinning: 0), reaching: [.sleep], overfillingOwner)
        }

        @Test("E5: two strands that send to each other from two threads don't deadlock")
        func twoStrands() {
            expectSound(Bounds(preemptions: nil, oldReads: 0, spinning: 0), mutualSenders)
        }

        @Test("An edit beside a sender: nothing is lost, and the edit delivers nobody's events")
        func edit() { expectSound(Bounds(preemptions: 3, spinning: 0)) { editBesideSender($0) } }

        @Test("What is left by an edit is delivered once, by a worker or by the next sender")
        func editBesideTwo() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.worker]) {
                editBesideSender($0, ["B": 2, "C": 1])
            }
        }

        @Test("Who ends at once delivers nobody's events, and loses none")
        func leaveAtOnce() {
            expectSound(Bounds(preemptions: 3, oldReads: 0, spinning: 0), reaching: [.worker]) {
                scenario in
                let strand = Strand()
                let deliveries = Deliveries(scenario)
                scenario.keep(strand)
                scenario.thread("A") {
                    strand.performAtOnce(on: strand, with: ()) { _, _ in
                        deliveries.deliver(Sent(sender: "A", number: 1)) {
                            // Its own comes first, if nothing of B's does.
                            strand.send(Sent(sender: "A", number: 2), to: deliveries)
                        }
                    }
                }
                scenario.thread("B") {
                    strand.send(Sent(sender: "B", number: 1), to: deliveries) { scenario.expectNotOn("A") }
                }
                scenario.finally { deliveries.expectAll(["A": 2, "B": 1]) }
            }
        }

        @Test("What was sent before the strand was left is seen by its next owner")
        func nextOwnerSees() {
            expectSound(Bounds(preemptions: nil)) { scenario in
                let strand = Strand()
                let deliveries = Deliveries(scenario)
                scenario.watch(strand)
                for name in ["A", "B"] {
                    scenario.thread(name) {
                        if strand.tryEnter() {
                            deliveries.deliver(Sent(sender: name, number: 1))
                            strand.leave()
                        }
                    }
                }
                scenario.finally {
                    scenario.expect(!deliveries.events.isEmpty, "nobody entered an idle strand")
                }
            }
        }
    }

    /// Threads that send so many events each.
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

    /// A changes something in an edit, twice; others send so many events each.
    func editBesideSender(_ scenario: Scenario, _ counts: [String: Int] = ["B": 2]) {
        let strand = Strand()
        let deliveries = Deliveries(scenario)
        scenario.watch(strand)
        scenario.thread("A") {
            for number in 1...2 where strand.beginEdit() {
                // Plain memory, and not a delivery: nothing that is sent runs inside.
                PlainAccess.write(deliveries)
                let before = deliveries.events.count
                strand.endEdit()
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
        /// Whoever delivers now isn't that thread.
        fileprivate func expectNotOn(_ name: String) {
            expect(ControlledThread.current?.name != name, "\(name) delivers what another thread has sent")
        }
    }

    /// A sends an event whose delivery sends another one, and B sends too.
    func reentrantSender(_ scenario: Scenario) {
        let strand = Strand()
        let deliveries = Deliveries(scenario)
        scenario.watch(strand)
        scenario.thread("A") {
            strand.send(Sent(sender: "A", number: 1), to: deliveries) {
                strand.send(Sent(sender: "A", number: 2), to: deliveries)
            }
        }
        scenario.thread("B") { strand.send(Sent(sender: "B", number: 1), to: deliveries) }
        scenario.finally { deliveries.expectAll(["A": 2, "B": 1]) }
    }

    /// A, inside the first strand, sends more to the second than that has room for, while B delivers there.
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

    /// Two strands with room for one event each. Delivering on one sends to the other.
    func mutualSenders(_ scenario: Scenario) {
        let strands = [Strand(capacity: 1), Strand(capacity: 1)]
        let deliveries = [Deliveries(scenario), Deliveries(scenario)]
        for (here, there, name) in [(0, 1, "A"), (1, 0, "B")] {
            scenario.thread(name) {
                strands[here].send(Sent(sender: name, number: 1), to: deliveries[here]) {
                    strands[there].send(Sent(sender: name, number: 1), to: deliveries[there])
                }
            }
        }
        scenario.finally { for delivery in deliveries { delivery.expectAll(["A": 1, "B": 1]) } }
    }
#endif
