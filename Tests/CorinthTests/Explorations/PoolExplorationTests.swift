#if Exploration
    @testable import Corinth
    import Testing

    /// Every interleaving of the calls that end a pool.
    @Suite("Pool, all interleavings", .serialized)
    struct PoolExplorationTests {
        @Test func `If two schedulers finish last, one of them ends the pool once, after both have finished`() {
            expectSound(Bounds(preemptions: 3), twoLast)
        }

        @Test func `A pool that is closed while its schedulers finish ends once`() {
            expectSound(Bounds(preemptions: 2), closingWhileFinishing)
        }

        @Test func `The pool's end waits for an action that another action has scheduled, on any scheduler`() {
            expectSound(Bounds(preemptions: 2), handOn)
        }

        @Test func `An action that is scheduled while the pool closes runs before the end or is refused`() {
            expectSound(Bounds(preemptions: 3), comeWhileClosing)
        }

        @Test func `Seeded bug: if finishing isn't sequentially consistent, a pool never ends`() {
            let mutation = Mutation(site: "finish()", operation: .compareExchange, effect: .notSequential)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, oldReads: 2), twoLast)
        }

        @Test func `Seeded bug: if looking isn't sequentially consistent, a pool never ends`() {
            let mutation = Mutation(site: "look()", operation: .load, effect: .notSequential)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, oldReads: 2), twoLast)
        }

        @Test func `Seeded bug: if closing isn't sequentially consistent, a pool never ends`() {
            let mutation = Mutation(site: "close(_:)", operation: .compareExchange, effect: .notSequential)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, oldReads: 2), closingWhileFinishing)
        }

        @Test func `Seeded bug: if finishing doesn't release, the end's waiter doesn't see the action's writes`() {
            let mutation = Mutation(site: "finish()", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 3), twoLast)
        }

        @Test
        func `Seeded bug: if an action is admitted with a plain store, it is lost, and the end doesn't wait for it`() {
            let mutation = Mutation(site: "admit(fromInside:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race, Bounds(preemptions: 3), comeWhileClosing)
        }

        @Test func `Seeded bug: if closing uses a plain store, a concurrently admitted action is lost`() {
            let mutation = Mutation(site: "close(_:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3), comeWhileClosing)
        }
    }

    /// Records a pool's end: it must happen once, after all actions, and with their writes visible.
    private final class End: @unchecked Sendable {  // It is plain memory, which the explorer watches.
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
                    scenario.expect(action.count != 1, "the pool ended before an action had finished")
                }
            }
            for state in core.states { scenario.watch(state) }
        }

        /// Sets the action's tally: 1 while the end must wait for it, 2 when it has finished.
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
            scenario.expect(core.states[index].admit { false }, "refused")
            end.begin(index)
        }
        core.close(.draining)
        for index in 0..<2 {
            scenario.thread("\(index)") {
                end.act(index)
                core.finish(core.states[index])
            }
        }
        scenario.finally { end.expectEnd() }
    }

    private func closingWhileFinishing(_ scenario: Scenario) {
        let core = PoolCore(count: 2)
        let end = End(core, scenario, actions: 1)
        scenario.expect(core.states[0].admit { false }, "refused")
        end.begin(0)
        scenario.thread("finisher") {
            end.act(0)
            core.finish(core.states[0])
        }
        scenario.thread("closer") { core.close(.cancelling) }
        scenario.finally { end.expectEnd() }
    }

    private func handOn(_ scenario: Scenario) {
        let core = PoolCore(count: 2)
        let end = End(core, scenario, actions: 2)
        let handedOver = SharedWord()
        scenario.expect(core.states[0].admit { false }, "refused")
        end.begin(0)
        scenario.thread("first") {
            core.states[0].run(waited: 0) {
                scenario.expect(core.states[1].admit { core.isInside }, "an action from inside was refused")
                end.begin(1)
                handedOver.raise()
                end.act(0)
            }
            core.finish(core.states[0])
        }
        scenario.thread("second") {
            handedOver.blockingWaitUntilRaised()
            core.states[1].run(waited: 0) { end.act(1) }
            core.finish(core.states[1])
        }
        scenario.thread("closer") { core.close(.draining) }
        scenario.finally { end.expectEnd() }
    }

    private func comeWhileClosing(_ scenario: Scenario) {
        let core = PoolCore(count: 1)
        let end = End(core, scenario, actions: 2)
        for index in 0..<2 {
            scenario.thread("\(index)") {
                guard core.states[0].admit(fromInside: { false }) else { return }
                end.act(index)
                scenario.expect(end.count == 0, "an action ran after the end")
                core.finish(core.states[0])
            }
        }
        scenario.thread("closer") { core.close(.draining) }
        scenario.finally {
            end.expectEnd()
            scenario.expect(core.states[0].look().isQuiet, "\(core.states[0].load) actions are left")
        }
    }
#endif
