#if Exploration
    @testable import Corinth
    import Testing

    /// Every interleaving of a few threads on the disposables that hold other disposables.
    @Suite("Disposables, all interleavings", .serialized)
    struct DisposableExplorationTests {
        @Test func `Of two threads that dispose, one runs the action, and both see the disposable as disposed of`() {
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

        @Test func `A thread that finds an action taken sees what was done before that`() {
            expectSound(Bounds(preemptions: nil)) { takeAction($0) }
            for mutation in [
                Mutation(site: "take()", operation: .update, effect: .relaxed),
                Mutation(site: "isTaken", operation: .load, effect: .relaxed),
            ] {
                expectCaught(mutation, as: .race) { takeAction($0) }
            }
        }

        private func takeAction(_ scenario: Scenario) {
            let contents = Tally()
            let action = OneShotAction {}
            scenario.watch(action)
            scenario.thread("A") {
                PlainAccess.write(contents)
                contents.count = 1
                _ = action.take()
            }
            scenario.thread("B") {
                if action.isTaken {
                    PlainAccess.read(contents)
                    scenario.expect(contents.count == 1, "the action was taken before")
                }
            }
        }

        @Test func `A disposable that is added while another thread disposes is disposed of once`() {
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

        @Test func `A disposable that is removed while another thread disposes runs once or never, and is released`() {
            expectSound(Bounds(preemptions: nil)) { scenario in
                let composite = CompositeDisposable()
                scenario.watch(composite)
                let leaks = LeakCounter()
                let runs = Tally()
                let kept = Tally()
                let token = Holder(leaks.token())
                let handle = composite.add { [token = leaks.token()] in
                    token.touch()
                    runs.count += 1
                }
                token.release()
                composite.add { kept.count += 1 }
                scenario.thread("A") { handle?.dispose() }
                scenario.thread("B") { composite.dispose() }
                scenario.finally {
                    scenario.expect(runs.count <= 1, "ran \(runs.count) times")
                    scenario.expect(kept.count == 1, "the remaining disposable ran \(kept.count) times")
                    scenario.expect(leaks.count == 0, "the removed disposable is still held")
                }
            }
        }

        @Test func `Contents that are set while other threads dispose are disposed of once and released`() {
            expectSound(Bounds(preemptions: 3)) { scenario in fill(scenario) }
        }

        /// An entry whose contents are set late. One thread removes it, and another disposes of the composite.
        private func fill(_ scenario: Scenario) {
            let composite = CompositeDisposable()
            let entry = DisposableEntry(nil, in: composite)
            composite.insert(entry)
            scenario.watch(entry)
            let leaks = LeakCounter()
            let runs = Tally()
            scenario.thread("A") {
                entry.fill(
                    AnyDisposable { [token = leaks.token()] in
                        token.touch()
                        runs.count += 1
                    })
            }
            scenario.thread("B") { composite.dispose() }
            scenario.thread("C") { entry.disposeOfContents() }
            scenario.finally {
                scenario.expect(entry.isDisposed, "not disposed")
                scenario.expect(runs.count == 1, "ran \(runs.count) times")
                scenario.expect(leaks.count == 0, "the contents are still held")
            }
        }

        @Test func `Seeded bug: if contents are set with a plain store, an earlier disposal doesn't dispose of them`() {
            let mutation = Mutation(site: "fill(_:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken) { scenario in fill(scenario) }
        }

        @Test func `Seeded bug: if contents are set without a release, they are read too early`() {
            let mutation = Mutation(site: "fill(_:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race) { scenario in fill(scenario) }
        }

        @Test
        func `Neighbours are removed while other threads add and dispose: the rest is disposed of once, in order`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let composite = CompositeDisposable()
                let log = Record()
                let leaks = LeakCounter()
                func add(_ number: Int) -> (any Disposable)? {
                    composite.add { [token = leaks.token()] in
                        token.touch()
                        log.numbers.append(number)
                    }
                }
                let handles = (0..<4).map { add($0) }
                scenario.thread("A") { handles[1]?.dispose() }
                scenario.thread("B") {
                    handles[2]?.dispose()
                    _ = add(4)
                }
                scenario.thread("C") { composite.dispose() }
                scenario.finally {
                    // A disposable that is added after the disposal is disposed of at once, concurrently with the others.
                    let kept = log.numbers.filter { $0 == 0 || $0 == 3 }
                    scenario.expect(kept == [0, 3] && log.numbers.contains(4), "kept: \(log.numbers)")
                    scenario.expect(Set(log.numbers).count == log.numbers.count, "twice: \(log.numbers)")
                    scenario.expect(leaks.count == 0, "a disposable is still held")
                }
            }
        }

        @Test
        func `When dispose() has returned, the added disposables are disposed of, even if other threads add more`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let composite = CompositeDisposable()
                let parts = (0..<15).map { _ in AnyDisposable() }
                for part in parts { composite.add(part) }
                let spent = composite.add(AnyDisposable())
                scenario.thread("adds") { composite.add(AnyDisposable()) }
                scenario.thread("takes out") { spent?.dispose() }
                scenario.thread("disposes") {
                    composite.dispose()
                    let late = parts.filter { !$0.isDisposed }.count
                    scenario.expect(late == 0, "dispose() has returned, but \(late) of 15 are not disposed of")
                }
            }
        }

        @Test func `A removed disposable leaves no entry behind, even if its neighbours are removed concurrently`() {
            expectSound(Bounds(preemptions: 3)) { takeOutNeighbours($0) }
        }

        @Test func `Seeded bugs: without the flag or its ordering, two threads change the links at once`() {
            for mutation in [
                Mutation(site: "acquire()", operation: .compareExchange, effect: .relaxed),
                Mutation(site: "acquire()", operation: .compareExchange, effect: .storeInstead),
                Mutation(site: "release(_:)", operation: .update, effect: .relaxed),
            ] {
                expectCaught(mutation, as: .race) { takeOutNeighbours($0) }
            }
        }

        /// Two neighbours. Each is removed by its own thread.
        private func takeOutNeighbours(_ scenario: Scenario) {
            let composite = CompositeDisposable()
            scenario.watch(composite)
            let handles = Holder((0..<2).map { _ in composite.add(AnyDisposable()) })
            let entries = handles.held.map { WeakEntry($0) }
            for index in 0..<2 { scenario.thread("\(index)") { handles.held[index]?.dispose() } }
            scenario.finally {
                handles.release()
                scenario.expect(entries.allSatisfy { $0.entry == nil }, "an entry is left over")
                scenario.expect(!composite.isDisposed, "disposed")
            }
        }

        @Test func `A handle that is disposed of before its entry is added leaves no entry behind`() {
            expectSound(Bounds(preemptions: nil)) { handOver($0) }
        }

        /// One thread adds. Another disposes of the handle, which it gets before the addition.
        private func handOver(_ scenario: Scenario) {
            let composite = CompositeDisposable()
            scenario.watch(composite)
            let leaks = LeakCounter()
            let entry = Holder(
                DisposableEntry(AnyDisposable { [token = leaks.token()] in token.touch() }, in: composite))
            let weakEntry = WeakEntry(entry.held)
            scenario.thread("A") { composite.insert(entry.held) }
            scenario.thread("B") { entry.held.dispose() }
            scenario.finally {
                entry.release()
                scenario.expect(leaks.count == 0, "the removed disposable is still held")
                scenario.expect(weakEntry.entry == nil, "an entry is left over")
            }
        }

        // MARK: Sweeps

        /// A disposable that has ended, or one that is disposed of.
        private final class Part: Disposable, @unchecked Sendable {  // Controlled threads run one at a time.
            let hasEnded: Bool
            let disposals: Tally
            private let token: AnyObject

            init(hasEnded: Bool, _ disposals: Tally, _ leaks: LeakCounter) {
                self.hasEnded = hasEnded
                self.disposals = disposals
                token = leaks.token()
            }

            var isDisposed: Bool { hasEnded }

            func dispose() { disposals.count += 1 }
        }

        @Test
        func `While a thread sweeps, others remove and dispose of what it looks at: nothing is lost or left over`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, sweeping: 3)) { sweep($0) }
        }

        @Test func `So is it with every older value that a thread may read`() {
            expectSound(Bounds(preemptions: 1, sweeping: 3)) { sweep($0) }
        }

        /// One thread adds a third disposable and therefore sweeps, one removes the second one, and one disposes of all.
        private func sweep(_ scenario: Scenario) {
            let composite = CompositeDisposable()
            let leaks = LeakCounter()
            let (first, last, removed, ended) = (Tally(), Tally(), Tally(), Tally())
            composite.add(Part(hasEnded: false, first, leaks))
            let handles = Holder(composite.add(Part(hasEnded: false, removed, leaks)))
            let entry = WeakEntry(handles.held)
            scenario.watch(composite)
            scenario.thread("sweeps") {
                composite.add(Part(hasEnded: true, ended, leaks))
                composite.add(Part(hasEnded: false, last, leaks))
            }
            scenario.thread("removes") { handles.held?.dispose() }
            scenario.thread("disposes") { composite.dispose() }
            scenario.finally {
                handles.release()
                scenario.expect(first.count == 1 && last.count == 1, "disposals: \(first.count), \(last.count)")
                scenario.expect(removed.count <= 1, "the removed disposable was disposed of \(removed.count) times")
                scenario.expect(leaks.count == 0, "a disposable is still held")
                scenario.expect(entry.entry == nil, "an entry is left over")
            }
        }

        @Test func `A sweep leaves what hasn't ended, in its order, and what another thread adds meanwhile`() {
            expectSound(Bounds(preemptions: 3, oldReads: 0, sweeping: 3)) { scenario in
                let composite = CompositeDisposable()
                let leaks = LeakCounter()
                let log = Record()
                func add(_ number: Int) { composite.add(AnyDisposable { log.numbers.append(number) }) }
                add(0)
                composite.add(Part(hasEnded: true, Tally(), leaks))
                scenario.watch(composite)
                scenario.thread("A") { add(1) }
                scenario.thread("B") { add(2) }
                scenario.finally {
                    scenario.expect(leaks.count == 0, "what has ended is still held")
                    composite.dispose()
                    scenario.expect([[0, 1, 2], [0, 2, 1]].contains(log.numbers), "disposed of: \(log.numbers)")
                }
            }
        }

        @Test func `Contents that are set while another thread sweeps are kept until the disposal`() {
            expectSound(Bounds(preemptions: 3, sweeping: 2)) { fillWhileSweeping($0) }
        }

        /// One thread sets the contents of an entry, and another one sweeps.
        private func fillWhileSweeping(_ scenario: Scenario) {
            let composite = CompositeDisposable()
            let leaks = LeakCounter()
            let disposals = Tally()
            let entry = DisposableEntry(nil, in: composite)
            composite.insert(entry)
            scenario.watch(entry)
            scenario.thread("fills") { entry.fill(Part(hasEnded: false, disposals, leaks)) }
            scenario.thread("sweeps") { composite.add {} }
            scenario.finally {
                scenario.expect(leaks.count == 1, "the contents aren't held")
                composite.dispose()
                scenario.expect(disposals.count == 1 && leaks.count == 0, "\(disposals.count) disposals")
            }
        }

        @Test
        func `Seeded bugs: without the flag's ordering, or if contents are read too early, a sweep races with others`()
        {
            for mutation in [
                Mutation(site: "acquire()", operation: .compareExchange, effect: .relaxed),
                Mutation(site: "release(_:)", operation: .update, effect: .relaxed),
            ] {
                expectCaught(mutation, as: .race, Bounds(sweeping: 3)) { sweep($0) }
            }
            for mutation in [
                Mutation(site: "contentsOfLinked", operation: .load, effect: .relaxed),
                Mutation(site: "fill(_:)", operation: .compareExchange, effect: .relaxed),
            ] {
                expectCaught(mutation, as: .race, Bounds(sweeping: 2)) { fillWhileSweeping($0) }
            }
        }

        @Test
        func `A kept object is released once: by a thread that releases it, by the disposal, or at once after that`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { keep($0) }
        }

        @Test func `Seeded bugs: without the flag or its ordering, two threads release a kept object, or none does`() {
            for mutation in [
                Mutation(site: "acquire()", operation: .compareExchange, effect: .relaxed),
                Mutation(site: "acquire()", operation: .compareExchange, effect: .storeInstead),
                Mutation(site: "release(_:)", operation: .update, effect: .relaxed),
            ] {
                expectCaught(mutation, as: .race) { keep($0) }
            }
        }

        /// One thread has the composite keep an object, one has it released, and one disposes of the composite.
        private func keep(_ scenario: Scenario) {
            let composite = CompositeDisposable()
            scenario.watch(composite)
            let leaks = LeakCounter()
            scenario.thread("A") { _ = composite.keep(leaks.token()) }
            scenario.thread("B") { composite.dispose() }
            scenario.thread("C") { composite.releaseKept() }
            scenario.finally {
                scenario.expect(composite.isDisposed, "not disposed")
                scenario.expect(leaks.count == 0, "the object is still held, or was released too often")
                let isKept = composite.keep(leaks.token())
                scenario.expect(!isKept && leaks.count == 0, "an object is kept after the disposal")
            }
        }

        @Test func `A composite that is released while its handles are disposed of disposes of nothing`() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { scenario in
                let composite = Holder(CompositeDisposable())
                let leaks = LeakCounter()
                let runs = Tally()
                let handles = (0..<3).map { _ in
                    composite.held.add { [token = leaks.token()] in
                        token.touch()
                        runs.count += 1
                    }
                }
                let gone = WeakEntry(composite.held)
                scenario.thread("A") { handles[0]?.dispose() }
                scenario.thread("B") { composite.release() }
                scenario.thread("C") { handles[1]?.dispose() }
                scenario.finally {
                    scenario.expect(gone.entry == nil, "the composite is still alive")
                    handles[2]?.dispose()
                    scenario.expect(leaks.count == 0, "a disposable is still held")
                    scenario.expect(runs.count == 0, "a disposable was disposed of")
                }
            }
        }

        @Test func `A thread that sees a composite as disposed of also sees what was done before the disposal`() {
            expectSound(Bounds(preemptions: nil)) { observeDisposal(of: CompositeDisposable(), $0) }
            let mutation = Mutation(site: "close(_:)", operation: .store, effect: .relaxed)
            expectCaught(mutation, as: .race) { observeDisposal(of: CompositeDisposable(), $0) }
        }

        @Test func `So does a thread that sees a disposable with an action as disposed of`() {
            expectSound(Bounds(preemptions: nil)) { observeDisposal(of: AnyDisposable {}, $0) }
            for mutation in [
                Mutation(site: "dispose()", operation: .update, effect: .relaxed),
                Mutation(site: "isDisposed", operation: .load, effect: .relaxed),
            ] {
                expectCaught(mutation, as: .race) { observeDisposal(of: AnyDisposable {}, $0) }
            }
        }

        private func observeDisposal(of disposable: some Disposable & AnyObject, _ scenario: Scenario) {
            scenario.watch(disposable)
            let before = Tally()
            scenario.thread("A") {
                PlainAccess.write(before)
                disposable.dispose()
            }
            scenario.thread("B") { if disposable.isDisposed { PlainAccess.read(before) } }
        }

        @Test func `An inner disposable is disposed of once: when it is replaced, or with its serial disposable`() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { scenario in
                let serial = SerialDisposable()
                let runs = [Tally(), Tally()]
                for index in 0..<2 {
                    scenario.thread("\(index)") { serial.inner = AnyDisposable { runs[index].count += 1 } }
                }
                scenario.thread("C") { serial.dispose() }
                scenario.finally {
                    scenario.expect(
                        serial.isDisposed && serial.inner == nil, "the serial disposable still holds its inner one")
                    scenario.expect(runs.map(\.count) == [1, 1], "runs: \(runs.map(\.count))")
                }
            }
        }
    }

    /// The recorded actions, in order.
    private final class Record: @unchecked Sendable {  // Controlled threads run one at a time.
        var numbers: [Int] = []
    }

    private final class WeakEntry: @unchecked Sendable {  // Read when the threads have ended.
        weak var entry: AnyObject?

        init(_ entry: AnyObject?) { self.entry = entry }
    }
#endif
