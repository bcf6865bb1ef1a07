#if Exploration && !NaiveLocks
    @testable import Corinth
    import Dispatch
    import Testing

    /// Every interleaving of drains that stop as the next mailbox is full, and of those that make room there.
    @Suite("Drains that stop, all interleavings", .serialized)
    struct CreditorExplorationTests {
        private static let bounds = Bounds(preemptions: 2, spinning: 0)

        /// Two mailboxes in a row, the second with room for one.
        private static func arrange(
            _ scenario: Scenario, patience: DispatchTimeInterval = .never, slides: Bool = false
        ) {
            let deliveries = Deliveries(scenario)
            let bound = MailboxBound(capacity: 1, patience: patience)
            let last = Mailbox<Sent>(on: ControlledScheduler(), through: Strand(), bound: bound) {
                deliveries.deliver($0)
            }
            let forward = { (event: Sent) in
                last.post(event)
                guard case .never = patience else { return }
                let waiting = last.waiting.load(.relaxed)
                scenario.expect(waiting <= 2, "\(waiting) wait where there is room for 1")
            }
            scenario.keep(last)
            scenario.watch(last.room)
            if slides {
                let first = SlidingMailbox<Sent>(
                    on: ControlledScheduler(), through: Strand(), capacity: 4, dropsOldest: true, deliver: forward)
                scenario.keep(first)
                scenario.thread("A") { for number in 1...3 { _ = first.post(Sent(sender: "A", number: number)) } }
            } else {
                let first = Mailbox<Sent>(on: ControlledScheduler(), through: Strand(), deliver: forward)
                scenario.keep(first)
                scenario.thread("A") { for number in 1...3 { first.post(Sent(sender: "A", number: number)) } }
            }
            scenario.finally { deliveries.expectAll(["A": 3]) }
        }

        @Test("X2: a drain stops one past the bound, goes on when there is room, and loses nothing")
        func stops() { expectSound(Self.bounds) { Self.arrange($0) } }

        @Test("X2: a drain of a mailbox that drops does, too")
        func slides() { expectSound(Bounds(preemptions: 1, spinning: 0)) { Self.arrange($0, slides: true) } }

        @Test("Whatever the watch does, nothing is lost, and nothing stops for ever")
        func watch() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) { Self.arrange($0, patience: .seconds(1)) }
        }

        /// Two drains that post to one mailbox, through the strand of what merges them.
        private static func arrangeTwo(_ scenario: Scenario, _ second: Int) {
            let deliveries = Deliveries(scenario)
            let bound = MailboxBound(capacity: 1, patience: .never)
            let last = Mailbox<Sent>(on: ControlledScheduler(), through: Strand(), bound: bound) {
                deliveries.deliver($0)
            }
            let joint = Strand()
            scenario.keep(last)
            for (name, count) in [("A", 2), ("B", second)] {
                let first = Mailbox<Sent>(on: ControlledScheduler(), through: Strand()) { event in
                    joint.perform(on: last, with: event) { $0.post($1) }
                }
                scenario.keep(first)
                scenario.thread(name) { for number in 1...count { first.post(Sent(sender: name, number: number)) } }
            }
            scenario.finally { deliveries.expectAll(["A": 2, "B": second]) }
        }

        @Test("Two drains stop at the same mailbox, and both go on")
        func two() { expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) { Self.arrangeTwo($0, 1) } }

        /// A mailbox that is drained once, and a drain that goes on all the same.
        private static func arrangeDead(_ scenario: Scenario) {
            let scheduler = StepScheduler()
            let bound = MailboxBound(capacity: 1, patience: .seconds(1))
            let last = Mailbox<Sent>(on: scheduler, through: Strand(), bound: bound) { _ in }
            let first = Mailbox<Sent>(on: ControlledScheduler(), through: Strand()) { last.post($0) }
            scenario.keep(last)
            scenario.keep(first)
            scenario.watch(last.room)
            scenario.thread("A") { for number in 1...5 { first.post(Sent(sender: "A", number: number)) } }
            scenario.thread("B") { scheduler.run() }
            scenario.finally {
                let left = first.waiting.load(.relaxed)
                scenario.expect(left == 0, "\(left) have stopped for ever")
                scheduler.run()
            }
        }

        @Test("A drain that stops where nothing is delivered goes on in the end")
        func dead() { expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) { Self.arrangeDead($0) } }

        @Test("Seeded bug: a watch that ends without looking in order leaves one stopped")
        func watchNotSequential() {
            let mutation = Mutation(site: "look(_:)", operation: .load, effect: .notSequential)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 1, spinning: 0)) { Self.arrangeDead($0) }
        }

        @Test("X2: a worker that owns a strand stops with it, and senders wait for room in its inbox")
        func worker() {
            expectSound(
                Bounds(preemptions: 1, oldReads: 0, helping: 1, spinning: 0), reaching: [.worker]
            ) { scenario in
                let deliveries = Deliveries(scenario)
                let bound = MailboxBound(capacity: 1, patience: .never)
                let last = Mailbox<Sent>(on: ControlledScheduler(), through: Strand(), bound: bound) {
                    deliveries.deliver($0)
                }
                let joint = Strand(capacity: 2)
                scenario.keep(last)
                for (name, count) in [("A", 1), ("B", 3)] {
                    scenario.thread(name) {
                        for number in 1...count {
                            joint.perform(on: last, with: Sent(sender: name, number: number)) { $0.post($1) }
                        }
                    }
                }
                scenario.finally { deliveries.expectAll(["A": 1, "B": 3]) }
            }
        }

        @Test("Seeded bug: making room without looking at who has stopped in order leaves one stopped")
        func giveUpNotSequential() {
            let mutation = Mutation(site: "giveUp(_:)", operation: .load, effect: .notSequential)
            expectCaught(mutation, as: .broken, Self.bounds) { Self.arrange($0) }
        }

        @Test("Seeded bug: stopping without looking for room in order leaves one stopped")
        func roomNotSequential() {
            let mutation = Mutation(site: "waitingCount", operation: .load, effect: .notSequential)
            expectCaught(mutation, as: .broken, Self.bounds) { Self.arrange($0) }
        }

        @Test("Seeded bug: a list that is taken without acquiring it is read before it is written")
        func takenRelaxed() {
            let mutation = Mutation(site: "resumeStopped()", operation: .update, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 1, oldReads: 0, spinning: 0)) {
                Self.arrangeTwo($0, 2)
            }
        }
    }
#endif
