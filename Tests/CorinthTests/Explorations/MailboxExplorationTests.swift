#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of a thread that posts and the drains that take elements.
    @Suite("Mailbox, all interleavings", .serialized)
    struct MailboxExplorationTests {
        /// A thread that posts, the drains, and a thread that sends to the strand through which they deliver.
        private static func arrangePostsBesideOwner(on scheduler: some Scheduler, _ scenario: Scenario) {
            let deliveries = Deliveries(scenario)
            let strand = Strand()
            let mailbox = Mailbox<Sent>(on: scheduler.runningWorkItems, through: strand) { deliveries.deliver($0) }
            scenario.watch(mailbox)
            scenario.thread("A") { for number in 1...2 { mailbox.post(Sent(sender: "A", number: number)) } }
            scenario.thread("B") { strand.send(Sent(sender: "B", number: 1), to: deliveries) }
            scenario.finally { deliveries.expectAll(["A": 2, "B": 1]) }
        }

        /// A thread that posts, and the drains.
        private static func arrangePosts(_ count: Int, _ scenario: Scenario) {
            let deliveries = Deliveries(scenario)
            let scheduler = StrictScheduler(scenario)
            let mailbox = Mailbox<Sent>(on: scheduler, through: Strand()) { deliveries.deliver($0) }
            scenario.watch(mailbox, mailbox.permits)
            scenario.thread("A") { for number in 1...count { mailbox.post(Sent(sender: "A", number: number)) } }
            scenario.finally {
                deliveries.expectAll(["A": count])
                scenario.expect((1...count).contains(scheduler.count), "\(scheduler.count) wake-ups")
                let stage = mailbox.stage.load(.relaxed)
                scenario.expect(stage == .idle, "the stage is \(stage) at the end")
            }
        }

        @Test(arguments: [nil, 0, 1, 2])
        func `C3: posted elements are delivered once and in FIFO order, and a burst needs few wake-ups`(streaming: Int?)
        {
            expectSound(Bounds(preemptions: nil, oldReads: 0, streaming: streaming)) { Self.arrangePosts(2, $0) }
            expectSound(Bounds(preemptions: 2, oldReads: 0, streaming: streaming)) { Self.arrangePosts(4, $0) }
        }

        @Test(arguments: [nil, 0, 1])
        func `The same, with loads that return older values`(streaming: Int?) {
            expectSound(Bounds(preemptions: 2, oldReads: 2, streaming: streaming)) { Self.arrangePosts(3, $0) }
        }

        @Test(arguments: [nil, 0, 1])
        func `C3: threads that post in turn, as the owners of a strand, lose nothing`(streaming: Int?) {
            expectSound(Bounds(preemptions: 2, streaming: streaming)) { scenario in
                let deliveries = Deliveries(scenario)
                let source = Strand()
                let mailbox = Mailbox<Sent>(on: StrictScheduler(scenario), through: Strand()) {
                    deliveries.deliver($0)
                }
                scenario.keep(mailbox)
                scenario.watch(mailbox.permits)
                for name in ["A", "B"] {
                    scenario.thread(name) {
                        for number in 1...2 { source.post(Sent(sender: name, number: number), to: mailbox) }
                    }
                }
                scenario.finally { deliveries.expectAll(["A": 2, "B": 2]) }
            }
        }

        @Test(arguments: [
            Mutation(site: "put(_:)", operation: .lightBarrier, effect: .skipped),
            Mutation(site: "rest()", operation: .heavyBarrier, effect: .skipped),
        ])
        func `Seeded bug: without one of the barriers, a streaming post and a drain that comes to rest miss each other`(
            mutation: Mutation
        ) {
            expectCaught(mutation, as: .broken, Bounds(streaming: 0)) { Self.arrangePosts(2, $0) }
        }

        @Test(arguments: [
            Mutation(site: "announce()", operation: .update, effect: .relaxed),
            Mutation(site: "rest()", operation: .update, effect: .relaxed),
        ])
        func `Seeded bug: with weaker exchanges, a post and a drain that comes to rest miss each other`(
            mutation: Mutation
        ) {
            expectCaught(mutation, as: .broken, Bounds()) { Self.arrangePosts(2, $0) }
        }

        @Test func `Seeded bug: if a post doesn't announce itself, its element is never delivered`() {
            let mutation = Mutation(site: "announce()", operation: .update, effect: .skipped)
            expectCaught(mutation, as: .broken, Bounds()) { Self.arrangePosts(2, $0) }
        }

        @Test func `Seeded bug: if a drain goes on by a plain store, there are two drains`() {
            let mutation = Mutation(site: "rest()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3)) { Self.arrangePosts(3, $0) }
        }

        /// A thread that sends through a hop and schedules between its values.
        private static func arrangeOrder(dropping: Bool, _ scenario: Scenario) {
            let scheduler = CountingScheduler()
            let log = Holder([Int]())
            let deliver = { (number: Int) in log.held.append(number) }
            if dropping {
                let mailbox = DroppingMailbox<Int>(
                    on: scheduler, through: Strand(), capacity: 4, dropsOldest: true, deliver: deliver)
                scenario.keep(mailbox)
                scenario.thread("A") {
                    _ = mailbox.post(1)
                    _ = scheduler.schedule { log.held.append(2) }
                    _ = mailbox.post(3)
                    _ = mailbox.post(4)
                }
            } else {
                let mailbox = Mailbox<Int>(on: scheduler, through: Strand(), deliver: deliver)
                scenario.keep(mailbox)
                scenario.watch(mailbox.permits)
                scenario.thread("A") {
                    mailbox.post(1)
                    _ = scheduler.schedule { log.held.append(2) }
                    mailbox.post(3)
                    mailbox.post(4)
                }
            }
            scenario.finally { scenario.expect(log.held == [1, 2, 3, 4], "the order is \(log.held)") }
        }

        @Test(arguments: [false, true])
        func `C5: a value doesn't overtake what was scheduled before it`(dropping: Bool) {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { Self.arrangeOrder(dropping: dropping, $0) }
        }

        /// A thread that sends through a hop and schedules, and drains that linger until other work waits.
        private static func arrangeYields(to scheduler: CountingScheduler, _ scenario: Scenario) {
            let log = Holder([Int]())
            let mailbox = Mailbox<Int>(on: scheduler, through: Strand()) { log.held.append($0) }
            for _ in 0..<ArrivalHistory.first { mailbox.draining.arrivals.arrive(isSoon: true) }
            scenario.keep(mailbox)
            scenario.watch(mailbox.permits, scheduler.order, scheduler.queue)
            scenario.thread("A") {
                mailbox.post(1)
                mailbox.post(2)
                _ = scheduler.schedule { log.held.append(3) }
            }
            scenario.finally { scenario.expect(log.held == [1, 2, 3], "the order is \(log.held)") }
        }

        @Test(arguments: [1, 2])
        func `C5: what is scheduled doesn't overtake a value whose drain yields to it`(look: Int) {
            expectSound(Bounds(preemptions: 2, oldReads: 2)) {
                Self.arrangeYields(to: CountingScheduler(waitingLook: look), $0)
            }
        }

        @Test func `Seeded bug: on a queue that orders nothing, a drain yields with a value left`() {
            let mutation = Mutation(site: "enqueue()", operation: .update, effect: .relaxed)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, oldReads: 2)) {
                Self.arrangeYields(to: CountingScheduler(waitingLook: 1), $0)
            }
        }

        @Test func `Seeded bug: if the mark of a run isn't published, a value overtakes an action`() {
            let mutation = Mutation(site: "mark()", operation: .store, effect: .skipped)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2)) { Self.arrangeOrder(dropping: false, $0) }
        }

        @Test(arguments: [
            Mutation(site: "mark()", operation: .store, effect: .relaxed),
            Mutation(site: "countBeforeNextRun()", operation: .load, effect: .relaxed),
        ])
        func `Seeded bug: if a mark isn't ordered itself, a drain reads it before it is written`(mutation: Mutation) {
            expectCaught(mutation, as: .race, Bounds(preemptions: 2)) { Self.arrangeOrder(dropping: false, $0) }
        }

        @Test func `C3: a drain that finds the strand taken runs again later and loses nothing`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) {
                Self.arrangePostsBesideOwner(on: ControlledScheduler(), $0)
            }
        }

        @Test
        func `C3: on a scheduler that runs actions at once, a drain at rest touches nothing that is the next one's`() {
            final class Immediate: Scheduler {
                func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
                    action()
                    return nil
                }
            }
            // While B owns the strand, a drain of A leaves the rest to a worker, which is still at rest when A posts again.
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { Self.arrangePostsBesideOwner(on: Immediate(), $0) }
        }

        @Test func `E1, C3: observe(on:) delivers every event before the end and nothing after it`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let (output, input) = Signal<Int, Never>.pipe()
                let seen = Deliveries(scenario)
                let ends = Tally()
                output.observe(on: ControlledScheduler()).observe { event in
                    if case .value(let number) = event { seen.deliver(Sent(sender: "A", number: number)) }
                    scenario.expect(ends.count == 0, "\(event) was delivered after the end")
                    if event.isTerminating { ends.count += 1 }
                }
                scenario.keep(input)
                scenario.thread("A") {
                    input.send(value: 1)
                    input.send(value: 2)
                    input.sendCompleted()
                }
                scenario.finally {
                    seen.expectAll(["A": 2])
                    scenario.expect(ends.count == 1, "\(ends.count) ends")
                }
            }
        }

        @Test func `Seeded bug: if posting doesn't release, a drain takes an element before it is written`() {
            let mutation = Mutation(site: "put(_:)", operation: .store, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(streaming: 0), Self.arrangeMarked)
        }

        @Test func `Seeded bug: if a drain doesn't acquire, it takes an element before it is written`() {
            let mutation = Mutation(site: "drain()", operation: .load, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(streaming: 0), Self.arrangeMarked)
        }

        @Test func `A drain sees what a posted element contains`() {
            expectSound(Bounds(streaming: 0), Self.arrangeMarked)
        }

        private static func arrangeMarked(_ scenario: Scenario) {
            let mailbox = Mailbox<Marked>(on: StrictScheduler(scenario), through: Strand()) {
                PlainAccess.read($0)
            }
            scenario.watch(mailbox)
            scenario.thread("A") {
                for _ in 1...2 {
                    let element = Marked()
                    PlainAccess.write(element)
                    mailbox.post(element)
                }
            }
        }

        @Test
        func `A drain that goes on sees what was done before it was resumed, although the scheduler orders nothing`() {
            expectSound(Bounds(preemptions: nil), Self.arrangeResumption)
        }

        @Test func `Seeded bug: if the resumption doesn't release, the drain doesn't see what was done before`() {
            let mutation = Mutation(site: "resume(with:)", operation: .update, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(), Self.arrangeResumption)
        }

        private static func arrangeResumption(_ scenario: Scenario) {
            let scheduler = UnorderedScheduler()
            let mailbox = Mailbox<Marked>(on: scheduler, through: Strand()) { _ in }
            mailbox.resumeAction = scheduler.rescheduleToken(for: mailbox)
            let before = Tally()
            scenario.watch(mailbox)
            scenario.thread("A") {
                PlainAccess.write(before)
                mailbox.resume(with: .none)
            }
            scenario.thread("B") {
                if scheduler.isPosted {
                    mailbox.run()
                    PlainAccess.read(before)
                }
            }
        }

        /// An element whose contents are plain memory.
        private final class Marked {}
    }

    /// A scheduler whose post orders nothing before the run, which is the test's.
    private final class UnorderedScheduler: WorkItemScheduler {
        private let posted = SharedWord()

        var isPosted: Bool { posted.word.load(.relaxed) != 0 }

        func post(_ workItem: WorkItem) { posted.word.store(1, .relaxed) }

        func perform(_ action: @escaping @Sendable () -> Void) {}
    }

    /// A controlled scheduler that checks that a work item isn't posted again before its run has begun.
    private final class StrictScheduler: WorkItemScheduler, @unchecked Sendable {  // Threads run one at a time.
        private let actions = ControlledScheduler()
        private let scenario: Scenario
        private var isPosted = false

        init(_ scenario: Scenario) {
            self.scenario = scenario
        }

        /// How often a work item was posted.
        var count: Int { actions.count }

        func post(_ workItem: WorkItem) {
            scenario.expect(!isPosted, "the work item is posted again before it has run")
            isPosted = true
            _ = actions.schedule {
                self.isPosted = false
                workItem.run()
            }
        }

        func perform(_ action: @escaping @Sendable () -> Void) { _ = actions.schedule(action) }
    }
#endif
