#if Exploration
    @testable import Corinth
    import Dispatch
    import Testing

    /// Every interleaving of the threads that add, dispose of and run delayed work.
    @Suite("Timers, all interleavings", .serialized)
    struct TimerExplorationTests {
        private static let queue = DispatchQueue(label: "explored")

        /// A timer service whose time doesn't advance. Its queue runs when the test says so.
        private final class Timers: @unchecked Sendable {  // Controlled threads run one at a time.
            private(set) var batches: [TimerEntry] = []
            private(set) var service: TimerService

            /// How many times the actions ran.
            let runs = Tally()
            let leaks = LeakCounter()

            init() {
                service = TimerService(clock: { .beginning }, alarm: { _ in }, submit: { _, _ in })
                service = TimerService(
                    clock: { TimePoint(nanoseconds: 1000) }, alarm: { _ in },
                    submit: { [weak self] _, first in self?.batches.append(first) })
            }

            /// An entry that is due, if it is in the wheel.
            func entry(repeated: Bool = false) -> TimerEntry {
                let (runs, token) = (runs, leaks.token())
                let action = {
                    token.touch()
                    runs.count += 1
                }
                let date = TimePoint(nanoseconds: 500)
                return repeated
                    ? TimerEntry(
                        action, at: date, every: 700, leeway: 0, on: TimerExplorationTests.queue, by: service)
                    : TimerEntry(action, at: date, on: TimerExplorationTests.queue, by: service)
            }

            func runBatches() {
                for first in batches { first.runAll() }
                batches = []
            }
        }

        @Test
        func `C1: if a disposal and a run are concurrent, one of them gets the action, and it is released afterwards`()
        {
            var seen: Set<Int> = []
            expectSound(Bounds(preemptions: nil)) { scenario in
                let timers = Timers()
                let entry = timers.entry()
                scenario.watch(entry)
                scenario.thread("disposes") {
                    entry.dispose()
                    scenario.expect(entry.isDisposed, "not disposed after dispose()")
                }
                scenario.thread("runs") { entry.runAll() }
                scenario.finally {
                    seen.insert(timers.runs.count)
                    scenario.expect(timers.runs.count <= 1, "ran \(timers.runs.count) times")
                    scenario.expect(timers.leaks.count == 0, "the action was not released")
                    scenario.expect(timers.service.pendingCount == 0, "an entry is left in the wheel")
                }
            }
            #expect(seen == [0, 1])
        }

        @Test
        func `A repetition that is disposed of at any moment releases its action and leaves no entry in the wheel`() {
            expectSound(Bounds(preemptions: 3)) { disposalOfARepetition($0) }
        }

        @Test func `An entry that is added and disposed of while another thread wakes is in no wheel and is released`()
        {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { scenario in
                let timers = Timers()
                let (kept, disposed) = (timers.entry(), timers.entry())
                scenario.thread("A") {
                    kept.start()
                    disposed.start()
                }
                scenario.thread("B") { disposed.dispose() }
                scenario.thread("C") { timers.service.wake() }
                scenario.finally {
                    timers.service.wake()
                    timers.runBatches()
                    scenario.expect(timers.runs.count == 1, "ran \(timers.runs.count) times")
                    scenario.expect(timers.leaks.count == 0, "an action was not released")
                    scenario.expect(timers.service.pendingCount == 0, "an entry is left in the wheel")
                }
            }
        }

        @Test func `If threads add entries while another one wakes, the alarm is set to the earliest entry`() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { setAlarms($0) }
        }

        /// Two entries are added and one is cancelled while another thread wakes. The alarm is a word.
        private func setAlarms(_ scenario: Scenario) {
            let alarm = SharedWord()
            scenario.watch(alarm)
            let service = TimerService(
                clock: { TimePoint(nanoseconds: 1000) },
                alarm: { alarm.word.store($0.nanoseconds, .release) }, submit: { _, _ in })
            func entry(at time: UInt64) -> TimerEntry {
                TimerEntry({}, at: TimePoint(nanoseconds: time), on: TimerExplorationTests.queue, by: service)
            }
            let entries = [3000, 2000].map { entry(at: $0) }
            let cancelled = entry(at: 1500)
            cancelled.start()
            for (index, entry) in entries.enumerated() { scenario.thread("\(index)") { entry.start() } }
            scenario.thread("wakes") {
                cancelled.dispose()
                service.wake()
            }
            scenario.finally {
                let time = alarm.word.load(.acquire)
                scenario.expect(time <= 2000, "the alarm is set to \(time)")
                scenario.expect(service.pendingCount == 2, "\(service.pendingCount) wait")
                for entry in entries { entry.dispose() }
            }
        }

        @Test func `If a thread cancels the idle alarm while another one adds an entry, the alarm is set to the entry`()
        {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { cancelAlarm($0) { $0.cancelIdleAlarm() } }
        }

        /// The last entry is disposed of while another one is added. The alarm is a word.
        private func cancelAlarm(_ scenario: Scenario, _ cancel: @escaping @Sendable (TimerService) -> Void) {
            let alarm = SharedWord()
            scenario.watch(alarm)
            let service = TimerService(
                clock: { TimePoint(nanoseconds: 1000) },
                alarm: { alarm.word.store($0.nanoseconds, .release) }, submit: { _, _ in })
            let disposed = TimerEntry({}, at: TimePoint(nanoseconds: 1500), by: service)
            let added = TimerEntry({}, at: TimePoint(nanoseconds: 2000), by: service)
            disposed.start()
            scenario.thread("disposes") {
                disposed.dispose()
                cancel(service)
            }
            scenario.thread("adds") { added.start() }
            scenario.finally {
                let time = alarm.word.load(.acquire)
                scenario.expect(time <= 2000, "the alarm is set to \(time)")
                added.dispose()
                cancel(service)
                let rest = alarm.word.load(.acquire)
                scenario.expect(rest == TimePoint.never.nanoseconds, "the alarm of an idle service is set to \(rest)")
            }
        }

        // MARK: Seeded bugs

        @Test
        func `Seeded bugs: if the flag has no ordering, a thread cancels the alarm of an entry that it doesn't see`() {
            for mutation in TimerExplorationTests.unordered {
                expectCaught(mutation, as: .race) { cancelAlarm($0) { $0.cancelIdleAlarm() } }
            }
        }

        @Test func `Seeded bugs: without the flag or its ordering, two threads change the wheel at once`() {
            let unguarded = Mutation(site: "tryAcquire()", operation: .compareExchange, effect: .storeInstead)
            for mutation in TimerExplorationTests.unordered + [unguarded] {
                expectCaught(mutation, as: .race) { setAlarms($0) }
            }
        }

        private static let unordered = [
            Mutation(site: "tryAcquire()", operation: .compareExchange, effect: .relaxed),
            Mutation(site: "releaseTold(_:)", operation: .update, effect: .relaxed),
        ]

        @Test
        func `Seeded bugs: telling without ordering lets two threads change the wheel; by a store, it keeps the flag`()
        {
            for (effect, failure) in [(Mutation.Effect.relaxed, Failure.Kind.race), (.storeInstead, .deadlock)] {
                let mutation = Mutation(site: "tryAcquireOrTell()", operation: .compareExchange, effect: effect)
                expectCaught(mutation, as: failure) { setAlarms($0) }
            }
        }

        @Test func `Seeded bug: if a disposal has no ordering, it takes the action while the run still changes it`() {
            let mutation = Mutation(site: "dispose()", operation: .update, effect: .relaxed)
            expectCaught(mutation, as: .race) { disposalOfARepetition($0) }
        }

        @Test func `Seeded bug: if a run ends without ordering, it passes the action on before the run has finished`() {
            let mutation = Mutation(site: "runAgain(_:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race) { disposalOfARepetition($0) }
        }

        @Test func `Seeded bug: if a run begins with a plain store, it runs an action that was disposed of`() {
            let mutation = Mutation(site: "runAgain(_:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race) { disposalOfARepetition($0) }
        }

        private func disposalOfARepetition(_ scenario: Scenario) {
            let timers = Timers()
            let entry = timers.entry(repeated: true)
            scenario.watch(entry)
            scenario.thread("disposes") { entry.dispose() }
            scenario.thread("runs") { entry.runAll() }
            scenario.finally {
                scenario.expect(timers.runs.count <= 1, "ran \(timers.runs.count) times")
                scenario.expect(timers.leaks.count == 0, "the action was not released")
                scenario.expect(timers.service.pendingCount == 0, "an entry is left in the wheel")
            }
        }
    }
#endif
