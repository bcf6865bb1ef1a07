#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of a start that sends and a thread that disposes of it.
    @Suite("SignalProducer, all interleavings", .serialized)
    struct SignalProducerExplorationTests {
        @Test
        func
            `P2: a start is disposed of while another thread sends and ends it: one end, and one release of the resources`()
        {
            expectSound(Bounds(preemptions: nil, oldReads: 0)) { scenario in
                let releases = Tally()
                let ends = Tally()
                let input = Holder<Signal<Int, Never>.Observer?>(nil)
                let producer = SignalProducer<Int, Never> { observer, lifetime in
                    input.held = observer
                    lifetime.observeEnded { releases.count += 1 }
                }
                let disposable = producer.map { $0 + 1 }.start { event in
                    scenario.expect(ends.count == 0, "\(event) was delivered after the end")
                    if event.isTerminating { ends.count += 1 }
                }
                scenario.keep(input)
                scenario.thread("A") {
                    input.held?.send(value: 1)
                    input.held?.sendCompleted()
                }
                scenario.thread("B") { disposable.dispose() }
                scenario.finally {
                    scenario.expect(ends.count == 1, "\(ends.count) ends")
                    scenario.expect(releases.count == 1, "the resources were released \(releases.count) times")
                    scenario.expect(disposable.isDisposed, "the start is not disposed of")
                }
            }
        }

        @Test func `P2: a start can be disposed of on another thread while its start handler runs`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let releases = Tally()
                let ends = Tally()
                let handle = Holder<(any Disposable)?>(nil)
                let ready = SharedWord()
                let producer = SignalProducer<Int, Never> { observer, lifetime in
                    lifetime.observeEnded { releases.count += 1 }
                    observer.send(value: 1)
                    observer.sendCompleted()
                }
                scenario.thread("A") {
                    producer.startWithSignal { signal, interrupter in
                        signal.observe { event in
                            scenario.expect(ends.count == 0, "\(event) was delivered after the end")
                            if event.isTerminating { ends.count += 1 }
                        }
                        handle.held = interrupter
                        ready.raise()
                    }
                }
                scenario.thread("B") {
                    ready.blockingWaitUntilRaised()
                    handle.held?.dispose()
                }
                scenario.finally {
                    scenario.expect(ends.count == 1, "\(ends.count) ends")
                    scenario.expect(releases.count <= 1, "the resources were released \(releases.count) times")
                }
            }
        }

        @Test func `P1: two concurrent starts share no state`() {
            expectSound(Bounds(preemptions: nil, oldReads: 0)) { scenario in
                let producer = SignalProducer<Int, Never>([1, 2, 3]).scan(0, +).take(first: 2)
                let results = [Log(), Log()]
                for index in 0..<2 {
                    scenario.thread("\(index)") { producer.start { results[index].entries.append("\($0)") } }
                }
                scenario.finally {
                    for result in results {
                        let expected = ["VALUE 1", "VALUE 3", "COMPLETED"]
                        scenario.expect(result.entries == expected, "\(result.entries)")
                    }
                }
            }
        }

        @Test
        func `P2: a disposable that is added to a run while another thread disposes of the run is disposed of once`() {
            for count in 1...2 {
                expectSound(Bounds(preemptions: nil)) { holders(count, $0) }
            }
        }

        @Test
        func
            `Seeded bug: if a run records with a plain store that it holds a disposable, it forgets that it has ended`()
        {
            let mutation = Mutation(site: "holdsMore(_:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken) { holders(1, $0) }
        }

        @Test
        func `Seeded bug: if a run records without a release that it holds a disposable, the disposable isn't visible`()
        {
            let mutation = Mutation(site: "holdsMore(_:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race) { holders(1, $0) }
        }

        @Test func `Seeded bug: if a run ends without an acquire, it doesn't see the disposables that it holds`() {
            let mutation = Mutation(site: "dispose()", operation: .update, effect: .relaxed)
            expectCaught(mutation, as: .race) { holders(1, $0) }
        }

        @Test func `P2: a source releases itself from a run while the run gets another one and is disposed of`() {
            expectSound(Bounds(preemptions: nil)) { releasing($0, disposing: false) }
            expectSound(Bounds(preemptions: 2)) { releasing($0, disposing: true) }
        }

        @Test func `Seeded bug: if a disposable is released with a plain store, two threads take it`() {
            let mutation = Mutation(site: "release(_:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race) { releasing($0, disposing: true) }
        }

        @Test func `Seeded bug: if a disposable is released without an acquire, it isn't visible`() {
            let mutation = Mutation(site: "release(_:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race) { releasing($0, disposing: false) }
        }

        /// One thread starts and adds two disposables to the run. Another thread releases the first one. If `disposing`, a
        /// third thread disposes of the run.
        private func releasing(_ scenario: Scenario, disposing: Bool) {
            let run = ProducerRun()
            scenario.watch(run)
            let (first, second) = (Tally(), Tally())
            scenario.thread("A") {
                run.hold(AnyDisposable { first.count += 1 })
                run.hold(AnyDisposable { second.count += 1 })
            }
            // Before the first one is held, this has no effect.
            scenario.thread("B") { run.release(nil) }
            if disposing { scenario.thread("C") { run.dispose() } }
            scenario.finally {
                if !disposing { run.dispose() }
                scenario.expect(first.count <= 1, "the first one was disposed of \(first.count) times")
                scenario.expect(second.count == 1, "the second one was disposed of \(second.count) times")
                scenario.expect(run.isDisposed, "the run is not disposed of")
            }
        }

        /// One thread starts and adds `count` disposables to the run. Another thread disposes of it.
        private func holders(_ count: Int, _ scenario: Scenario) {
            let run = ProducerRun()
            scenario.watch(run)
            let disposals = (0..<count).map { _ in Tally() }
            scenario.thread("A") {
                for disposal in disposals { run.hold(AnyDisposable { disposal.count += 1 }) }
            }
            scenario.thread("B") { run.dispose() }
            scenario.finally {
                scenario.expect(run.isDisposed, "the run is not disposed of")
                scenario.expect(disposals.allSatisfy { $0.count == 1 }, "disposals: \(disposals.map(\.count))")
            }
        }

        /// The events that one start delivered.
        private final class Log: @unchecked Sendable {  // A single thread uses it.
            var entries: [String] = []
        }
    }
#endif
