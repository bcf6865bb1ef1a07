#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of an outer stream that emits inner ones, of their ends, and of a thread that owns the strand
    /// meanwhile.
    @Suite("Flatten, all interleavings", .serialized)
    struct AdmissionExplorationTests {
        @Test func `An inner signal's first value is delivered, whichever thread owns the strand when it starts`() {
            let strategies: [FlattenStrategy] = [
                .merge, .concat, .concurrent(limit: 2), .concatEager(), .latest, .race, .throttle,
            ]
            for strategy in strategies {
                expectSound(Bounds(preemptions: 2, oldReads: 0), title: "\(strategy)") { scenario in
                    let outer = Signal<Signal<Int, Never>, Never>.pipe()
                    let inner = Signal<Int, Never>.pipe()
                    let result = outer.output.flatten(strategy)
                    let deliveries = Deliveries(scenario)
                    result.observeValues { deliveries.deliver(Sent(sender: "inner", number: $0)) }
                    scenario.keep(outer.input, inner.input)
                    scenario.watch(outer.output.core, inner.output.core, result.core)
                    scenario.thread("outer") {
                        outer.input.send(value: inner.output)
                        inner.input.send(value: 1)
                    }
                    scenario.thread("observer") { result.observeValues { _ in }?.dispose() }
                    scenario.finally { deliveries.expectAll(["inner": 1]) }
                }
            }
        }

        @Test func `Successive inner signals lose no values`() {
            let strategies: [FlattenStrategy] = [.concat, .throttle, .latest]
            for strategy in strategies {
                expectSound(Bounds(preemptions: 1, oldReads: 0), title: "\(strategy)") { scenario in
                    let outer = Signal<Signal<Int, Never>, Never>.pipe()
                    let inners = [Signal<Int, Never>.pipe(), Signal<Int, Never>.pipe()]
                    let result = outer.output.flatten(strategy)
                    let log = Log(scenario)
                    result.observe { log.note($0) }
                    scenario.keep(outer.input, inners[0].input, inners[1].input)
                    scenario.thread("outer") {
                        for (index, inner) in inners.enumerated() {
                            outer.input.send(value: inner.output)
                            inner.input.send(value: index)
                            inner.input.sendCompleted()
                        }
                        outer.input.sendCompleted()
                    }
                    scenario.thread("observer") { result.observeValues { _ in }?.dispose() }
                    scenario.finally { log.expect([0, 1]) }
                }
            }
        }

        @Test func `Queued inner streams run one at a time and in FIFO order, whenever the previous one ends`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { takeTurns($0, .concat) }
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { takeTurns($0, .concatEager(limit: 1)) }
        }

        @Test func `concatEager keeps the order of the inner streams, whichever threads start and end them`() {
            // The second stream may run at once, and the third one waits or not. If the thread that ends the first stream owns
            // the strand, it opens the third one.
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                endFirst(scenario, .concatEager(limit: 2)) { outer in
                    outer.send(value: SignalProducer([1]))
                    outer.send(value: SignalProducer([2]))
                }
            }
        }

        @Test(arguments: [
            Mutation(site: "takeOut()", operation: .update, effect: .skipped),
            Mutation(site: "wait(limit:)", operation: .compareExchange, effect: .storeInstead),
            Mutation(site: "finish()", operation: .compareExchange, effect: .storeInstead),
        ])
        func `Seeded bugs: a queued stream is never started, or two run in one slot`(mutation: Mutation) {
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, oldReads: 0)) { takeTurns($0, .concat) }
        }

        /// The outer stream emits two streams, one of which needs no start.
        private func takeTurns(_ scenario: Scenario, _ strategy: FlattenStrategy) {
            let running = Tally()
            endFirst(scenario, strategy) { outer in
                outer.send(
                    value: SignalProducer { observer, _ in
                        running.count += 1
                        scenario.expect(running.count == 1, "two inner streams run")
                        observer.send(value: 1)
                        running.count -= 1
                        observer.sendCompleted()
                    })
                outer.send(value: SignalProducer(value: 2))
            }
        }

        /// A signal runs while the outer stream emits what sends 1 and 2. Another thread ends the signal.
        private func endFirst(
            _ scenario: Scenario, _ strategy: FlattenStrategy,
            _ emit: @escaping (Signal<SignalProducer<Int, Never>, Never>.Observer) -> Void
        ) {
            let outer = Signal<SignalProducer<Int, Never>, Never>.pipe()
            let first = Signal<Int, Never>.pipe()
            let log = Log(scenario)
            outer.output.flatten(strategy).observe { log.note($0) }
            outer.input.send(value: SignalProducer(first.output))
            scenario.keep(outer.input, first.input)
            scenario.thread("outer") { emit(outer.input) }
            scenario.thread("inner") {
                first.input.send(value: 0)
                first.input.sendCompleted()
            }
            scenario.finally {
                // The slot must be free again.
                outer.input.send(value: SignalProducer([3, 4]))
                outer.input.sendCompleted()
                log.expect([0, 1, 2, 3, 4])
            }
        }

        /// The output. It is plain memory, which the explorer watches.
        private final class Log: @unchecked Sendable {  // The code under test serialises access.
            private let scenario: Scenario
            private var values: [Int] = []
            private var ends = 0

            init(_ scenario: Scenario) {
                self.scenario = scenario
            }

            func note(_ event: Signal<Int, Never>.Event) {
                PlainAccess.write(self)
                scenario.expect(ends == 0, "\(event) was delivered after the end")
                if let value = event.value { values.append(value) } else { ends += 1 }
            }

            func expect(_ expected: [Int]) {
                scenario.expect(values == expected, "\(values) came")
                scenario.expect(ends == 1, "\(ends) ends")
            }
        }
    }
#endif
