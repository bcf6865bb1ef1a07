#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of a thread that posts and the drains that take elements.
    @Suite("Mailbox, all interleavings", .serialized)
    struct MailboxExplorationTests {
        @Test("C3: posted elements are delivered once and in FIFO order, and a burst needs few wake-ups")
        func postRacesDrain() {
            expectSound(Bounds(preemptions: nil, oldReads: 0)) { scenario in
                let deliveries = Deliveries(scenario)
                let scheduler = ControlledScheduler()
                let strand = Strand()
                let mailbox = Mailbox<Sent>(on: scheduler.runningWorkItems, through: strand) { deliveries.deliver($0) }
                scenario.keep(mailbox)
                scenario.thread("A") { for number in 1...3 { mailbox.post(Sent(sender: "A", number: number)) } }
                scenario.finally {
                    deliveries.expectAll(["A": 3])
                    scenario.expect((1...3).contains(scheduler.count), "\(scheduler.count) wake-ups")
                }
            }
        }

        @Test("C3: a drain that finds the strand taken runs again later and loses nothing")
        func strandIsOwned() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let deliveries = Deliveries(scenario)
                let strand = Strand()
                let mailbox = Mailbox<Sent>(on: ControlledScheduler().runningWorkItems, through: strand) {
                    deliveries.deliver($0)
                }
                scenario.keep(mailbox)
                scenario.thread("A") { for number in 1...2 { mailbox.post(Sent(sender: "A", number: number)) } }
                scenario.thread("B") { strand.send(Sent(sender: "B", number: 1), to: deliveries) }
                scenario.finally { deliveries.expectAll(["A": 2, "B": 1]) }
            }
        }

        @Test("E1, C3: observe(on:) delivers every event before the end and nothing after it")
        func observeOn() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let (output, input) = Signal<Int, Never>.pipe()
                let seen = Deliveries(scenario)
                let ends = Tally()
                output.observe(on: ControlledScheduler()).observe { event in
                    if case .value(let number) = event { seen.deliver(Sent(sender: "A", number: number)) }
                    scenario.expect(ends.count == 0, "\(event) was delivered after the end")
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

        @Test("Seeded bug: if posting doesn't release, a drain takes an element before it is written")
        func postRelaxed() {
            let mutation = Mutation(site: "put(_:)", operation: .update, effect: .relaxed)
            expectCaught(mutation, as: .race) { scenario in
                let mailbox = Mailbox<Marked>(on: ControlledScheduler().runningWorkItems, through: Strand()) {
                    PlainAccess.read($0)
                }
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
