#if Exploration
    @testable import Corinth
    import Testing

    /// Every interleaving of what ends a pool.
    @Suite("Pool, all interleavings", .serialized)
    struct PoolExplorationTests {
        @Test("Of two schedulers that finish last, one ends the pool, once, when both are through")
        func lastOnes() { expectSound(Bounds(preemptions: 3), twoLast) }

        @Test("A pool that is closed while its schedulers finish ends once")
        func closing() { expectSound(Bounds(preemptions: 2), closingWhileFinishing) }

        @Test("An action that another one has scheduled is waited for, wherever it is")
        func handingOn() { expectSound(Bounds(preemptions: 2), handOn) }

        @Test("What comes as the pool closes is run before the end, or refused")
        func coming() { expectSound(Bounds(preemptions: 3), comeWhileClosing) }

        @Test("Seeded bug: finishing out of the one order leaves a pool that never ends")
        func finishNotSequential() {
            let mutation = Mutation(site: "finish()", operation: .compareExchange, effect: .notSequential)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, oldReads: 2), twoLast)
        }

        @Test("Seeded bug: looking out of the one order leaves a pool that never ends")
        func lookNotSequential() {
            let mutation = Mutation(site: "look()", operation: .load, effect: .notSequential)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, oldReads: 2), twoLast)
        }

        @Test("Seeded bug: closing out of the one order leaves a pool that never ends")
        func closeNotSequential() {
            let mutation = Mutation(site: "close(_:)", operation: .compareExchange, effect: .notSequential)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, oldReads: 2), closingWhileFinishing)
        }

        @Test("Seeded bug: finishing without a release hides what the action did from who waits for the end")
        func finishRelaxed() {
            let mutation = Mutation(site: "finish()", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 3), twoLast)
        }

        @Test("Seeded bug: admitting by a plain store loses an action, for which the end doesn't wait then")
        func admitByStore() {
            let mutation = Mutation(site: "admit(fromInside:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race, Bounds(preemptions: 3), comeWhileClosing)
        }

        @Test("Seeded bug: closing by a plain store loses an action that comes")
        func closeByStore() {
            let mutation = Mutation(site: "close(_:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3), comeWhileClosing)
        }
    }

    /// What is seen of a pool's end: once, and with all that was done before.
    private final class End: @unchecked Sendable {  // Plain memory, which the explorer watches.
        private let scenario: Scenario
        private(set) var count = 0
        let done: [Tally]

        init(_ core: PoolCore, _ scenario: Scenario, actions: Int) {
            self.scenario = scenario
            done = (0..<actions).map { _ in Tally() }
            core.ended.add {
                self.count += 1
                for action in self.done {
                    PlainAccess.read(action)
                    scenario.expect(action.count != 1, "the end comes before an action is through")
                }
            }
            for ledger in core.ledgers { scenario.watch(ledger) }
        }

        /// What an action does: 1 in its tally while it is to be waited for, 2 when it is through.
        func begin(_ action: Int) { done[action].count = 1 }

        func act(_ action: Int) {
            PlainAccess.write(done[action])
            done[action].count = 2
        }

        func expectEnd() { scenario.expect(count == 1, "the pool has ended \(count) times") }
    }

    private func twoLast(_ scenario: Scenario) {
        let core = PoolCore(count: 2)
        let end = End(core, scenario, actions: 2)
        for index in 0..<2 {
            scenario.expect(core.ledgers[index].admit { false }, "refused")
            end.begin(index)
        }
        core.close(.draining)
        for index in 0..<2 {
            scenario.thread("\(index)") {
                end.act(index)
                core.finish(core.ledgers[index])
            }
        }
        scenario.finally { end.expectEnd() }
    }

    private func closingWhileFinishing(_ scenario: Scenario) {
        let core = PoolCore(count: 2)
        let end = End(core, scenario, actions: 1)
        scenario.expect(core.ledgers[0].admit { false }, "refused")
        end.begin(0)
        scenario.thread("finisher") {
            end.act(0)
            core.finish(core.ledgers[0])
        }
        scenario.thread("closer") { core.close(.cancelling) }
        scenario.finally { end.expectEnd() }
    }

    private func handOn(_ scenario: Scenario) {
        let core = PoolCore(count: 2)
        let end = End(core, scenario, actions: 2)
        let handedOver = SharedWord()
        scenario.expect(core.ledgers[0].admit { false }, "refused")
        end.begin(0)
        scenario.thread("first") {
            core.ledgers[0].run(waited: 0) {
                scenario.expect(core.ledgers[1].admit { core.isInside }, "refused from inside")
                end.begin(1)
                handedOver.raise()
                end.act(0)
            }
            core.finish(core.ledgers[0])
        }
        scenario.thread("second") {
            handedOver.blockingWaitUntilRaised()
            core.ledgers[1].run(waited: 0) { end.act(1) }
            core.finish(core.ledgers[1])
        }
        scenario.thread("closer") { core.close(.draining) }
        scenario.finally { end.expectEnd() }
    }

    private func comeWhileClosing(_ scenario: Scenario) {
        let core = PoolCore(count: 1)
        let end = End(core, scenario, actions: 2)
        for index in 0..<2 {
            scenario.thread("\(index)") {
                guard core.ledgers[0].admit(fromInside: { false }) else { return }
                end.act(index)
                scenario.expect(end.count == 0, "an action runs after the end")
                core.finish(core.ledgers[0])
            }
        }
        scenario.thread("closer") { core.close(.draining) }
        scenario.finally {
            end.expectEnd()
            scenario.expect(core.ledgers[0].look().isQuiet, "\(core.ledgers[0].load) actions are left")
        }
    }
#endif
