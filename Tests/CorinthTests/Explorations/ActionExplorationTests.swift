#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of threads that apply one action.
    @Suite("Action, all interleavings", .serialized)
    struct ActionExplorationTests {
        @Test
        func `A1: two threads apply an action: executions don't overlap, and the refused one fails with disabled`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0), twoApplications)
        }

        @Test func `R2: an action's properties are first observed while it executes: no change is lost or sent twice`()
        {
            expectSound(Bounds(preemptions: 2, oldReads: 0), observationOfAnAction)
        }

        @Test func `A1: an action is applied while its state disables it`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let state = MutableProperty<Int?>(1)
                let results = Holder([String]())
                let action = Action<Void, Int, Never>(unwrapping: state) { SignalProducer(value: $0) }
                scenario.watch(action, state)
                scenario.thread("state") { state.value = nil }
                scenario.thread("applier") { action.apply().start { results.held.append("\($0)") } }
                scenario.finally {
                    let possible = [["VALUE 1", "COMPLETED"], ["FAILED disabled"]]
                    scenario.expect(possible.contains(results.held), "\(results.held)")
                    scenario.expect(!action.isEnabled.value, "the action is enabled at the end")
                    scenario.expect(!action.isExecuting.value, "the action is executing at the end")
                }
            }
        }
    }

    /// One thread applies an action while another one observes its properties for the first time.
    func observationOfAnAction(_ scenario: Scenario) {
        let action = Action<Int, Int, Never> { SignalProducer(value: $0) }
        let executing = Changes(scenario)
        let enabled = Changes(scenario)
        scenario.watch(action)
        scenario.thread("applier") { action.apply(1).start() }
        scenario.thread("observer") {
            action.isExecuting.producer.startWithValues { executing.add($0 ? 1 : 0) }
            action.isEnabled.producer.startWithValues { enabled.add($0 ? 1 : 0) }
        }
        scenario.finally {
            scenario.expect([[0], [1, 0], [0, 1, 0]].contains(executing.values), "executing: \(executing.values)")
            scenario.expect([[1], [0, 1], [1, 0, 1]].contains(enabled.values), "enabled: \(enabled.values)")
            scenario.expect(action.isEnabled.value && !action.isExecuting.value, "the action is executing at the end")
        }
    }

    /// Two threads apply an action whose executions must not overlap.
    func twoApplications(_ scenario: Scenario) {
        let inside = SharedWord()
        let isWorking = Holder(false)
        let executions = Tally()
        let refusals = [Tally(), Tally()]
        let executing = Changes(scenario)
        let action = Action<Int, Int, Never> { input in
            SignalProducer { observer, _ in
                PlainAccess.write(executions)
                scenario.expect(!isWorking.held, "two executions overlap")
                isWorking.held = true
                executions.count += 1
                inside.pass()
                isWorking.held = false
                observer.send(value: input)
                observer.sendCompleted()
            }
        }
        action.isExecuting.signal.observeValues { executing.add($0 ? 1 : 0) }
        scenario.watch(action)
        for index in 0..<2 {
            scenario.thread("\(index)") {
                action.apply(index).start { if case .failed = $0 { refusals[index].count += 1 } }
            }
        }
        scenario.finally {
            let refused = refusals[0].count + refusals[1].count
            scenario.expect(executions.count + refused == 2, "\(executions.count) executed, \(refused) refused")
            scenario.expect(executions.count > 0, "no application executed")
            scenario.expect(
                executing.values == Array([1, 0, 1, 0].prefix(2 * executions.count)), "\(executing.values)")
            scenario.expect(action.isEnabled.value, "the action is not enabled at the end")
        }
    }
#endif
