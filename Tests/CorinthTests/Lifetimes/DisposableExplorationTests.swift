#if Exploration
    @testable import Corinth
    import Testing

    /// Every interleaving of what a few threads do to the disposables that hold others.
    @Suite("Disposables, all interleavings", .serialized)
    struct DisposableExplorationTests {
        @Test("Of two threads that dispose, one runs the action, and both find it done or in progress")
        func disposesOnce() {
            expectSound(Bounds(preemptions: nil)) { scenario in
                let runs = Tally()
                let disposable = AnyDisposable { runs.count += 1 }
                scenario.watch(disposable)
                for name in ["A", "B"] {
                    scenario.thread(name) {
                        disposable.dispose()
                        scenario.expect(disposable.isDisposed, "not disposed after dispose()")
                    }
                }
                scenario.finally { scenario.expect(runs.count == 1, "the action ran \(runs.count) times") }
            }
        }

        @Test("What is added while another thread disposes is disposed of, once")
        func addRacesDispose() {
            expectSound(Bounds(preemptions: nil)) { scenario in
                let composite = CompositeDisposable()
                scenario.watch(composite)
                let first = Tally()
                let second = Tally()
                scenario.thread("A") {
                    composite.add { first.count += 1 }
                    composite.add { second.count += 1 }
                }
                scenario.thread("B") { composite.dispose() }
                scenario.finally {
                    scenario.expect(composite.isDisposed, "not disposed")
                    scenario.expect([first.count, second.count] == [1, 1], "runs: \([first.count, second.count])")
                }
            }
        }

        @Test("What is taken out while another thread disposes runs once or never, and is let go of")
        func removeRacesDispose() {
            expectSound(Bounds(preemptions: nil)) { scenario in
                let composite = CompositeDisposable()
                scenario.watch(composite)
                let live = Live()
                let runs = Tally()
                let kept = Tally()
                let token = Holder(live.token())
                let handle = composite.add { [token = live.token()] in
                    token.touch()
                    runs.count += 1
                }
                token.release()
                composite.add { kept.count += 1 }
                scenario.thread("A") { handle?.dispose() }
                scenario.thread("B") { composite.dispose() }
                scenario.finally {
                    scenario.expect(runs.count <= 1, "ran \(runs.count) times")
                    scenario.expect(kept.count == 1, "the other one ran \(kept.count) times")
                    scenario.expect(live.count == 0, "what was taken out is still held")
                }
            }
        }

        @Test("What an entry is filled with while others dispose is disposed of once, and let go of")
        func fillRacesDispose() {
            expectSound(Bounds(preemptions: .exhaustive(or: 3))) { scenario in fill(scenario) }
        }

        /// An entry whose contents come late, one thread that takes it out, and one that disposes of all.
        private func fill(_ scenario: Scenario) {
            let composite = CompositeDisposable()
            let entry = CompositeEntry(nil)
            composite.insert(entry)
            scenario.watch(entry)
            let live = Live()
            let runs = Tally()
            scenario.thread("A") {
                entry.fill(
                    AnyDisposable { [token = live.token()] in
                        token.touch()
                        runs.count += 1
                    })
            }
            scenario.thread("B") { composite.dispose() }
            scenario.thread("C") { entry.disposeOfContents() }
            scenario.finally {
                scenario.expect(entry.isDisposed, "not disposed")
                scenario.expect(runs.count == 1, "ran \(runs.count) times")
                scenario.expect(live.count == 0, "what it was filled with is still held")
            }
        }

        @Test("Seeded bug: contents put in by a plain store aren't disposed of by who was there before")
        func fillByStore() {
            let mutation = Mutation(site: "fill(_:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken) { scenario in fill(scenario) }
        }

        @Test("Seeded bug: contents put in without release are taken too early")
        func fillRelaxed() {
            let mutation = Mutation(site: "fill(_:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race) { scenario in fill(scenario) }
        }

        @Test("Clearing out the shells of what was taken out loses nothing that is added or disposed of meanwhile")
        func shellsRaceAddAndDispose() {
            expectSound(Bounds(preemptions: .raised(from: 2), oldReads: 0)) { scenario in
                let composite = CompositeDisposable()
                let runs = [Tally(), Tally()]
                composite.add { runs[0].count += 1 }
                var handles = (0..<14).map { _ in composite.add(AnyDisposable()) }
                // One short of the size at which the shells are dropped: by thread B.
                let last = handles.popLast() ?? nil
                for handle in handles { handle?.dispose() }
                scenario.thread("A") { last?.dispose() }
                scenario.thread("B") { composite.add { runs[1].count += 1 } }
                scenario.thread("C") { composite.dispose() }
                scenario.finally { scenario.expect(runs.map(\.count) == [1, 1], "runs: \(runs.map(\.count))") }
            }
        }

        @Test("What is put into a serial disposable is disposed of when it is replaced, and with it, once")
        func serial() {
            expectSound(Bounds(preemptions: .exhaustive(or: 3), oldReads: 0)) { scenario in
                let serial = SerialDisposable()
                let runs = [Tally(), Tally()]
                for index in 0..<2 {
                    scenario.thread("\(index)") { serial.inner = AnyDisposable { runs[index].count += 1 } }
                }
                scenario.thread("C") { serial.dispose() }
                scenario.finally {
                    scenario.expect(serial.isDisposed && serial.inner == nil, "still holds something")
                    scenario.expect(runs.map(\.count) == [1, 1], "runs: \(runs.map(\.count))")
                }
            }
        }

        @Test("Seeded bug: pushing by a plain store loses what is added to a composite that is disposed of meanwhile")
        func pushByStore() {
            let mutation = Mutation(site: "push(_:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken) { scenario in
                let composite = CompositeDisposable()
                let runs = Tally()
                scenario.thread("A") { composite.add { runs.count += 1 } }
                scenario.thread("B") { composite.dispose() }
                scenario.finally { scenario.expect(runs.count == 1, "ran \(runs.count) times") }
            }
        }
    }
#endif
