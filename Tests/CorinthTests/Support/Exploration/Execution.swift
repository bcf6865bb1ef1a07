#if Exploration
    import CTestSupport
    @testable import Corinth
    import Foundation

    /// One run of a scenario under one schedule.
    ///
    /// Its threads are system threads that run one at a time. Each thread stops before every atomic operation and chooses the
    /// thread that runs next: itself while the choice is the tree's first, otherwise another.
    final class Execution: @unchecked Sendable {  // The running thread owns all fields; semaphores hand them over.
        let bounds: Bounds
        let mutation: Mutation?
        let ended = DispatchSemaphore(value: 0)
        private(set) var choices: ChoiceTree
        private(set) var failure: Failure?
        private(set) var trace = Trace()
        private(set) var mutationApplied = false
        private(set) var reached: Set<Milestone> = []

        private var threads: [ControlledThread] = []
        private(set) var threadCount = 0
        private var memory = MemoryModel()
        private var preemptions = 0
        private(set) var readsWatchedWords = false
        private(set) var oldReads = 0
        private(set) var delayedStores = 0
        private var writes = 0
        private var steps = 0
        private var workers = 0
        private var busyWorkers = 0

        /// Work for which no worker is free, with what its submitting thread knew.
        private var waitingWork: [(clock: VectorClock, work: () -> Void)] = []

        /// Threads whose next operation was already explored at an earlier point, and commutes with everything done since then.
        private var asleep: Set<Int> = []

        /// The threads that wait for permits.
        private var queues: [UInt64: PermitQueue] = [:]

        /// Whether the rest of this execution was already explored in another order. It then runs to the end without choices.
        private var isRedundant = false

        init(_ scenario: Scenario, _ bounds: Bounds, _ mutation: Mutation?, _ choices: ChoiceTree) {
            self.bounds = bounds
            self.mutation = mutation
            self.choices = choices
            test_accesses_reset()
            for object in scenario.watched { memory.watch(object) }
            for start in scenario.watchedMemory { memory.watch(at: start) }
            for (name, body, handler) in scenario.takeThreads() {
                add(name, VectorClock(), body)
                // Sleep sets take a thread's next operation for the one that it waits to do.
                precondition(handler == nil || bounds.preemptions != nil, "a handler needs a bound on preemptions")
                threads[threads.count - 1].handler = handler
            }
        }

        /// Runs until every thread has ended or a failure occurs.
        func run() {
            passTurn(from: nil)
            if ended.wait(timeout: .now() + .seconds(60)) == .timedOut { failure = .stuck }
            if failure == nil, choices.isInconsistent { failure = .inconsistent }
            if failure == nil { threads = [] }
        }

        private func add(_ name: String, _ clock: VectorClock, _ body: @escaping () -> Void) {
            threadCount += 1
            trace.names.append(name)
            threads.append(ControlledThread(threads.count, name, in: self, clock: clock, body))
        }

        // MARK: Called by the threads

        /// Chooses whether a signal handler interrupts the thread before its next operation, and returns it.
        func interruption(of thread: ControlledThread) -> (() -> Void)? {
            guard thread.handler != nil, !isRedundant, choices.choose(of: 2) == 1 else { return nil }
            trace.add(thread.id, .interruption)
            return thread.handler.take()
        }

        /// Stops before an operation. When the thread runs again, this says how to perform the operation.
        func step(
            _ thread: ControlledThread, _ operation: Explorer.Operation,
            on address: UnsafeMutablePointer<UInt64>, mask: UInt64, at site: StaticString
        ) -> Explorer.Verdict {
            steps += 1
            if steps > bounds.steps { fail(.endless(steps: steps)) }
            thread.pending = unsafe .operation(operation, on: UInt(bitPattern: address))
            if operation == .spin { thread.state = .spinning }
            if operation != .spin, thread.isFresh {
                thread.isFresh = false
            } else {
                passTurn(from: thread)
            }
            thread.state = .ready
            let mutated = mutation.map { $0.applies(to: operation, at: site) ? $0 : nil } ?? nil
            if mutated != nil { mutationApplied = true }
            let verdict = unsafe perform(
                operation, on: address, mask: mask, at: site, by: thread, mutated)
            thread.clock.tick(thread.id)
            // A spin on an older value ends by itself, because the newest value becomes visible eventually.
            if case .stale = verdict { thread.sawOldValue = true }
            if operation == .spin { thread.sawOldValue = false }
            thread.writesSeen = writes
            return verdict
        }

        /// Orders the thread's stores before its later loads, against other threads' heavy barriers.
        func lightBarrier(by thread: ControlledThread, at site: StaticString) {
            if let mutation, mutation.operation == .lightBarrier, mutation.site == site.description {
                mutationApplied = true
                return
            }
            thread.stores.order()
            thread.orderAfterBarriers(memory.barriers)
        }

        /// Records an access to plain memory.
        func access(_ object: ObjectIdentifier, isWrite: Bool, by thread: ControlledThread) {
            let conflict = memory.access(
                object, isWrite: isWrite, at: thread.now, knowing: thread.clock)
            trace.add(thread.id, .plain(isWrite: isWrite))
            switch conflict {
            case nil: break
            case .write(let moment): fail(.race("a write by \(threads[moment.thread].name)"))
            case .read(let moment): fail(.race("a read by \(threads[moment.thread].name)"))
            }
        }

        /// Fails if an access to plain memory since the last step isn't ordered after an earlier one.
        func checkAccesses(by thread: ControlledThread) {
            let conflict = test_accesses_conflict()
            if conflict.is_found {
                trace.add(thread.id, .access(isWrite: conflict.is_write, at: conflict.place))
                trace.add(Int(conflict.other), .access(isWrite: conflict.was_write, at: conflict.earlier))
                fail(.race("a \(conflict.was_write ? "write" : "read") by \(threads[Int(conflict.other)].name)"))
            }
            if test_accesses_are_lost() { fail(.crowded) }
        }

        /// Records what happens to the threads that wait for permits.
        func turn(_ turn: Explorer.Turn, for permits: UInt64, by thread: ControlledThread) {
            switch turn {
            case .joins(let waiter, let batch):
                // Each other thread may have looked before this one joined, and then takes a permit for what it saw. A thread
                // that was served before may also use its batch. It may have looked at an older value, too.
                let others = UInt64(threads.count - 1)
                queues[permits, default: PermitQueue(batch: batch)].join(
                    waiter, thread.name, allowing: others * batch + UInt64(bounds.oldReads))
            case .passes: queues[permits]?.pass()
            case .served(let waiter): queues[permits]?.serve(waiter)
            case .leaves(let waiter): queues[permits]?.remove(waiter)
            }
            if let starved = queues[permits]?.starved { fail(.starved(starved)) }
        }

        /// Starts a worker.
        func submit(_ work: @escaping () -> Void, from thread: ControlledThread) {
            reached.insert(.worker)
            trace.add(thread.id, .submit)
            showStores(of: thread)
            waitingWork.append((thread.clock, work))
            thread.clock.tick(thread.id)
            startWorkers()
        }

        /// - Parameter clock: What the worker that has become free knows.
        private func startWorkers(knowing clock: VectorClock = VectorClock()) {
            while !waitingWork.isEmpty, busyWorkers < bounds.workers ?? .max {
                var (known, work) = waitingWork.removeFirst()
                known.join(clock)
                workers += 1
                busyWorkers += 1
                add("worker \(workers)", known, work)
                threads[threads.count - 1].isWorker = true
            }
        }

        /// Ends a thread.
        func finish(_ thread: ControlledThread) {
            checkAccesses(by: thread)
            thread.state = .finished
            trace.add(thread.id, .end)
            if thread.isWorker {
                busyWorkers -= 1
                startWorkers(knowing: thread.clock)
            }
            if failure == nil { passTurn(from: nil) }
        }

        /// Ends the execution. Returns only on a thread that isn't under control, or no longer is.
        func fail(_ failure: Failure) {
            if self.failure == nil {
                self.failure = failure
                ended.signal()
            }
            if ControlledThread.current != nil { Carrier.park() }
        }

        // MARK: Choosing the next thread

        /// Chooses the next thread, and returns when the caller runs again. At a thread's end it returns at once.
        private func passTurn(from current: ControlledThread?) {
            guard let next = choose(after: current) else { return }
            if next === current { return }
            next.resume()
            current?.pause()
        }

        private func choose(after current: ControlledThread?) -> ControlledThread? {
            let mayContinue = current.map(isEnabled) ?? false
            if mayContinue, let most = bounds.preemptions, preemptions >= most { return current }
            var candidates = threads.filter(isEnabled)
            if candidates.isEmpty {
                // What a processor has stored becomes visible at some time, even if no thread waits for it.
                for thread in threads { showStores(of: thread) }
                candidates = threads.filter(isEnabled)
            }
            if candidates.isEmpty {
                let unfinished = threads.filter { if case .finished = $0.state { false } else { true } }
                if unfinished.isEmpty {
                    ended.signal()
                } else {
                    let names = unfinished.map(\.name)
                    fail(waitingWork.isEmpty ? .deadlock(names) : .exhausted(names))
                }
                return nil
            }
            if mayContinue, let current {
                candidates.removeAll { $0 === current }
                candidates.insert(current, at: 0)
            }
            let chosen = bounds.preemptions == nil ? chooseAwake(of: candidates) : choose(of: candidates)
            if mayContinue, chosen !== current { preemptions += 1 }
            return chosen
        }

        private func choose(of candidates: [ControlledThread]) -> ControlledThread {
            candidates[choices.choose(of: candidates.count)]
        }

        /// Uses sleep sets: of the schedules that differ only in the order of independent operations, one is explored.
        private func chooseAwake(of candidates: [ControlledThread]) -> ControlledThread {
            let awake = candidates.filter { !asleep.contains($0.id) }
            if isRedundant || awake.isEmpty {
                isRedundant = true
                return candidates[0]
            }
            let index = choices.choose(of: awake.count)
            let chosen = awake[index]
            asleep.formUnion(awake[..<index].map(\.id))
            // A step may make a store to any word visible.
            asleep = asleep.filter {
                !threads[$0].pending.dependsOn(chosen.pending) && threads[$0].stores.isEmpty && chosen.stores.isEmpty
            }
            return chosen
        }

        private func mayBeOld(_ word: WordHistory) -> Bool {
            if word.isWatched { readsWatchedWords = true }
            return word.isWatched && oldReads < bounds.oldReads && !isRedundant
        }

        private func isEnabled(_ thread: ControlledThread) -> Bool {
            switch thread.state {
            case .ready: true
            case .spinning: writes > thread.writesSeen || thread.sawOldValue
            case .blocked, .finished: false
            }
        }

        // MARK: Operations

        private func perform(
            _ operation: Explorer.Operation, on address: UnsafeMutablePointer<UInt64>, mask: UInt64,
            at site: StaticString, by thread: ControlledThread, _ mutated: Mutation?
        ) -> Explorer.Verdict {
            let word = unsafe memory.word(at: address, mask: mask)
            let promises = operation.promises(mutated)
            let place = UInt(bitPattern: address)
            if operation.mustFollowStores(promises) || operation.kind != .load && thread.stores.value(at: place) != nil
            {
                showStores(of: thread)
            }
            for other in threads where other !== thread && operation.looks && other.stores.value(at: place) != nil {
                if !isRedundant, choices.choose(of: 2) == 1 { continue }
                showStore(at: place, of: other, to: thread)
            }
            trace.add(
                thread.id,
                .operation(operation, word.name, site, sees: word.current, isMutated: mutated != nil))
            let update = Update(word: word, promises: promises, effect: mutated?.effect)
            switch operation {
            case .load:
                // A thread sees its own stores at once.
                if let value = thread.stores.value(at: place) { return .stale(value) }
                return load(update, by: thread)
            case .store(_, let value):
                if case .skipped = update.effect { return .done }
                thread.hasUnorderedStore = true
                show(
                    unsafe DelayedStore(
                        value: value, to: word, at: address, isByte: mask != .max, promises, thread.now, thread.clock),
                    of: thread)
            case .update:
                if case .skipped = update.effect { return .stale(word.current) }
                write(update, by: thread)
                if promises.acquires { thread.barriersKnown = memory.barriers }
                return .proceed
            case .compareExchange(_, let expected):
                return compareExchange(update, expected, by: thread)
            case .wait(let expected):
                if UInt32(truncatingIfNeeded: word.current) == expected {
                    thread.state = .blocked(on: place)
                    reached.insert(.sleep)
                    passTurn(from: thread)
                }
            case .wake(let count):
                if case .skipped = update.effect { return .done }
                wake(count, on: place)
            case .spin:
                break
            case .heavyBarrier:
                if case .skipped = update.effect { return .done }
                // The barrier runs on every thread, after what that thread has ordered with a light barrier.
                for other in threads { writes += other.stores.show(ordered: true) }
                memory.passBarrier()
                thread.orderAfterBarriers(memory.barriers)
            }
            return .done
        }
    }

    extension Execution {
        /// An operation on a word, with the orders that it promises, as a seeded bug changes it.
        private struct Update {
            let word: WordHistory
            let promises: Promises
            let effect: Mutation.Effect?
        }

        private func load(_ operation: Update, by thread: ControlledThread) -> Explorer.Verdict {
            let (word, promises) = (operation.word, operation.promises)
            let count =
                mayBeOld(word)
                ? word.visibleCount(
                    knowing: thread.clock, isSequential: promises.isSequential, after: thread.visibleBarriers) : 1
            let age = choices.choose(of: count)
            // A load of an older value may have come before a barrier, and so may the next load.
            if promises.acquires, age == 0 { thread.barriersKnown = memory.barriers }
            if age > 0 { return .stale(olderValue(operation, age, by: thread)) }
            _ = word.load(age: 0, promises, at: thread.now, &thread.clock)
            return .proceed
        }

        private func olderValue(_ operation: Update, _ age: Int, by thread: ControlledThread) -> UInt64 {
            let value = operation.word.load(age: age, operation.promises, at: thread.now, &thread.clock)
            oldReads += 1
            reached.insert(.oldValue)
            trace.add(thread.id, .old(value))
            return value
        }

        /// Makes a store visible, at once or later.
        private func show(_ store: DelayedStore, of thread: ControlledThread) {
            if mayBeDelayed(store), choices.choose(of: 2) == 1 {
                delayedStores += 1
                reached.insert(.delayedStore)
                trace.add(thread.id, .delayed)
                thread.stores.add(store)
            } else {
                writes += 1
                store.show()
            }
        }

        private func write(_ operation: Update, by thread: ControlledThread) {
            writes += 1
            thread.hasUnorderedStore = true
            operation.word.update(operation.promises, at: thread.now, &thread.clock)
        }

        private func compareExchange(
            _ operation: Update, _ expected: UInt64, by thread: ControlledThread
        ) -> Explorer.Verdict {
            let (word, promises) = (operation.word, operation.promises)
            if case .storeInstead = operation.effect {
                writes += 1
                word.update(promises, at: thread.now, &thread.clock)
                return .storeInstead
            }
            // A failed compare-exchange is a load. It may return an older value, but not the expected one.
            let olderOnes =
                mayBeOld(word)
                ? word.older(than: expected, knowing: thread.clock, promises, after: thread.visibleBarriers) : []
            let choice = choices.choose(of: 1 + olderOnes.count)
            if choice > 0 { return .stale(olderValue(operation, olderOnes[choice - 1], by: thread)) }
            if promises.acquires { thread.barriersKnown = memory.barriers }
            if word.current == expected {
                write(operation, by: thread)
            } else {
                _ = word.load(age: 0, promises, at: thread.now, &thread.clock)
            }
            return .proceed
        }

        private func mayBeDelayed(_ store: DelayedStore) -> Bool {
            store.word.isWatched && !store.promises.isSequential && delayedStores < bounds.mostDelayedStores
                && !isRedundant
        }

        /// Makes the stores of a thread visible.
        private func showStores(of thread: ControlledThread) { writes += thread.stores.show() }

        private func showStore(at place: UInt, of thread: ControlledThread, to observer: ControlledThread) {
            guard let store = thread.stores.show(at: place) else { return }
            writes += 1
            trace.add(observer.id, .visible(store.word.name, store.value, of: thread.id))
        }

        private func wake(_ count: UInt32, on place: UInt) {
            let sleepers = threads.filter { if case .blocked(place) = $0.state { true } else { false } }
            for sleeper in sleepers.prefix(Int(count)) { sleeper.state = .ready }
        }
    }

    extension ControlledThread {
        var now: Moment { Moment(thread: id, time: clock[id]) }

        /// How many heavy barriers the thread's next load comes after.
        fileprivate var visibleBarriers: Int { hasUnorderedStore ? barriersKnown : .max }

        fileprivate func orderAfterBarriers(_ count: Int) {
            hasUnorderedStore = false
            barriersKnown = count
        }
    }
#endif
