#if Exploration && !NaiveLocks
    @testable import Corinth
    import Dispatch
    import Testing

    /// Every interleaving of a thread that overfills a mailbox, waits for room, and the drains that make it.
    @Suite("Room in a mailbox, all interleavings", .serialized)
    struct MailboxRoomExplorationTests {
        private static let bounds = Bounds(preemptions: 2, spinning: 0)

        /// One thread, whose every second post finds no room.
        private static func arrange(_ scenario: Scenario) {
            let deliveries = Deliveries(scenario)
            let bound = MailboxBound(capacity: 1, patience: .never)
            let mailbox = Mailbox<Sent>(on: ControlledScheduler(), through: Strand(), bound: bound) {
                deliveries.deliver($0)
            }
            scenario.keep(mailbox)
            scenario.watch(mailbox.room)
            scenario.thread("A") {
                for number in 1...3 {
                    mailbox.post(Sent(sender: "A", number: number))
                    scenario.expect(
                        deliveries.events.count >= number - 1, "\(deliveries.events.count) delivered of \(number)")
                }
            }
            scenario.finally { deliveries.expectAll(["A": 3]) }
        }

        @Test("X2: nobody goes on while there is no room, and nobody is left asleep")
        func waitsForRoom() { expectSound(Self.bounds) { Self.arrange($0) } }

        @Test("Two threads that wait for room both go on")
        func twoSenders() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) { scenario in
                let deliveries = Deliveries(scenario)
                let bound = MailboxBound(capacity: 1, patience: .never)
                let source = Strand()
                let mailbox = Mailbox<Sent>(on: ControlledScheduler(), through: Strand(), bound: bound) {
                    deliveries.deliver($0)
                }
                scenario.keep(mailbox)
                for name in ["A", "B"] {
                    scenario.thread(name) {
                        for number in 1...2 {
                            source.perform(on: mailbox, with: Sent(sender: name, number: number)) { $0.post($1) }
                        }
                    }
                }
                scenario.finally { deliveries.expectAll(["A": 2, "B": 2]) }
            }
        }

        @Test("Seeded bug: without a wake-up, a sender sleeps for ever")
        func noWake() {
            let mutation = Mutation(site: "giveUp(_:)", operation: .wake, effect: .skipped)
            expectCaught(mutation, as: .deadlock, Self.bounds) { Self.arrange($0) }
        }

        @Test("Seeded bug: looking at the sleepers out of order leaves one asleep")
        func giveUpNotSequential() {
            let mutation = Mutation(site: "giveUp(_:)", operation: .load, effect: .notSequential)
            expectCaught(mutation, as: .deadlock, Self.bounds) { Self.arrange($0) }
        }

        @Test("Seeded bug: counting oneself as a sleeper out of order leaves one asleep")
        func sleepNotSequential() {
            let mutation = Mutation(site: "sleep(until:)", operation: .update, effect: .notSequential)
            expectCaught(mutation, as: .deadlock, Self.bounds) { Self.arrange($0) }
        }
    }
#endif
