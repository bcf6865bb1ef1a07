#if !NaiveLocks && !Exploration
    @testable import Corinth
    import Dispatch
    import Testing

    /// Drains that wait for the next element without ending.
    struct LingeringTests {
        // MARK: When

        @Test func `A drain lingers after some elements that came soon`() {
            var history = ArrivalHistory()
            for _ in 0..<ArrivalHistory.first {
                #expect(!history.isSoon)
                history.arrive(isSoon: true)
            }
            #expect(history.isSoon)
        }

        @Test func `One element that comes late doesn't matter after many that came soon; several do`() {
            var history = ArrivalHistory()
            for _ in 0..<1_000 { history.arrive(isSoon: true) }
            history.arrive(isSoon: false)
            #expect(history.isSoon)
            for _ in 0..<10 { history.arrive(isSoon: false) }
            #expect(!history.isSoon)
            for _ in 0..<ArrivalHistory.first { history.arrive(isSoon: true) }
            #expect(history.isSoon)
        }

        @Test func `A drain that lingers in vain each time lingers ever more rarely`() {
            var history = ArrivalHistory()
            var tries = 0
            for _ in 0..<100_000 {
                history.arrive(isSoon: true)
                if history.isSoon {
                    tries += 1
                    history.fail()
                }
            }
            #expect((1...40).contains(tries))
        }

        @Test func `After some failures, a drain that succeeds again lingers as before`() {
            var history = ArrivalHistory()
            for _ in 0..<20 { history.fail() }
            for _ in 0..<100_000 { if history.isSoon { history.succeed() } else { history.arrive(isSoon: true) } }
            history.fail()
            #expect(history.isSoon)
        }

        @Test func `A drain that has lost its processor stops lingering, for longer if it loses it again`() {
            var history = ArrivalHistory()
            let start: UInt64 = 1_000_000_000
            history.check(from: start, to: start + Cooldown.interruption)
            #expect(!history.isInterrupted(at: start + Cooldown.interruption))
            var (now, expected) = (start, Cooldown.shortest)
            for _ in 0..<10 {
                let lost = now
                now += Cooldown.interruption + 1
                history.check(from: lost, to: now)
                #expect(history.isInterrupted(at: now + expected - 1))
                now += expected
                #expect(!history.isInterrupted(at: now))
                expected = min(2 * expected, Cooldown.longest)
            }
            #expect(expected == Cooldown.longest)
        }

        // MARK: How

        @Test func `Elements that come while a drain lingers need no wake-up`() {
            let harness = Harness(limit: 10_000_000_000)
            harness.learn()
            let wakeUps = harness.scheduler.posts
            var left = 100
            harness.scheduler.whenAsked = {
                if left == 0 { return true }
                left -= 1
                harness.send()
                return false
            }
            harness.send()
            harness.scheduler.runOne()
            // The drain has yielded to the other work in the end.
            #expect(harness.scheduler.posts == wakeUps + 2)
            #expect(harness.received == harness.sent)
            harness.scheduler.discard()
        }

        @Test(arguments: [false, true])
        func `After elements that came while drains lingered, one drain that lingers in vain doesn't matter`(
            isAtOnce: Bool
        ) {
            // A drain that loses its processor stops lingering, so an attempt that was interrupted can't tell.
            for attempt in 1...20 where lingersAgain(isAtOnce, isLast: attempt == 20) { break }
        }

        /// Lets elements come while drains linger, and then none while one does.
        ///
        /// - Returns: Whether the drains could tell.
        private func lingersAgain(_ isAtOnce: Bool, isLast: Bool) -> Bool {
            let harness = Harness(limit: 100_000_000)
            harness.learn()
            var (left, looks) = (50, 0)
            var last = MonotonicTime.now
            var wasInterrupted = false
            harness.scheduler.whenAsked = {
                let now = MonotonicTime.now
                wasInterrupted = wasInterrupted || left > 0 && Cooldown.isInterruption(from: last, to: now)
                last = now
                looks += 1
                // Every other look comes before the drain lingers.
                if left > 0, isAtOnce || looks % 2 == 0 {
                    left -= 1
                    harness.send()
                }
                return false
            }
            harness.send()
            // In the end, the drain lingers in vain.
            harness.scheduler.run()
            #expect(harness.received == harness.sent)
            if wasInterrupted, !isLast {
                harness.scheduler.discard()
                return false
            }
            #expect(left == 0)
            looks = 0
            harness.send()
            harness.scheduler.run()
            #expect(looks > 0)
            harness.scheduler.discard()
            return true
        }

        @Test func `A drain that lingers yields at once to other work of the scheduler`() {
            let harness = Harness(limit: 10_000_000_000)
            harness.learn()
            harness.scheduler.whenAsked = { true }
            harness.send()
            let wakeUps = harness.scheduler.posts
            for run in 1...5 {
                harness.scheduler.runOne()
                #expect(harness.scheduler.posts == wakeUps + run)
                // There is a drain, so a post schedules none.
                harness.send()
                #expect(harness.scheduler.posts == wakeUps + run)
            }
            harness.scheduler.discard()
        }

        @Test func `A drain that has yielded and finds nothing comes to rest, whatever work waits`() {
            let harness = Harness(limit: 10_000_000_000)
            harness.learn()
            harness.scheduler.whenAsked = { true }
            for _ in 0..<5 {
                let wakeUps = harness.scheduler.posts
                harness.send()
                harness.scheduler.runOne()
                #expect(harness.scheduler.posts == wakeUps + 2)
                harness.scheduler.runOne()
                #expect(harness.scheduler.posts == wakeUps + 2)
                #expect(harness.scheduler.isIdle)
                #expect(harness.received == harness.sent)
                // The next element comes soon, on a machine of any speed.
                harness.learn()
            }
        }

        @Test func `Two drains that linger on one scheduler don't yield to each other for ever`() {
            // In the end, one drain has nothing to yield to, and lingers until its limit.
            let first = Harness(limit: 1_000_000)
            let second = Harness(on: first.scheduler)
            first.learn()
            second.learn()
            first.scheduler.whenAsked = { !first.scheduler.isIdle }
            first.send()
            second.send()
            for _ in 0..<10 where !first.scheduler.isIdle { first.scheduler.runOne() }
            #expect(first.scheduler.isIdle)
            #expect(first.received == first.sent && second.received == second.sent)
            first.scheduler.discard()
        }

        @Test func `Work that comes while a drain lingers in vain runs, and the drain comes to rest`() {
            let harness = Harness(limit: 10_000_000_000)
            harness.learn()
            harness.send()
            var looks = 0
            harness.scheduler.whenAsked = {
                looks += 1
                return looks != 2
            }
            // It yields, then lingers, then there is other work.
            harness.scheduler.run()
            #expect(harness.scheduler.isIdle)
            #expect(looks >= 3)
        }

        @Test(arguments: [1, 2, 3])
        func `C5: an element that comes after the last look comes before the work for which the drain ends`(look: Int) {
            let harness = Harness(limit: 10_000_000_000)
            harness.learn()
            var looks = 0
            harness.scheduler.whenAsked = {
                looks += 1
                if looks == look {
                    harness.send()
                    harness.schedule()
                }
                return looks >= look
            }
            harness.send()
            harness.scheduler.run()
            #expect(harness.received == harness.sent)
            #expect(harness.scheduler.isIdle)
        }

        @Test func `C5: so does one that comes when the time is over`() {
            let harness = Harness(limit: Lingering.short - 1)
            harness.learn()
            var looks = 0
            harness.scheduler.whenAsked = {
                looks += 1
                // An element comes while the drain lingers. Then it lingers for the rest of the time.
                if looks == 2 { harness.send() }
                if looks == 4 {
                    let began = MonotonicTime.now
                    while MonotonicTime.now < began + Lingering.short {}
                }
                if looks == 5 {
                    harness.send()
                    harness.schedule()
                }
                return false
            }
            harness.send()
            harness.scheduler.run()
            #expect(harness.received == harness.sent)
            #expect(harness.scheduler.isIdle)
        }

        @Test func `A drain that lingers in vain comes to rest, and the next element schedules another one`() {
            let harness = Harness(limit: 1_000_000)
            // The elements may come late on a busy machine; then no drain lingers, and the same must hold.
            harness.learn()
            for _ in 0..<10 {
                let wakeUps = harness.scheduler.posts
                harness.send()
                harness.scheduler.run()
                #expect(harness.received == harness.sent)
                #expect(harness.scheduler.posts >= wakeUps + 1)
                #expect(harness.scheduler.isIdle)
            }
        }

        @Test func `A drain that was interrupted while it lingered lingers no more for some time`() {
            // A thread that is interrupted again may miss that time.
            for attempt in 1...20 where lingersNoMore(isLast: attempt == 20) { break }
        }

        /// Interrupts a drain that lingers, and lets an element come.
        ///
        /// - Returns: Whether the drain could tell.
        private func lingersNoMore(isLast: Bool) -> Bool {
            let harness = Harness(limit: 10_000_000_000)
            harness.learn()
            var looks = 0
            var interruption: UInt64 = 0
            harness.scheduler.whenAsked = {
                looks += 1
                // The first look comes before the drain lingers.
                if looks == 2 {
                    interruption = MonotonicTime.now
                    while MonotonicTime.now <= interruption + 2 * Cooldown.interruption {}
                }
                if looks == 3 { harness.send() }
                return looks > 4
            }
            harness.send()
            harness.scheduler.run()
            let time = MonotonicTime.now - interruption
            harness.scheduler.discard()
            #expect(harness.received == harness.sent)
            if time >= Cooldown.shortest, !isLast { return false }
            #expect(looks == 4)
            return true
        }

        @Test func `Without a limit, no drain lingers`() {
            let harness = Harness(limit: 0)
            harness.scheduler.whenAsked = {
                Issue.record("a drain lingers")
                return true
            }
            harness.learn()
            #expect(harness.scheduler.posts == harness.sent)
        }

        @Test func `Where no element comes within the limit, no drain lingers`() {
            // The element is posted later than this many nanoseconds after the drain's rest, on every machine.
            let harness = Harness(limit: 1)
            harness.scheduler.whenAsked = {
                Issue.record("a drain lingers")
                return true
            }
            for _ in 0..<10 { harness.learn() }
            #expect(harness.scheduler.posts == harness.sent)
        }

        @Test func `Schedulers linger where that is said`() {
            let hasSeveral = LingerLimit.spinning > 0
            #expect(QueueScheduler().lingerLimit == (hasSeveral ? 20_000 : 0))
            #expect(QueueScheduler(lingering: .microseconds(3)).lingerLimit == (hasSeveral ? 3_000 : 0))
            #expect(QueueScheduler(lingering: .nanoseconds(0)).lingerLimit == 0)
            #expect(QueueScheduler(queue: .global()).lingerLimit == 0)
            #expect(QueueScheduler(queue: .global(), lingering: .milliseconds(10)).lingerLimit % 10_000_000 == 0)
            #expect(QueueScheduler.main.lingerLimit == 0)
            #expect(ThreadScheduler(waiting: .park).lingerLimit == 0)
            #expect(ThreadScheduler(waiting: .spinThenPark).lingerLimit == LingerLimit.spinning)
        }

        /// A mailbox whose drains run on the test's thread.
        private final class Harness {
            let scheduler: ManualScheduler
            private let mailbox: Mailbox<Int>
            private(set) var sent = 0
            var received: Int { log.count }
            private let log = Log()

            private final class Log: @unchecked Sendable {  // Used by one thread.
                private(set) var count = 0

                func receive(_ number: Int) {
                    #expect(number == count)
                    count += 1
                }
            }

            convenience init(limit: UInt64) { self.init(on: ManualScheduler(limit: limit)) }

            init(on scheduler: ManualScheduler) {
                self.scheduler = scheduler
                mailbox = Mailbox(on: scheduler, through: Strand()) { [log] in log.receive($0) }
            }

            func send() {
                mailbox.post(sent)
                sent += 1
            }

            /// Schedules an action, which counts as one more element.
            func schedule() {
                let number = sent
                sent += 1
                let action = WorkItem { [log] _ in log.receive(number) }
                action.post(to: scheduler)
            }

            /// Sends elements that come soon after the rest of the drain, until just before one lingers.
            func learn() {
                for _ in 0..<ArrivalHistory.first {
                    send()
                    scheduler.run()
                }
            }
        }

        /// Runs work items when the test says so.
        private final class ManualScheduler: WorkItemScheduler, @unchecked Sendable {  // Used by one thread.
            let lingerLimit: UInt64
            let order = ScheduleOrder()
            var whenAsked: () -> Bool = { false }
            private(set) var posts = 0
            private var queue: [WorkItem] = []

            init(limit: UInt64) {
                lingerLimit = limit
            }

            var hasWaitingWork: Bool { whenAsked() }
            var knowsWaitingWork: Bool { true }
            var isIdle: Bool { queue.isEmpty }

            func post(_ workItem: WorkItem) {
                posts += 1
                queue.append(workItem)
            }

            func perform(_ action: @escaping @Sendable () -> Void) { action() }

            func runOne() { queue.removeFirst().run() }

            func run() { while !queue.isEmpty { runOne() } }

            /// Drops the work, which keeps this.
            func discard() {
                queue = []
                whenAsked = { false }
            }
        }
    }
#endif
