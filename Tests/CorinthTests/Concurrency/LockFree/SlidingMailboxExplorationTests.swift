#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of a thread that posts more than there is room for, and the drains that take.
    @Suite("Bounded mailbox, all interleavings", .serialized)
    struct SlidingMailboxExplorationTests {
        /// An element whose contents are plain memory.
        private final class Marked {
            let sent: Sent

            init(_ number: Int) {
                sent = Sent(sender: "A", number: number)
                PlainAccess.write(self)
            }
        }

        /// Posts so many elements, and the last.
        private static func arrange(
            _ count: Int, capacity: Int, dropsOldest: Bool, _ scenario: Scenario
        ) {
            let deliveries = Deliveries(scenario)
            let mailbox = SlidingMailbox<Marked>(
                on: ControlledScheduler(), through: Strand(), capacity: capacity, dropsOldest: dropsOldest
            ) { element in
                PlainAccess.read(element)
                deliveries.deliver(element.sent)
            }
            let dropped = Tally()
            scenario.keep(mailbox)
            scenario.thread("A") {
                for number in 1...count {
                    if !mailbox.post(Marked(number)) { dropped.count += 1 }
                }
                mailbox.postLast(Marked(count + 1))
            }
            scenario.finally {
                let numbers = deliveries.events.map(\.number)
                scenario.expect(
                    zip(numbers, numbers.dropFirst()).allSatisfy(<), "out of order, or twice: \(numbers)")
                scenario.expect(
                    numbers.count + dropped.count == count + 1, "\(dropped.count) dropped, delivered: \(numbers)")
                scenario.expect(numbers.last == count + 1, "the last is missing: \(numbers)")
                scenario.expect(
                    numbers.contains(dropsOldest ? count : 1), "what has to have room has been dropped: \(numbers)")
                scenario.expect(dropped.count <= count - min(count, capacity), "\(dropped.count) dropped")
            }
        }

        @Test("Of what is posted, the newest is delivered, in order; what isn't delivered was counted as dropped")
        func dropsOldest() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) {
                Self.arrange(3, capacity: 1, dropsOldest: true, $0)
            }
            expectSound(Bounds(preemptions: 2, oldReads: 0)) {
                Self.arrange(5, capacity: 2, dropsOldest: true, $0)
            }
        }

        @Test("What finds no room is refused, and the rest is delivered in order")
        func refusesNewest() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) {
                Self.arrange(3, capacity: 1, dropsOldest: false, $0)
            }
            expectSound(Bounds(preemptions: 2, oldReads: 0)) {
                Self.arrange(5, capacity: 2, dropsOldest: false, $0)
            }
        }

        private static func expectMutant(
            _ site: String, _ operation: OperationKind, _ effect: Mutation.Effect, is kind: Failure.Kind,
            at place: SourceLocation = #_sourceLocation
        ) {
            expectCaught(
                Mutation(site: site, operation: operation, effect: effect), as: kind,
                Bounds(preemptions: 3, oldReads: 0), at: place
            ) { arrange(4, capacity: 1, dropsOldest: true, $0) }
        }

        @Test("Seeded bug: a drain that ends by a plain store loses what was posted meanwhile")
        func drainByStore() { Self.expectMutant("drain()", .compareExchange, .storeInstead, is: .broken) }

        @Test("Seeded bug: posting without a release lets a drain take what isn't there yet")
        func putRelaxed() { Self.expectMutant("put(_:in:as:)", .store, .relaxed, is: .race) }

        @Test("Seeded bug: claiming by a plain store has two sides claim the same element")
        func claimByStore() { Self.expectMutant("claimOldest()", .compareExchange, .storeInstead, is: .race) }

        @Test("Seeded bug: dropping by a plain store has two sides claim the same element")
        func dropByStore() { Self.expectMutant("post(_:)", .compareExchange, .storeInstead, is: .race) }
    }
#endif
