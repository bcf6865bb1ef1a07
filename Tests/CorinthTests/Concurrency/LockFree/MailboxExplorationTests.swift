#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of a thread that posts and the drains that take.
    @Suite("Mailbox, all interleavings", .serialized)
    struct MailboxExplorationTests {
        @Test("C3: what is posted is delivered, once and in order, and a burst costs few wake-ups")
        func postRacesDrain() {
            expectSound(Bounds(preemptions: nil, oldReads: 0)) { scenario in
                let deliveries = Deliveries(scenario)
                let scheduler = ControlledScheduler()
                let gate = Strand()
                let mailbox = Mailbox<Sent>(on: scheduler, through: gate) { deliveries.deliver($0) }
                scenario.keep(mailbox)
                scenario.thread("A") { for number in 1...3 { mailbox.post(Sent(sender: "A", number: number)) } }
                scenario.finally {
                    deliveries.expectAll(["A": 3])
                    scenario.expect((1...3).contains(scheduler.count), "\(scheduler.count) wake-ups")
                }
            }
        }

        @Test("C3: a drain that finds the gate owned comes again, and loses nothing")
        func gateIsOwned() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let deliveries = Deliveries(scenario)
                let gate = Strand()
                let mailbox = Mailbox<Sent>(on: ControlledScheduler(), through: gate) { deliveries.deliver($0) }
                scenario.keep(mailbox)
                scenario.thread("A") { for number in 1...2 { mailbox.post(Sent(sender: "A", number: number)) } }
                scenario.thread("B") { gate.send(Sent(sender: "B", number: 1), to: deliveries) }
                scenario.finally { deliveries.expectAll(["A": 2, "B": 1]) }
            }
        }

        @Test("E1, C3: observe(on:) delivers everything before the end, and nothing after it")
        func observeOn() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let (output, input) = Signal<Int, Never>.pipe()
                let seen = Deliveries(scenario)
                let ends = Tally()
                output.observe(on: ControlledScheduler()).observe { event in
                    if case .value(let number) = event { seen.deliver(Sent(sender: "A", number: number)) }
                    scenario.expect(ends.count == 0, "\(event) comes after the end")
                    if event.isTerminating { ends.count += 1 }
                }
                scenario.keep(input)
                scenario.thread("A") {
                    input.send(value: 1)
                    input.send(value: 2)
                    input.sendCompleted()
                }
                scenario.finally {
                    seen.expectAll(["A": 2])
                    scenario.expect(ends.count == 1, "\(ends.count) ends")
                }
            }
        }

        @Test("Seeded bug: posting without a release lets a drain take what isn't there yet")
        func postRelaxed() {
            let mutation = Mutation(site: "put(_:)", operation: .update, effect: .relaxed)
            expectCaught(mutation, as: .race) { scenario in
                let mailbox = Mailbox<Marked>(on: ControlledScheduler(), through: Strand()) { PlainAccess.read($0) }
                scenario.keep(mailbox)
                scenario.thread("A") {
                    for _ in 1...2 {
                        let element = Marked()
                        PlainAccess.write(element)
                        mailbox.post(element)
                    }
                }
            }
        }

        /// An element whose contents are plain memory.
        private final class Marked {}
    }
#endif
