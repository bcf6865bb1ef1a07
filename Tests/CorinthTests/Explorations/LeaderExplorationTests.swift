#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of threads that are leader and followers.
    @Suite("Leader and followers, all interleavings", .serialized)
    struct LeaderExplorationTests {
        private static let bounds = Bounds(preemptions: 2, oldReads: 0, spinning: 0, leading: 1)

        /// What a thread does after its last event, if it leads.
        private enum End {
            /// It promotes the next leader, as it does when it waits for something else.
            case resigns
            /// Nothing. A check of the queue, at any moment, finds that nobody leads.
            case isMissed
            /// Nothing, and nobody checks the queue.
            case isForgotten
        }

        /// Threads that send one event after the other to a strand whose inbox has one place.
        ///
        /// - Parameters:
        ///   - met: Gets what has happened in any of the executions.
        ///   - nests: Whether each sends from inside another delivery, so that it doesn't wait before that has ended.
        private static func arrange(
            _ counts: [String: Int], _ end: End, nests: Bool = false, _ scenario: Scenario,
            _ met: Unrecorded<Met> = Unrecorded(Met())
        ) {
            let deliveries = Deliveries(scenario)
            let strand = Strand(capacity: 1, stallTimeout: end == .isMissed ? 1_000_000_000 : .max)
            scenario.watch(strand)
            for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
                scenario.thread(name) {
                    let thread = ThreadState.current
                    for number in 1...count {
                        let event = Sent(sender: name, number: number)
                        if nests {
                            // As inside the delivery of another strand.
                            let holding = ThreadState.beginHolding()
                            strand.send(event, to: deliveries)
                            ThreadState.endHolding(holding)
                            Strand.waitForDeferred()
                        } else {
                            strand.send(event, to: deliveries)
                        }
                        let batch = thread.batch
                        met.withValue { met in
                            if batch.isTerm { met.hasLed = true }
                            if batch.hasPromoted { met.hasPromoted = true }
                        }
                        scenario.expect(thread.ownsNone, "\(name) still owns a strand")
                    }
                    if end == .resigns { thread.resign(from: strand) } else { thread.use(.none) }
                    scenario.expect(thread.ownsNone && !thread.hasDue, "something is still due on \(name)")
                }
            }
            scenario.finally {
                deliveries.expectAll(counts)
                let taken = strand.state.taken(.relaxed)
                scenario.expect(taken == 0, "\(taken) permits are still taken")
                scenario.expect(strand.waiterCount == 0, "\(strand.waiterCount) threads still wait")
                let limit = strand.state.limit.load(.relaxed)
                scenario.expect(limit == 1, "the limit is \(limit) without waiters")
                scenario.expect(strand.state.handing.load(.relaxed) == .batches, "followers are awaited")
            }
        }

        private struct Met {
            var hasLed = false
            var hasPromoted = false
        }

        @Test func `X2: every follower is promoted, and all events arrive in order`() {
            for counts in [["A": 2, "B": 3, "C": 2], ["A": 3, "B": 3, "C": 3]] {
                let met = Unrecorded(Met())
                expectSound(Self.bounds, reaching: [.sleep]) { Self.arrange(counts, .resigns, $0, met) }
                // One preemption isn't enough for a promotion.
                #expect(met.withValue { $0.hasLed && ($0.hasPromoted || Briefer.isWanted) })
            }
            expectSound(Bounds(preemptions: 2, oldReads: 2, spinning: 0, leading: 1), reaching: [.oldValue]) {
                Self.arrange(["A": 1, "B": 4, "C": 1], .resigns, $0)
            }
        }

        @Test func `X2: leaders that send from inside another delivery lose nothing`() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0, leading: 1), reaching: [.sleep]) {
                Self.arrange(["A": 1, "B": 3, "C": 1], .resigns, nests: true, $0)
            }
        }

        @Test func `X2: a leader that sends no more isn't the end of its followers`() {
            expectSound(Self.bounds, reaching: [.sleep]) { Self.arrange(["A": 2, "B": 1, "C": 1], .isMissed, $0) }
        }

        @Test func `Seeded bug: without the check, its followers sleep for ever`() {
            let outcome = explore(Self.bounds) { Self.arrange(["A": 2, "B": 1, "C": 1], .isForgotten, $0) }
            #expect(outcome.failure?.kind == .deadlock)
        }

        @Test(arguments: [
            Mutation(site: "setHanding(_:)", operation: .store, effect: .notSequential),
            Mutation(site: "handOut()", operation: .load, effect: .notSequential),
        ])
        func
            `Seeded bug: if a thread that returns permits doesn't see that there is no leader any more, the followers sleep for ever`(
                mutation: Mutation
            )
        {
            expectCaught(mutation, as: .deadlock, Bounds(preemptions: 2, oldReads: 2, spinning: 0, leading: 1)) {
                Self.arrange(["A": 1, "B": 4, "C": 1], .resigns, $0)
            }
        }

        @Test func `Seeded bug: without the flag, two threads change the queue of the followers`() {
            let mutation = Mutation(site: "acquire()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .deadlock, Self.bounds) { Self.arrange(["A": 1, "B": 4, "C": 1], .resigns, $0) }
        }
    }
#endif
