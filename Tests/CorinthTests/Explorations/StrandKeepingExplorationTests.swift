#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Queued events that don't count a reference to the object whose strand it is, beside work that does. Each sender forgets the
    /// object after it has sent: it must live until the last of its events was delivered, and no longer.
    @Suite("Strand, what its list keeps", .serialized)
    struct StrandKeepingExplorationTests {
        @Test func `A list keeps the object for all its events`() {
            for helping in [1, 2] {
                expectSound(Bounds(preemptions: 2, oldReads: 0, helping: helping, spinning: 0), reaching: [.worker]) {
                    forgetful($0, ["A": 1, "B": 3])
                }
            }
            expectSound(Bounds(preemptions: 3, oldReads: 0, spinning: 0)) { forgetful($0, ["A": 1, "B": 1, "C": 1]) }
        }

        @Test func `A list keeps the object for events that are part of a property's change`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.worker]) {
                forgetful($0, ["A": 1, "B": 3], beside: [.sendsFromInside], as: .starting)
            }
        }

        @Test func `A list keeps the object beside other work, whichever comes first`() {
            for deed in Deed.allCases {
                for isBiased in [false, true] {
                    let bounds = Bounds(
                        preemptions: 2, oldReads: 0, delayedStores: 0, helping: 1, spinning: 0, isBiased: isBiased)
                    let title = "keeping(\(deed), \(isBiased ? "biased" : "unbiased"))"
                    expectSound(bounds, title: title) { forgetful($0, ["A": 1, "B": 1], beside: [deed]) }
                }
            }
        }

        @Test func `Seeded bug: if a list that isn't empty counts as kept, an event comes when the object is gone`() {
            let bounds = Bounds(preemptions: 2, oldReads: 0, spinning: 0, keepsAnyList: true)
            // The owner has no reference, and its own work is queued first.
            let outcome = explore(bounds) { forgetful($0, ["A": 1], beside: [.sendsFromInside]) }
            #expect(outcome.failure?.kind == .broken)
        }

        /// - Parameters:
        ///   - senders: How many events each of them sends.
        ///   - deeds: What other threads do, one each.
        ///   - change: What the events of the senders are part of.
        private func forgetful(
            _ scenario: Scenario, _ senders: KeyValuePairs<String, Int>, beside deeds: [Deed] = [],
            as change: ChangeStamp = .none
        ) {
            let strand = Strand(capacity: 8)
            let deliveries = Deliveries(scenario)
            let life = Life(scenario)
            scenario.watch(strand)
            let object = Object(life)
            life.object = object
            for (name, events) in senders {
                let hand = Hand(object)
                scenario.thread(name) {
                    for number in 1...events {
                        guard let object = hand.object else { return }
                        // The event says whether the object is gone: the object itself may not be asked.
                        let event = Event(sent: Sent(sender: name, number: number), deliveries: deliveries, life: life)
                        if let owned = strand.enter() {
                            deliveries.deliver(event.sent)
                            strand.leave(owned)
                        } else {
                            ThreadState.current.during(change) {
                                strand.queue(event, for: object, isKeptByList: true)
                            }
                        }
                    }
                    hand.object = nil
                }
            }
            for (index, deed) in deeds.enumerated() {
                scenario.thread("other \(index)") { deed.carryOut(on: strand, deliveries, as: "other \(index)") }
            }
            scenario.finally {
                var expected = Dictionary(uniqueKeysWithValues: senders.map { ($0.key, $0.value) })
                for (index, deed) in deeds.enumerated() { expected["other \(index)"] = deed.events }
                deliveries.expectAll(expected)
                scenario.expect(life.isOver, "the object is still kept")
                scenario.expect(unsafe strand.state.keeper == nil, "the strand still has a reference to the object")
            }
        }

        private struct Event {
            let sent: Sent
            let deliveries: Deliveries
            let life: Life
        }

        /// The object whose strand it is.
        private final class Object: EventTarget {
            private let life: Life

            init(_ life: Life) { self.life = life }

            func deliverQueued(_ event: Event) {
                event.life.expectObject()
                event.deliveries.deliver(event.sent)
            }

            deinit { life.isOver = true }
        }

        /// Whether the object is gone. The threads run one at a time.
        private final class Life: @unchecked Sendable {
            private let scenario: Scenario
            var isOver = false
            /// It has no part in the object's life, but keeps its memory: a seeded bug uses that when the object is gone.
            unowned var object: Object?

            init(_ scenario: Scenario) { self.scenario = scenario }

            func expectObject() {
                scenario.expect(!isOver, "an event was delivered when the object was gone")
            }
        }

        /// A thread's reference.
        private final class Hand: @unchecked Sendable {  // Only its thread has it.
            var object: Object?

            init(_ object: Object) { self.object = object }
        }
    }
#endif
