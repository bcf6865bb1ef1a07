#if Exploration
    import CTestSupport
    @testable import Corinth
    import Testing

    /// The explorer finds the bugs it is built to find, and reports no others. These are the litmus tests of memory models.
    @Suite("Explorer", .serialized)
    struct ExplorerTests {
        let all = Bounds(preemptions: nil, oldReads: 2, delayedStores: 1)

        @Test func `The explorer finds a lost update`() {
            let outcome = explore(all) { scenario in
                let count = SharedWord()
                for name in ["A", "B"] {
                    scenario.thread(name) { count.word.store(count.word.load(.acquire) + 1, .release) }
                }
                scenario.finally { scenario.expect(count.word.load(.relaxed) == 2, "an update is lost") }
            }
            #expect(outcome.failure == .broken("an update is lost"))
        }

        @Test func `Atomic updates are not lost, and the explorer meets every order of them`() {
            var orders: Set<[UInt64]> = []
            let outcome = explore(all) { scenario in
                let count = SharedWord()
                var seen: [UInt64] = [0, 0, 0]
                for index in 0..<3 {
                    scenario.thread("\(index)") { seen[index] = count.word.fetchAdd(1, .relaxed) }
                }
                scenario.finally { orders.insert(seen) }
            }
            #expect(outcome.failure == nil)
            #expect(outcome.isComplete)
            #expect(orders.count == 6)
        }

        @Test
        func
            `Store buffering: both loads can miss the other thread's store unless all accesses are sequentially consistent`()
        {
            #expect(storeBuffering(.relaxed, .relaxed).contains([0, 0]))
            #expect(storeBuffering(.release, .acquire).contains([0, 0]))
            #expect(storeBuffering(.sequential, .acquire).contains([0, 0]))
            #expect(storeBuffering(.sequential, .sequential) == [[0, 1], [1, 0], [1, 1]])
        }

        private func storeBuffering(_ store: StoreOrder, _ load: LoadOrder) -> Set<[UInt64]> {
            var outcomes: Set<[UInt64]> = []
            _ = explore(all) { scenario in
                let words = [SharedWord(), SharedWord()]
                var seen: [UInt64] = [9, 9]
                for index in 0..<2 {
                    scenario.watch(words[index])
                    scenario.thread("\(index)") {
                        words[index].word.store(1, store)
                        seen[index] = words[1 - index].word.load(load)
                    }
                }
                scenario.finally { outcomes.insert(seen) }
            }
            return outcomes
        }

        @Test func `Store buffering with barriers: one heavy and one light barrier suffice, two light ones don't`() {
            #expect(
                storeBuffering({ AsymmetricBarrier.light() }, { AsymmetricBarrier.heavy() }) == [
                    [0, 1], [1, 0], [1, 1],
                ])
            #expect(
                storeBuffering({ AsymmetricBarrier.heavy() }, { AsymmetricBarrier.heavy() }) == [
                    [0, 1], [1, 0], [1, 1],
                ])
            #expect(storeBuffering({ AsymmetricBarrier.light() }, { AsymmetricBarrier.light() }).contains([0, 0]))
            // Without a light barrier, the compiler may move the load before the store.
            #expect(storeBuffering({}, { AsymmetricBarrier.heavy() }).contains([0, 0]))
        }

        private func storeBuffering(_ first: @escaping () -> Void, _ second: @escaping () -> Void) -> Set<[UInt64]> {
            var outcomes: Set<[UInt64]> = []
            _ = explore(all) { scenario in
                let words = [SharedWord(), SharedWord()]
                var seen: [UInt64] = [9, 9]
                for (index, barrier) in [first, second].enumerated() {
                    scenario.watch(words[index])
                    scenario.thread("\(index)") {
                        words[index].word.store(1, .relaxed)
                        barrier()
                        seen[index] = words[1 - index].word.load(.relaxed)
                    }
                }
                scenario.finally { outcomes.insert(seen) }
            }
            return outcomes
        }

        @Test
        func `A load after a light barrier may still see an older value, and only a heavy barrier between forbids it`()
        {
            func read(_ barrier: @escaping () -> Void) -> Set<UInt64> {
                var outcomes: Set<UInt64> = []
                _ = explore(all) { scenario in
                    let word = SharedWord()
                    let written = SharedWord()
                    scenario.watch(word)
                    scenario.thread("A") {
                        word.word.store(1, .relaxed)
                        barrier()
                        written.word.store(1, .relaxed)
                    }
                    scenario.thread("B") {
                        if written.word.load(.relaxed) == 1 { outcomes.insert(word.word.load(.relaxed)) }
                    }
                }
                return outcomes
            }
            #expect(read { AsymmetricBarrier.light() } == [0, 1])
            #expect(read { AsymmetricBarrier.heavy() } == [1])
        }

        @Test func `Stores may become visible in another order than they ran, unless the later one releases`() {
            #expect(crossedStores(.relaxed).contains([1, 1]))
            #expect(!crossedStores(.release).contains([1, 1]))
            #expect(!crossedStores(.relaxed, delayedStores: 0).contains([1, 1]))
        }

        /// What two threads leave that write two words in opposite orders: first 1, then 2.
        private func crossedStores(_ order: StoreOrder, delayedStores: Int = 1) -> Set<[UInt64]> {
            var outcomes: Set<[UInt64]> = []
            var bounds = all
            bounds.delayedStores = delayedStores
            let outcome = explore(bounds) { scenario in
                let words = [SharedWord(), SharedWord()]
                for index in 0..<2 {
                    scenario.watch(words[index])
                    scenario.thread("\(index)") {
                        words[index].word.store(1, .relaxed)
                        words[1 - index].word.store(2, order)
                    }
                }
                scenario.finally { outcomes.insert(words.map { $0.word.load(.relaxed) }) }
            }
            #expect(outcome.isComplete)
            return outcomes
        }

        @Test
        func
            `A store may overwrite an exchange of a thread whose store the storing one has missed; a barrier forbids that`()
        {
            #expect(overwrites(.release) {})
            #expect(overwrites(.release) { AsymmetricBarrier.light() })
            #expect(!overwrites(.release, nil) { AsymmetricBarrier.heavy() })
            #expect(!overwrites(.sequential) {})
            var bounds = all
            bounds.delayedStores = 0
            #expect(!overwrites(.release, bounds) {})
        }

        /// Whether a thread can store to a word, and then miss another thread's store, although that thread has then replaced the
        /// word's first value.
        private func overwrites(_ order: StoreOrder, _ bounds: Bounds? = nil, _ barrier: @escaping () -> Void) -> Bool {
            var found = false
            let outcome = explore(bounds ?? all) { scenario in
                let owner = SharedWord()
                let request = SharedWord()
                var missed = false
                var replaced = false
                scenario.watch(owner)  // A sees the newest request, so that only its store can be late.
                scenario.thread("A") {
                    owner.word.store(1, order)
                    barrier()
                    missed = request.word.load(order == .sequential ? .sequential : .acquire) == 0
                }
                scenario.thread("B") {
                    request.word.store(1, .sequential)
                    replaced = owner.word.compareExchange(0, 2, .sequential).won
                }
                scenario.finally { if missed, replaced, owner.word.load(.relaxed) == 1 { found = true } }
            }
            #expect(outcome.isComplete)
            return found
        }

        @Test
        func `A heavy barrier shows the stores that other threads made before a light barrier, and not those without`()
        {
            func sees(_ barrier: @escaping () -> Void) -> Set<[UInt64]> {
                var outcomes: Set<[UInt64]> = []
                _ = explore(all) { scenario in
                    let words = [SharedWord(), SharedWord()]
                    for word in words { scenario.watch(word) }
                    var seen: [UInt64] = []
                    scenario.thread("A") {
                        words[0].word.store(1, .relaxed)
                        barrier()
                        words[1].word.store(1, .relaxed)
                    }
                    scenario.thread("B") {
                        let later = words[1].word.load(.relaxed)
                        AsymmetricBarrier.heavy()
                        // An exchange sees the newest value, and so does everyone after it.
                        seen = [later, words[0].word.exchange(2, .relaxed)]
                    }
                    scenario.finally { outcomes.insert(seen) }
                }
                return outcomes
            }
            #expect(sees { AsymmetricBarrier.light() } == [[0, 0], [0, 1], [1, 1]])
            #expect(sees {} == [[0, 0], [0, 1], [1, 0], [1, 1]])
        }

        @Test
        func
            `A thread sees its own delayed store, and every store is visible when its thread sleeps or all threads have ended`()
        {
            let outcome = explore(Bounds(preemptions: 2, delayedStores: 1)) { scenario in
                let words = [SharedWord(), SharedWord()]
                for word in words { scenario.watch(word) }
                scenario.thread("A") {
                    words[0].word.store(1, .relaxed)
                    scenario.expect(words[0].word.load(.relaxed) == 1, "a thread doesn't see its own store")
                    words[0].word.store(2, .relaxed)
                    scenario.expect(words[0].word.fetchAdd(1, .relaxed) == 2, "an addition doesn't see its own store")
                    words[0].word.store(4, .relaxed)
                    words[1].blockingWaitUntilRaised()
                }
                scenario.thread("B") {
                    while words[0].word.load(.relaxed) != 4 { words[0].word.spin(iteration: 0) }
                    words[1].word.store(1, .relaxed)
                    words[1].word.wake()
                    words[0].word.store(5, .relaxed)
                }
                scenario.finally { scenario.expect(words[0].word.load(.relaxed) == 5, "the last store is lost") }
            }
            #expect(outcome.failure == nil)
            #expect(outcome.isComplete)
            #expect(outcome.reached.contains(.delayedStore))
        }

        @Test(.enabled(if: test_records_accesses()))
        func `Accesses to plain memory are seen without a mark, if the build records them`() {
            #expect(unmarked(.release, .acquire).failure == nil)
            #expect(unmarked(.relaxed, .acquire).failure?.kind == .race)
            #expect(unmarked(.release, .relaxed).failure?.kind == .race)
        }

        private func unmarked(_ store: StoreOrder, _ load: LoadOrder) -> Outcome {
            explore(all) { scenario in
                let flag = SharedWord()
                let message = Tally()
                scenario.thread("A") {
                    message.count = 1
                    flag.word.store(1, store)
                }
                scenario.thread("B") {
                    if flag.word.load(load) == 1 { scenario.expect(message.count == 1, "the message isn't there") }
                }
            }
        }

        @Test func `Message passing is correct with release and acquire, and a race with weaker orders`() {
            #expect(messagePassing(.release, .acquire).failure == nil)
            #expect(messagePassing(.relaxed, .acquire).failure?.kind == .race)
            #expect(messagePassing(.release, .relaxed).failure?.kind == .race)
        }

        private func messagePassing(_ store: StoreOrder, _ load: LoadOrder) -> Outcome {
            explore(all) { scenario in
                let flag = SharedWord()
                let message = SharedWord()
                scenario.watch(flag)
                scenario.thread("A") {
                    PlainAccess.write(message)
                    flag.word.store(1, store)
                }
                scenario.thread("B") {
                    if flag.word.load(load) == 1 { PlainAccess.read(message) }
                }
            }
        }

        @Test func `A relaxed update continues a release sequence; a store ends it`() {
            #expect(releaseSequence { $0.fetchAdd(1, .relaxed) }.failure == nil)
            #expect(releaseSequence { $0.store(2, .relaxed) }.failure?.kind == .race)
        }

        private func releaseSequence(_ resume: @escaping (borrowing AtomicWord) -> Void) -> Outcome {
            explore(all) { scenario in
                let flag = SharedWord()
                let message = SharedWord()
                scenario.thread("A") {
                    PlainAccess.write(message)
                    flag.word.store(1, .release)
                }
                scenario.thread("B") { if flag.word.load(.relaxed) == 1 { resume(flag.word) } }
                scenario.thread("C") { if flag.word.load(.acquire) == 2 { PlainAccess.read(message) } }
            }
        }

        @Test func `Two loads of one word never see its values in reverse order`() {
            let outcome = explore(all) { scenario in
                let word = SharedWord()
                scenario.watch(word)
                scenario.thread("A") { for value: UInt64 in 1...2 { word.word.store(value, .relaxed) } }
                scenario.thread("B") {
                    let first = word.word.load(.relaxed)
                    scenario.expect(word.word.load(.relaxed) >= first, "an older value after a newer one")
                }
            }
            #expect(outcome.failure == nil)
            #expect(outcome.isComplete)
        }

        @Test func `The explorer finds threads that sleep forever or spin forever`() {
            let asleep = explore(all) { scenario in
                let flag = SharedWord()
                scenario.thread("A") { flag.blockingWaitUntilRaised() }
            }
            #expect(asleep.failure == .deadlock(["A"]))
            let spinning = explore(all) { scenario in
                let flag = SharedWord()
                scenario.thread("A") { while !flag.isRaised { flag.word.spin(iteration: 0) } }
            }
            #expect(spinning.failure == .deadlock(["A"]))
        }

        @Test(arguments: 1...2)
        func `The explorer finds work that waits for a worker while all workers wait`(workers: Int) {
            var bounds = all
            bounds.workers = workers
            let outcome = explore(bounds) { scenario in
                let flag = SharedWord()
                scenario.thread("A") {
                    Worker.submit { flag.blockingWaitUntilRaised() }
                    Worker.submit { flag.raise() }
                }
            }
            #expect(outcome.failure == (workers == 1 ? .exhausted(["worker 1"]) : nil))
            #expect(outcome.isComplete == (workers == 2))
        }

        @Test func `Work that waits for a worker starts in FIFO order when one is free, knowing what its sender knew`()
        {
            var bounds = all
            bounds.workers = 1
            let outcome = explore(bounds) { scenario in
                let message = SharedWord()
                let started = Tally()
                scenario.thread("A") {
                    PlainAccess.write(message)
                    for number in 0..<3 {
                        Worker.submit {
                            PlainAccess.read(message)
                            scenario.expect(started.count == number, "\(number) starts after \(started.count) others")
                            started.count += 1
                        }
                    }
                }
                scenario.finally { scenario.expect(started.count == 3, "\(started.count) were started") }
            }
            #expect(outcome.failure == nil)
            #expect(outcome.isComplete)
        }

        @Test func `A sleeping thread is woken, and a spinning thread sees the write it spins for`() {
            let outcome = explore(all) { scenario in
                let flag = SharedWord()
                scenario.watch(flag)
                scenario.thread("A") { flag.blockingWaitUntilRaised() }
                scenario.thread("B") { while !flag.isRaised { flag.word.spin(iteration: 0) } }
                scenario.thread("C") { flag.raise() }
            }
            #expect(outcome.failure == nil)
            #expect(outcome.isComplete)
        }

        @Test func `Time doesn't advance, so that executions can be repeated`() {
            var times: Set<UInt64> = []
            let outcome = explore(all) { scenario in
                let word = SharedWord()
                for name in ["A", "B"] {
                    scenario.thread(name) {
                        times.insert(MonotonicTime.now)
                        word.pass()
                        times.insert(MonotonicTime.now)
                    }
                }
            }
            #expect(outcome.isComplete)
            #expect(times.count == 1)
            #expect(!times.contains(MonotonicTime.now))
        }

        @Test func `A bound on preemptions leaves schedules out; without a bound, no schedule is explored twice`() {
            func count(_ preemptions: Int?) -> Int {
                explore(Bounds(preemptions: preemptions, oldReads: 0)) { scenario in
                    let words = [SharedWord(), SharedWord()]
                    for index in 0..<2 {
                        scenario.thread("\(index)") {
                            for _ in 0..<3 { words[index].word.fetchAdd(1, .relaxed) }
                        }
                    }
                }.executions
            }
            #expect(count(0) == 2)
            #expect(count(1) > count(0))
            // These are all orders of three and three operations. The first operation of a thread is one step with its start.
            #expect(count(100) == 20)
        }
    }
#endif
