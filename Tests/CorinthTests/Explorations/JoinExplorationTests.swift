#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of two threads that send to two signals whose results are combined.
    @Suite("Merge, combineLatest, zip, all interleavings", .serialized)
    struct JoinExplorationTests {
        @Test func `E1, E2, E4: merge delivers every value, one at a time, and completes once both sources have`() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { scenario in
                let pipes = [Signal<Int, Never>.pipe(), Signal<Int, Never>.pipe()]
                let deliveries = Deliveries(scenario)
                let ends = Tally()
                Signal.merge(pipes.map(\.output)).observe { event in
                    scenario.expect(ends.count == 0, "\(event) was delivered after the end")
                    guard let value = event.value else {
                        ends.count += 1
                        return
                    }
                    deliveries.deliver(Sent(sender: value < 0 ? "A" : "B", number: abs(value)))
                }
                scenario.keep(pipes[0].input, pipes[1].input)
                for pipe in pipes { scenario.watch(pipe.output.core) }
                for (index, name) in ["A", "B"].enumerated() {
                    scenario.thread(name) {
                        pipes[index].input.send(value: index == 0 ? -1 : 1)
                        pipes[index].input.sendCompleted()
                    }
                }
                scenario.finally {
                    deliveries.expectAll(["A": 1, "B": 1])
                    scenario.expect(ends.count == 1, "\(ends.count) ends")
                }
            }
        }

        @Test func `combineLatest ends with the latest value of each source, in every order`() {
            expectPairs([["11", "21"], ["21"]]) { $0.combineLatest(with: $1) }
        }

        @Test func `zip pairs one value of each source, in every order`() {
            expectPairs([["11"]]) { $0.zip(with: $1) }
        }

        @Test func `withLatest combines each later value of the left with the latest value of the right`() {
            expectPairs([["11", "21"], ["21"], []]) { $0.withLatest(from: $1) }
        }

        @Test func `sample emits the latest value of the left`() {
            expectPairs([["11"], ["21"], []]) { $0.sample(with: $1) }
        }

        @Test func `take(until:) ends with the trigger or with the source`() {
            expectPairs([["10", "20"], ["10"], []]) { source, trigger in
                source.take(until: trigger.map { _ in }).map { ($0, 0) }
            }
        }

        @Test func `skip(until:) begins with the trigger`() {
            expectPairs([["10", "20"], ["20"], []]) { source, trigger in
                source.skip(until: trigger.map { _ in }).map { ($0, 0) }
            }
        }

        @Test
        func
            `take(untilReplacement:) passes the source's values on until the replacement emits, then the replacement's`()
        {
            expectPairs([["10", "20", "11"], ["10", "11"], ["11"]]) { source, replacement in
                source.map { ($0, 0) }.take(untilReplacement: replacement.map { ($0, 1) })
            }
        }

        /// The left sends 1 and 2, the right sends 1, and both complete. The result must be one of the outcomes, and all of the
        /// outcomes must occur.
        private func expectPairs(
            _ outcomes: Set<[String]>, title: String = #function,
            of combine: @escaping (Signal<Int, Never>, Signal<Int, Never>) -> Signal<(Int, Int), Never>
        ) {
            var seen: Set<[String]> = []
            expectSound(Bounds(preemptions: 2, oldReads: 0), title: title) { scenario in
                let left = Signal<Int, Never>.pipe()
                let right = Signal<Int, Never>.pipe()
                let results = Results(scenario)
                combine(left.output, right.output).observe { event in
                    switch event {
                    case .value(let pair): results.note("\(pair.0)\(pair.1)")
                    default: results.end()
                    }
                }
                scenario.keep(left.input, right.input)
                scenario.watch(left.output.core, right.output.core)
                scenario.thread("left") {
                    for value in 1...2 { left.input.send(value: value) }
                    left.input.sendCompleted()
                }
                scenario.thread("right") {
                    right.input.send(value: 1)
                    right.input.sendCompleted()
                }
                scenario.finally {
                    scenario.expect(outcomes.contains(results.notes), "the result was \(results.notes)")
                    scenario.expect(results.hasEnded, "the result has not ended")
                    seen.insert(results.notes)
                }
            }
            #expect(seen == outcomes)
        }

        /// The output. It is plain memory, which the explorer watches.
        private final class Results: @unchecked Sendable {  // The code under test serialises access.
            private let scenario: Scenario
            private(set) var notes: [String] = []
            private(set) var hasEnded = false

            init(_ scenario: Scenario) {
                self.scenario = scenario
            }

            func note(_ what: String) {
                PlainAccess.write(self)
                scenario.expect(!hasEnded, "\(what) was delivered after the end")
                notes.append(what)
            }

            func end() {
                PlainAccess.write(self)
                scenario.expect(!hasEnded, "two ends were delivered")
                hasEnded = true
            }
        }
    }
#endif
