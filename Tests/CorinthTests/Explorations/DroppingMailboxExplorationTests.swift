#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of a thread that posts more than the capacity, and the drains that take elements.
    @Suite("Dropping mailbox, all interleavings", .serialized)
    struct DroppingMailboxExplorationTests {
        /// An element whose contents are plain memory.
        private final class Marked {
            let sent: Sent

            init(_ number: Int) {
                sent = Sent(sender: "A", number: number)
                PlainAccess.write(self)
            }
        }

        /// Posts `count` elements and the final one.
        private static func arrange(
            _ count: Int, capacity: Int, dropsOldest: Bool, _ scenario: Scenario
        ) {
            let deliveries = Deliveries(scenario)
            let mailbox = DroppingMailbox<Marked>(
                on: ControlledScheduler().runningWorkItems, through: Strand(), capacity: capacity,
                dropsOldest: dropsOldest
            ) { element in
                PlainAccess.read(element)
                deliveries.deliver(element.sent)
            }
            let dropped = Tally()
            scenario.watch(mailbox)
            scenario.thread("A") {
                for number in 1...count {
                    if !mailbox.post(Marked(number)) { dropped.count += 1 }
                }
                mailbox.postLast(Marked(count + 1))
            }
            scenario.finally {
                let numbers = deliveries.events.map(\.number)
                scenario.expect(
                    zip(numbers, numbers.dropFirst()).allSatisfy(<), "out of order, or delivered twice: \(numbers)")
                scenario.expect(
                    numbers.count + dropped.count == count + 1, "\(dropped.count) dropped, delivered: \(numbers)")
                scenario.expect(numbers.last == count + 1, "the final element is missing: \(numbers)")
                scenario.expect(
                    numbers.contains(dropsOldest ? count : 1), "an element within the capacity was dropped: \(numbers)")
                scenario.expect(dropped.count <= count - min(count, capacity), "\(dropped.count) dropped")
            }
        }

        @Test
        func `With dropOldest, the newest elements are delivered in FIFO order, and all others are counted as dropped`()
        {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) {
                Self.arrange(3, capacity: 1, dropsOldest: true, $0)
            }
            expectSound(Bounds(preemptions: 2, oldReads: 0)) {
                Self.arrange(5, capacity: 2, dropsOldest: true, $0)
            }
            expectSound(Bounds(preemptions: 2, oldReads: 1)) {
                Self.arrange(2, capacity: 1, dropsOldest: true, $0)
            }
            // The drain fails to claim an element because two were dropped.
            expectSound(Bounds(preemptions: 2, oldReads: 1)) {
                Self.arrange(3, capacity: 1, dropsOldest: true, $0)
            }
        }

        @Test
        func `With dropNewest, elements beyond the capacity are refused, and the others are delivered in FIFO order`() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) {
                Self.arrange(3, capacity: 1, dropsOldest: false, $0)
            }
            expectSound(Bounds(preemptions: 2, oldReads: 0)) {
                Self.arrange(5, capacity: 2, dropsOldest: false, $0)
            }
        }

        private static func expectMutant(
            _ site: String, _ operation: OperationKind, _ effect: Mutation.Effect, is kind: Failure.Kind,
            _ bounds: Bounds = Bounds(preemptions: 3, oldReads: 0), at place: SourceLocation = #_sourceLocation
        ) {
            expectCaught(
                Mutation(site: site, operation: operation, effect: effect), as: kind, bounds, at: place
            ) { arrange(4, capacity: 1, dropsOldest: true, $0) }
        }

        @Test func `Seeded bug: if a drain ends with a plain store, elements posted meanwhile are lost`() {
            Self.expectMutant("drain()", .compareExchange, .storeInstead, is: .broken)
        }

        @Test func `Seeded bug: if posting doesn't release, a drain takes an element before it is written`() {
            Self.expectMutant("put(_:in:as:)", .store, .relaxed, is: .race)
        }

        @Test func `Seeded bug: if an element is claimed with a plain store, two sides claim the same element`() {
            Self.expectMutant("claimOldest()", .compareExchange, .storeInstead, is: .race)
        }

        @Test func `Seeded bug: if a failed claim doesn't acquire, it doesn't see that there are newer elements`() {
            Self.expectMutant("claimOldest()", .compareExchange, .relaxed, is: .race, Bounds(preemptions: 2))
        }

        @Test func `Seeded bug: if an element is dropped with a plain store, two sides claim the same element`() {
            Self.expectMutant("post(_:)", .compareExchange, .storeInstead, is: .race)
        }
    }
#endif
