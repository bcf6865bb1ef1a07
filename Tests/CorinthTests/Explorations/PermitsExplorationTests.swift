#if Exploration && !NaiveLocks
    @testable import Corinth
    import Dispatch
    import Testing

    /// Every interleaving of the threads that take permits, return them, and close them.
    @Suite("Permits, all interleavings", .serialized)
    struct PermitsExplorationTests {
        private static let bounds = Bounds(preemptions: 2, spinning: 0)

        // MARK: Threads

        /// One thread. Every second of its posts finds no free permit.
        private static func arrangeSender(_ scenario: Scenario) {
            let deliveries = Deliveries(scenario)
            let bound = MailboxBound(capacity: 1, stallTimeout: .max)
            let mailbox = Mailbox<Sent>(on: ControlledScheduler().runningWorkItems, through: Strand(), bound: bound) {
                deliveries.deliver($0)
            }
            scenario.watch(mailbox, mailbox.permits)
            scenario.thread("A") {
                for number in 1...3 {
                    mailbox.post(Sent(sender: "A", number: number))
                    scenario.expect(
                        deliveries.events.count >= number - 1, "\(deliveries.events.count) of \(number) were delivered")
                }
            }
            scenario.finally { deliveries.expectAll(["A": 3]) }
        }

        @Test func `X2: no sender continues without a permit, and no sender sleeps forever`() {
            expectSound(Self.bounds, reaching: [.sleep]) { Self.arrangeSender($0) }
        }

        @Test func `Two threads that wait for a permit both continue`() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) { scenario in
                let deliveries = Deliveries(scenario)
                let bound = MailboxBound(capacity: 1, stallTimeout: .max)
                let source = Strand()
                let mailbox = Mailbox<Sent>(on: ControlledScheduler().runningWorkItems, through: Strand(), bound: bound)
                {
                    deliveries.deliver($0)
                }
                scenario.watch(mailbox)
                for name in ["A", "B"] {
                    scenario.thread(name) {
                        for number in 1...2 { source.post(Sent(sender: name, number: number), to: mailbox) }
                    }
                }
                scenario.finally { deliveries.expectAll(["A": 2, "B": 2]) }
            }
        }

        @Test func `Seeded bug: without a wake-up, a sender sleeps forever`() {
            let mutation = Mutation(site: "serve()", operation: .wake, effect: .skipped)
            expectCaught(mutation, as: .deadlock, Self.bounds) { Self.arrangeSender($0) }
        }

        @Test(arguments: [
            Mutation(site: "handOutIfAwaited()", operation: .lightBarrier, effect: .skipped),
            Mutation(site: "add(_:_:)", operation: .heavyBarrier, effect: .skipped),
        ])
        func `Seeded bug: without one of the barriers, a waiter misses a delivery and sleeps forever`(
            mutation: Mutation
        ) {
            expectCaught(mutation, as: .deadlock, Self.bounds) { Self.arrangeSender($0) }
        }

        /// The permits of a mailbox, and a thread that counts them while one element is posted and delivered.
        private static func arrangeCount(_ scenario: Scenario) {
            let permits = Permits(capacity: 1, stallTimeout: .max, countsPosts: true)
            scenario.watch(permits)
            scenario.thread("A") {
                permits.state.used.store(1, .release)
                permits.state.count(delivered: 1)
            }
            scenario.thread("B") {
                let taken = permits.state.taken(.relaxed)
                scenario.expect(taken <= 1, "\(taken) permits are taken")
            }
        }

        @Test func `A delivered element is never counted before it is posted`() {
            expectSound(Self.bounds) { Self.arrangeCount($0) }
        }

        @Test(arguments: [
            Mutation(site: "count(delivered:)", operation: .store, effect: .relaxed),
            Mutation(site: "taken(_:)", operation: .load, effect: .relaxed),
        ])
        func `Seeded bug: with a weaker ordering, an element is counted as delivered before it is posted`(
            mutation: Mutation
        ) {
            expectCaught(mutation, as: .broken, Self.bounds) { Self.arrangeCount($0) }
        }

        // MARK: Sending without waiting

        /// One thread uses `trySend` into a hop of capacity 1, and another uses `send`. Accepted values are delivered in FIFO
        /// order, and the thread that uses `trySend` never sleeps.
        private static func arrangeTrying(_ scenario: Scenario, inbox: Int = 1) {
            let deliveries = Deliveries(scenario)
            let (output, input) = Signal<Sent, Never>.pipe(inboxCapacity: inbox)
            // Releasing the input would interrupt the signal.
            scenario.keep(input)
            output
                .observe(on: ControlledScheduler(), bufferingPolicy: .blocking(capacity: 1, stallTimeout: .never))
                .observeValues { deliveries.deliver($0) }
            let accepted = SharedWord()
            scenario.thread("A") {
                var number = 1
                for _ in 1...2 where input.trySend(value: Sent(sender: "A", number: number)) {
                    number += 1
                    accepted.word.fetchAdd(1, .relaxed)
                }
            }
            scenario.thread("B") { input.send(value: Sent(sender: "B", number: 1)) }
            scenario.finally {
                deliveries.expectAll(["A": Int(accepted.word.load(.relaxed)), "B": 1])
            }
        }

        @Test func `X2: trySend is refused, or its value is delivered in FIFO order`() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) { Self.arrangeTrying($0) }
        }

        @Test
        func `Seeded bug: if trySend leaves the strand with a plain store, an event that was queued meanwhile is lost`()
        {
            let mutation = Mutation(
                site: "tryRelease(_:as:bias:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, oldReads: 0, spinning: 0)) {
                Self.arrangeTrying($0)
            }
        }

        @Test
        func `Seeded bug: if trySend leaves the strand without a release, the next owner doesn't see its delivery`() {
            let mutation = Mutation(
                site: "tryRelease(_:as:bias:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, spinning: 0)) { Self.arrangeTrying($0) }
        }

        // MARK: Tasks

        /// A task asks for the only permit while one thread returns it and another cancels the task. The task is resumed once,
        /// with a permit or cancelled, and the permit count matches the outcome.
        private static func arrangeTask(_ scenario: Scenario, cancels: Bool) {
            let permits = Permits(capacity: 1, stallTimeout: .max)
            let task = TaskWaiter()
            let granted = SharedWord()
            let cancelled = SharedWord()
            scenario.expect(permits.tryTake(), "the permit is taken already")
            scenario.watch(permits, task)
            scenario.thread("task") {
                task.begin { outcome in
                    (outcome == .cancelled ? cancelled : granted).word.fetchAdd(1, .relaxed)
                }
                if task.takePermit(of: permits) { granted.word.fetchAdd(1, .relaxed) }
            }
            scenario.thread("owner") { permits.giveBack(1) }
            if cancels { scenario.thread("canceller") { task.cancel() } }
            scenario.finally {
                let (got, lost) = (granted.word.load(.relaxed), cancelled.word.load(.relaxed))
                scenario.expect(got + lost == 1, "granted \(got) times, cancelled \(lost) times")
                let used = permits.state.used.load(.relaxed)
                scenario.expect(used == got, "the permit is counted \(used) times")
                scenario.expect(permits.waiterCount == 0, "a waiter is left in the queue")
            }
        }

        @Test func `X2: a waiting task is resumed once`() {
            expectSound(Self.bounds) { Self.arrangeTask($0, cancels: false) }
        }

        @Test func `X2: a task that is cancelled while it waits is resumed once, and holds no permit`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0)) { Self.arrangeTask($0, cancels: true) }
        }

        @Test func `Seeded bug: if returning a permit reads the queue without ordering, a task stays suspended`() {
            let mutation = Mutation(site: "giveBack(_:)", operation: .load, effect: .notSequential)
            expectCaught(mutation, as: .broken, Self.bounds) { Self.arrangeTask($0, cancels: false) }
        }

        @Test func `Seeded bug: if joining the queue reads the free permits without ordering, a task stays suspended`()
        {
            let mutation = Mutation(site: "taken(_:)", operation: .load, effect: .notSequential)
            expectCaught(mutation, as: .broken, Self.bounds) { Self.arrangeTask($0, cancels: false) }
        }

        @Test func `Seeded bug: without the flag, a task is both cancelled and granted a permit`() {
            let mutation = Mutation(site: "acquire()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, oldReads: 0, spinning: 0)) {
                Self.arrangeTask($0, cancels: true)
            }
        }

        /// A task has stopped a strand, because its value exceeds the bound of a hop. One thread returns the hop's permits, one
        /// sends to the strand, and maybe one cancels the task. The task is resumed once, and the sent value is delivered once.
        ///
        /// - Parameter joins: Whether the task was suspended when its value was sent.
        private static func arrangeStop(_ scenario: Scenario, cancels: Bool, joins: Bool = false) {
            let hop = Permits(capacity: 1, stallTimeout: .max)
            let strand = Strand(capacity: 2, stallTimeout: .max)
            let resumptions = SharedWord()
            let deliveries = SharedWord()
            scenario.expect(hop.tryTake(), "the hop is full already")
            scenario.watch(hop, strand)
            guard let owned = strand.enter() else { return scenario.expect(false, "the strand is owned already") }
            let delivery = strand.setWaitsAside(owned)
            // As a delivery that exceeds the bound.
            hop.take()
            let attempt = strand.leave(delivery, suspending: true)
            guard case .stopped(let task) = attempt else { return scenario.expect(false, "the task isn't suspended") }
            scenario.watch(task)
            let waiter = TaskWaiter()
            scenario.watch(waiter)
            scenario.thread("task") {
                let resumed = SharedWord()
                let resume: () -> Void = {
                    resumptions.word.fetchAdd(1, .relaxed)
                    resumed.raise()
                }
                if joins {
                    waiter.begin { _ in resume() }
                    waiter.join { attempt }
                } else {
                    task.begin(resume)
                }
                resumed.blockingWaitUntilRaised()
                if joins { waiter.finish() } else { task.finish() }
            }
            scenario.thread("drain") { hop.giveBack(1) }
            if cancels {
                scenario.thread("canceller") { if joins { waiter.cancel() } else { task.cancel() } }
            } else {
                scenario.thread("sender") {
                    strand.enqueue(WorkNode { deliveries.word.fetchAdd(1, .relaxed) }, .atOnce)
                }
            }
            scenario.finally {
                scenario.expect(resumptions.word.load(.relaxed) == 1, "the task is resumed more than once")
                scenario.expect(hop.waiterCount == 0, "a waiter is left in the queue")
                // It is idle: work runs at once.
                strand.enqueue(WorkNode { deliveries.word.fetchAdd(1, .relaxed) }, .atOnce)
                let expected: UInt64 = cancels ? 1 : 2
                scenario.expect(deliveries.word.load(.relaxed) == expected, "the strand has no owner who leaves it")
            }
        }

        @Test func `X2: a task that has stopped a strand is resumed once, and the strand goes on`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0)) { Self.arrangeStop($0, cancels: false) }
        }

        @Test
        func `X2: a task that is cancelled after it has stopped a strand is resumed once, and the strand goes on`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0)) { Self.arrangeStop($0, cancels: true) }
        }

        @Test
        func `X2: a task that was suspended before it has stopped a strand is resumed once, and the strand goes on`() {
            let bounds = Bounds(preemptions: 2, oldReads: 0, spinning: 0)
            expectSound(bounds) { Self.arrangeStop($0, cancels: false, joins: true) }
            expectSound(bounds) { Self.arrangeStop($0, cancels: true, joins: true) }
        }

        @Test func `Seeded bug: without the flag, two threads continue the strand that a task has stopped`() {
            let mutation = Mutation(site: "acquire()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, oldReads: 0, spinning: 0)) {
                Self.arrangeStop($0, cancels: true)
            }
        }

        @Test func `Seeded bug: if a strand isn't abandoned before its task is resumed, it has no owner any more`() {
            let mutation = Mutation(site: "abandon(_:as:)", operation: .update, effect: .skipped)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 1, oldReads: 0, spinning: 0)) {
                Self.arrangeStop($0, cancels: false)
            }
        }

        @Test func `Seeded bug: if a permit is taken with a plain store by a try, it is taken twice`() {
            let mutation = Mutation(site: "tryTake()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, oldReads: 0, spinning: 0)) { scenario in
                let permits = Permits(capacity: 1, stallTimeout: .max)
                let taken = SharedWord()
                for name in ["A", "B"] {
                    scenario.thread(name) { if permits.tryTake() { taken.word.fetchAdd(1, .relaxed) } }
                }
                scenario.finally { scenario.expect(taken.word.load(.relaxed) == 1, "one permit is taken twice") }
            }
        }

        // MARK: Inboxes with a dropping policy

        /// Two threads send to an inbox with a capacity of one value. Each sender's values arrive in FIFO order, and every
        /// value is counted.
        private static func arrangeInbox(
            _ policy: BufferingPolicy<Never>, others: [String] = ["B"], _ scenario: Scenario
        ) {
            let deliveries = Deliveries(scenario)
            let statistics = BufferStatistics()
            let (output, input) = Signal<Sent, Never>.pipe(buffering: policy, statistics: statistics)
            scenario.watch(output.core, output.core.strand)
            let latest = SharedWord()
            output.observeValues { value in
                deliveries.deliver(value)
                guard value.sender == "A" else { return }
                let seen = latest.word.exchange(UInt64(value.number), .relaxed)
                scenario.expect(seen < value.number, "\(value.number) was delivered after \(seen)")
            }
            let ended = SharedWord()
            output.observeCompleted { ended.word.fetchAdd(1, .relaxed) }
            // First, so that a queue with values of others is met early.
            for name in others { scenario.thread(name) { input.send(value: Sent(sender: name, number: 1)) } }
            scenario.thread("A") {
                for number in 1...2 { input.send(value: Sent(sender: "A", number: number)) }
                input.sendCompleted()
            }
            scenario.finally {
                scenario.expect(ended.word.load(.relaxed) == 1, "the completion was delivered never or more than once")
                scenario.expect(
                    statistics.sent == 2 + others.count && statistics.waiting == 0,
                    "\(statistics.waiting) of \(statistics.sent) were never delivered or dropped")
            }
        }

        @Test func `An inbox with a dropping policy keeps FIFO order, counts every loss, and completes`() {
            for policy in [BufferingPolicy<Never>.latest, .dropNewest(capacity: 1)] {
                expectSound(Bounds(preemptions: 2, oldReads: 1, spinning: 0)) { Self.arrangeInbox(policy, $0) }
            }
        }

        @Test func `Seeded bug: if the inbox's flag is released without ordering, a reader sees a partial state`() {
            let mutation = Mutation(site: "release(_:)", operation: .update, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, spinning: 0)) { Self.arrangeInbox(.latest, $0) }
        }

        @Test func `Seeded bug: if a value ignores queued values, it overtakes an earlier value of its own sender`() {
            let mutation = Mutation(site: "becomeBusy(_:)", operation: .store, effect: .skipped)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, oldReads: 0, spinning: 0)) {
                Self.arrangeInbox(.dropNewest(capacity: 2), others: ["B", "C"], $0)
            }
        }

        // MARK: Taking permits before queuing

        /// Threads that each take and return permits `count` times. At most `capacity` permits are held at any time. No waiter
        /// is passed more often than the waiters before it have permits in their batches.
        ///
        /// - Parameter taken: How many permits are taken at the beginning. One more thread returns them.
        private static func arrangeTakers(
            _ counts: [String: Int], capacity: UInt64 = 1, taken: UInt64 = 0, _ scenario: Scenario
        ) {
            let permits = Permits(capacity: capacity, stallTimeout: .max)
            permits.state.used.fetchAdd(taken, .relaxed)
            if taken > 0 { scenario.thread("Z") { permits.giveBack(taken) } }
            scenario.watch(permits)
            let held = SharedWord()
            for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
                scenario.thread(name) {
                    for _ in 0..<count {
                        permits.blockingTake()
                        let before = held.word.fetchAdd(1, .relaxed)
                        scenario.expect(
                            before < capacity, "\(before + 1) permits are held, the capacity is \(capacity)")
                        held.word.fetchSubtract(1, .relaxed)
                        permits.giveBack(1)
                    }
                }
            }
            scenario.finally {
                let used = permits.state.used.load(.relaxed)
                scenario.expect(used == 0, "\(used) permits are still taken")
                let limit = permits.state.limit.load(.relaxed)
                scenario.expect(limit == capacity, "the limit is \(limit) without waiters")
            }
        }

        @Test func `X2: no more permits are held than the capacity, and every waiter gets one`() {
            expectSound(Bounds(preemptions: 3, spinning: 0), reaching: [.sleep]) {
                Self.arrangeTakers(["A": 2, "B": 1], $0)
            }
        }

        @Test func `X2: the same holds for three threads`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep]) {
                Self.arrangeTakers(["A": 1, "B": 1, "C": 1], $0)
            }
        }

        @Test func `X2a: with batches of two, no waiter is passed more often than the batches allow`() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0), reaching: [.sleep]) {
                Self.arrangeTakers(["A": 3, "B": 2, "C": 1], capacity: 8, taken: 7, $0)
            }
        }

        /// One thread takes the only permit in a loop. At its end each thread checks for waiters, as the stall timer's thread
        /// does.
        private static func arrangeGreed(_ scenario: Scenario) {
            let permits = Permits(capacity: 1, stallTimeout: .max)
            scenario.watch(permits)
            for (name, count) in [("A", 5), ("B", 1)] {
                scenario.thread(name) {
                    for _ in 1...count {
                        permits.blockingTake()
                        permits.giveBack(1)
                    }
                    permits.handOut()
                }
            }
        }

        @Test func `X2a: a thread that takes permits in a loop doesn't starve waiters`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep]) { Self.arrangeGreed($0) }
        }

        @Test func `Seeded bug: a waiter that doesn't announce itself is passed again and again`() {
            let mutation = Mutation(site: "add(_:_:)", operation: .update, effect: .skipped)
            expectCaught(mutation, as: .starved, Self.bounds) { Self.arrangeGreed($0) }
        }

        @Test func `Seeded bug: if a permit is taken with a plain store by a wait, it is taken twice`() {
            let mutation = Mutation(site: "blockingTake()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Self.bounds) { Self.arrangeTakers(["A": 1, "B": 1], $0) }
        }

        /// X2a: A holds the only permit. B waits for it. C arrives later and gets it after B.
        private static func arrangeOrder(_ scenario: Scenario) {
            let permits = Permits(capacity: 1, stallTimeout: .max)
            let order = SharedWord()
            permits.state.used.fetchAdd(1, .relaxed)
            scenario.watch(permits)
            scenario.thread("B") {
                permits.blockingTake()
                let seen = order.word.fetchAdd(1, .relaxed)
                scenario.expect(seen == 0, "C arrived later and was served first")
                permits.giveBack(1)
            }
            scenario.thread("C") {
                // Wait until B waits.
                var spins = 0
                while permits.state.limit.load(.relaxed) != 0 {
                    permits.state.limit.spin(iteration: spins)
                    spins += 1
                }
                permits.blockingTake()
                order.word.fetchAdd(1, .relaxed)
                permits.giveBack(1)
            }
            scenario.thread("A") {
                var spins = 0
                while permits.state.limit.load(.relaxed) != 0 {
                    permits.state.limit.spin(iteration: spins)
                    spins += 1
                }
                permits.giveBack(1)
            }
        }

        /// C may also arrive after B has been served. Then the limit is already raised, and C spins forever.
        @Test func `X2a: later threads don't overtake a waiter`() {
            let outcome = explore(Bounds(preemptions: 2, oldReads: 0, spinning: 0)) { Self.arrangeOrder($0) }
            // If B has finished before C looks, C waits for a state that is over. That deadlock belongs to the scenario, not to
            // the library.
            switch outcome.failure {
            case nil, .deadlock?: break
            case let failure?: Issue.record("\(failure)\n\(outcome.trace?.description ?? "")")
            }
        }

        // MARK: Closing

        @Test func `Closing releases every waiter, at any moment`() {
            expectSound(Bounds(preemptions: 2, spinning: 0), reaching: [.sleep]) { scenario in
                let permits = Permits(capacity: 1, stallTimeout: .max)
                permits.state.used.fetchAdd(1, .relaxed)
                scenario.watch(permits)
                for name in ["A", "B"] { scenario.thread(name) { permits.blockingTake() } }
                scenario.thread("C") { permits.close() }
                scenario.finally {
                    scenario.expect(permits.state.limit.load(.relaxed) == .max, "the closed permits have a limit again")
                }
            }
        }

        @Test func `Seeded bug: if closing misses a waiter, that waiter sleeps forever`() {
            let mutation = Mutation(site: "add(_:_:)", operation: .update, effect: .notSequential)
            let outcome = explore(Bounds(preemptions: 3, spinning: 0), mutation: mutation) { scenario in
                let permits = Permits(capacity: 1, stallTimeout: .max)
                permits.state.used.fetchAdd(1, .relaxed)
                scenario.watch(permits)
                scenario.thread("A") { permits.blockingTake() }
                scenario.thread("C") { permits.giveBack(1) }
            }
            #expect(
                outcome.mutationApplied && outcome.failure?.kind == .deadlock, "\(String(describing: outcome.failure))")
        }

        // MARK: Drains

        /// Two mailboxes in a row. The second has a capacity of 1.
        private static func arrangeDrain(_ scenario: Scenario, slides: Bool = false) {
            let deliveries = Deliveries(scenario)
            let bound = MailboxBound(capacity: 1, stallTimeout: .max)
            let last = Mailbox<Sent>(on: ControlledScheduler().runningWorkItems, through: Strand(), bound: bound) {
                deliveries.deliver($0)
            }
            let forward = { (event: Sent) in
                last.post(event)
                let waiting = last.permits.state.taken(.relaxed)
                scenario.expect(waiting <= 2, "\(waiting) elements wait in a mailbox of capacity 1")
            }
            scenario.watch(last, last.permits)
            if slides {
                let first = DroppingMailbox<Sent>(
                    on: ControlledScheduler().runningWorkItems, through: Strand(), capacity: 4, dropsOldest: true,
                    deliver: forward)
                scenario.watch(first)
                scenario.thread("A") { for number in 1...3 { _ = first.post(Sent(sender: "A", number: number)) } }
            } else {
                let first = Mailbox<Sent>(
                    on: ControlledScheduler().runningWorkItems, through: Strand(), deliver: forward)
                scenario.watch(first)
                scenario.thread("A") { for number in 1...3 { first.post(Sent(sender: "A", number: number)) } }
            }
            scenario.finally { deliveries.expectAll(["A": 3]) }
        }

        @Test func `X2: a drain stops one element past the bound, resumes when a permit is free, and loses nothing`() {
            expectSound(Self.bounds) { Self.arrangeDrain($0) }
        }

        @Test func `X2: the drain of a dropping mailbox stops and resumes, too`() {
            expectSound(Bounds(preemptions: 1, spinning: 0)) { Self.arrangeDrain($0, slides: true) }
        }

        @Test(arguments: [
            Mutation(site: "handOutIfAwaited()", operation: .lightBarrier, effect: .skipped),
            Mutation(site: "add(_:_:)", operation: .heavyBarrier, effect: .skipped),
        ])
        func `Seeded bug: without one of the barriers, a drain stays stopped`(mutation: Mutation) {
            expectCaught(mutation, as: .broken, Self.bounds) { Self.arrangeDrain($0) }
        }

        /// Two drains that post to one mailbox through the strand of a merge.
        private static func arrangeTwo(_ scenario: Scenario, _ second: Int) {
            let deliveries = Deliveries(scenario)
            let bound = MailboxBound(capacity: 1, stallTimeout: .max)
            let last = Mailbox<Sent>(on: ControlledScheduler().runningWorkItems, through: Strand(), bound: bound) {
                deliveries.deliver($0)
            }
            let joint = Strand()
            scenario.watch(last)
            for (name, count) in [("A", 2), ("B", second)] {
                let first = Mailbox<Sent>(on: ControlledScheduler().runningWorkItems, through: Strand()) {
                    joint.post($0, to: last)
                }
                scenario.watch(first)
                scenario.thread(name) { for number in 1...count { first.post(Sent(sender: name, number: number)) } }
            }
            scenario.finally { deliveries.expectAll(["A": 2, "B": second]) }
        }

        @Test func `Two drains stop at the same mailbox, and both resume`() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) { Self.arrangeTwo($0, 1) }
        }

        @Test func `X2: a worker that owns a strand stops with it, and senders wait for a permit of its inbox`() {
            expectSound(
                Bounds(preemptions: 1, oldReads: 0, helping: 1, spinning: 0), reaching: [.worker]
            ) { scenario in
                let deliveries = Deliveries(scenario)
                let bound = MailboxBound(capacity: 1, stallTimeout: .max)
                let last = Mailbox<Sent>(on: ControlledScheduler().runningWorkItems, through: Strand(), bound: bound) {
                    deliveries.deliver($0)
                }
                let joint = Strand(capacity: 2)
                scenario.watch(last)
                for (name, count) in [("A", 1), ("B", 3)] {
                    scenario.thread(name) {
                        for number in 1...count { joint.post(Sent(sender: name, number: number), to: last) }
                    }
                }
                scenario.finally { deliveries.expectAll(["A": 1, "B": 3]) }
            }
        }

        @Test func `A stopped drain resumes when its waits are ended, at any moment`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0)) { scenario in
                let dead = StepScheduler()
                let bound = MailboxBound(capacity: 1, stallTimeout: .max)
                let last = Mailbox<Sent>(on: dead.runningWorkItems, through: Strand(), bound: bound) { _ in }
                let first = Mailbox<Sent>(on: ControlledScheduler().runningWorkItems, through: Strand()) {
                    last.post($0)
                }
                scenario.watch(first, last)
                scenario.thread("A") { for number in 1...3 { first.post(Sent(sender: "A", number: number)) } }
                scenario.thread("B") { first.permits.endWaits() }
                scenario.finally {
                    let left = first.permits.state.taken(.relaxed)
                    scenario.expect(left == 0, "\(left) elements were never delivered")
                    dead.run()
                }
            }
        }

        // MARK: Stalls

        /// A mailbox that is drained once. The drain in front of it continues anyway, because a stall timeout may pass at any
        /// moment.
        private static func arrangeDead(_ scenario: Scenario) {
            let scheduler = StepScheduler()
            let bound = MailboxBound(capacity: 1, stallTimeout: 1_000_000_000)
            let last = Mailbox<Sent>(on: scheduler.runningWorkItems, through: Strand(), bound: bound) { _ in }
            let first = Mailbox<Sent>(on: ControlledScheduler().runningWorkItems, through: Strand()) { last.post($0) }
            scenario.watch(first, last, last.permits)
            scenario.thread("A") { for number in 1...4 { first.post(Sent(sender: "A", number: number)) } }
            scenario.thread("B") { scheduler.run() }
            scenario.finally {
                let left = first.permits.state.taken(.relaxed)
                scenario.expect(left == 0, "\(left) elements were never delivered")
                scheduler.run()
            }
        }

        @Test func `A drain that stops at a mailbox without deliveries resumes after the stall timeout`() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) { Self.arrangeDead($0) }
        }

        @Test func `X2: each stall timeout without a delivery admits one more capacity, and no more`() {
            let permits = Permits(capacity: 4, stallTimeout: 1000)
            let queue = WaitQueue(of: permits)
            var graph = WaitGraph.acquire()
            graph.use(queue, for: permits.stateAddress)
            permits.state.used.fetchAdd(4, .relaxed)
            for _ in 0..<12 {
                let isQueued = queue.add(ThreadWaiter(takesPermit: true), &graph)
                #expect(isQueued)
            }
            let first = queue.firstLook(in: graph) ?? 0
            let second = queue.firstLook(in: graph)
            #expect(second == nil)
            // Too early: nothing is granted.
            let early = queue.look(at: first - 1, &graph)
            #expect(early == first)
            #expect(permits.state.used.load(.relaxed) == 4)
            for round in 1...2 {
                let next = queue.look(at: first + UInt64(round - 1) * 1000, &graph)
                #expect(next != nil)
                #expect(permits.state.used.load(.relaxed) == 4 + 4 * UInt64(round))
            }
            // After a delivery, the bound is the capacity again.
            permits.countDelivery()
            let last = queue.look(at: first + 2000, &graph)
            #expect(last == first + 3000)
            #expect(permits.state.used.load(.relaxed) == 12)
            graph.use(nil, for: permits.stateAddress)
            graph.release()
        }

        // MARK: Cycles

        /// A ring of `count` mailboxes with capacity 1 and a strand in front of each. Each drain posts to the next mailbox.
        /// Each value goes round at least once.
        private static func arrangeRing(_ count: Int, senders: Int, each: Int, _ scenario: Scenario) {
            let ring = MailboxRing(count)
            let arrived = SharedWord()
            for index in 0..<count {
                ring.add { event in
                    if event.number == 0 {
                        arrived.word.fetchAdd(1, .relaxed)
                        return
                    }
                    ring.post(Sent(sender: event.sender, number: event.number - 1), to: (index + 1) % count)
                }
            }
            scenario.watch(ring)
            for index in 0..<senders {
                scenario.thread("\(index)") {
                    for _ in 0..<each { ring.post(Sent(sender: "\(index)", number: count), to: index) }
                }
            }
            scenario.finally {
                let left = ring.waiting
                scenario.expect(left.allSatisfy { $0 == 0 }, "deadlock: \(left) wait")
                let count = arrived.word.load(.relaxed)
                scenario.expect(count == UInt64(each * senders), "\(count) of \(each * senders) values returned")
                ring.removeAll()
            }
        }

        /// Created by one thread. Its parts synchronise themselves.
        private final class MailboxRing: @unchecked Sendable {
            private var boxes: [Mailbox<Sent>] = []
            private var strands: [Strand] = []
            private let count: Int

            init(_ count: Int) { self.count = count }

            func add(_ deliver: @escaping (Sent) -> Void) {
                let bound = MailboxBound(capacity: 1, stallTimeout: .max)
                strands.append(Strand())
                boxes.append(
                    Mailbox(
                        on: ControlledScheduler().runningWorkItems, through: Strand(), bound: bound, deliver: deliver))
            }

            func post(_ event: Sent, to index: Int) { strands[index].post(event, to: boxes[index]) }

            var waiting: [UInt64] { boxes.map { $0.permits.state.taken(.relaxed) } }

            func removeAll() { boxes = [] }
        }

        @Test func `Full hops in a ring detect that they wait for themselves, and none stops forever`() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) {
                Self.arrangeRing(2, senders: 2, each: 1, $0)
            }
        }

        @Test func `Three full hops in a ring detect that they wait for themselves, and none stops forever`() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) {
                Self.arrangeRing(3, senders: 1, each: 2, $0)
            }
        }
    }

    extension Strand {
        /// Posts to a mailbox as an operator's strand does: in place, or behind the queued events.
        func post(_ event: Sent, to mailbox: Mailbox<Sent>) {
            if !enter({ mailbox.post(event) }) {
                queue(event, for: mailbox) { $0.post($1) }
            }
        }
    }
#endif
