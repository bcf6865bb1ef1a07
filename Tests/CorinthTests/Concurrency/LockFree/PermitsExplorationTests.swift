#if Exploration && !NaiveLocks
    @testable import Corinth
    import Dispatch
    import Testing

    /// Every interleaving of those who take places, those who give them back, and those who end what they are places of.
    @Suite("Permits, all interleavings", .serialized)
    struct PermitsExplorationTests {
        private static let bounds = Bounds(preemptions: 2, spinning: 0)

        // MARK: Threads

        /// One thread, whose every second post finds no place.
        private static func arrangeSender(_ scenario: Scenario) {
            let deliveries = Deliveries(scenario)
            let bound = MailboxBound(capacity: 1, stallTimeout: .max)
            let mailbox = Mailbox<Sent>(on: ControlledScheduler(), through: Strand(), bound: bound) {
                deliveries.deliver($0)
            }
            scenario.keep(mailbox)
            scenario.watch(mailbox.permits)
            scenario.thread("A") {
                for number in 1...3 {
                    mailbox.post(Sent(sender: "A", number: number))
                    scenario.expect(
                        deliveries.events.count >= number - 1, "\(deliveries.events.count) delivered of \(number)")
                }
            }
            scenario.finally { deliveries.expectAll(["A": 3]) }
        }

        @Test("X2: nobody goes on while there is no place, and nobody is left asleep")
        func waitsForPlace() { expectSound(Self.bounds, reaching: [.sleep]) { Self.arrangeSender($0) } }

        @Test("Two threads that wait for a place both go on")
        func twoSenders() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) { scenario in
                let deliveries = Deliveries(scenario)
                let bound = MailboxBound(capacity: 1, stallTimeout: .max)
                let source = Strand()
                let mailbox = Mailbox<Sent>(on: ControlledScheduler(), through: Strand(), bound: bound) {
                    deliveries.deliver($0)
                }
                scenario.keep(mailbox)
                for name in ["A", "B"] {
                    scenario.thread(name) {
                        for number in 1...2 { source.post(Sent(sender: name, number: number), to: mailbox) }
                    }
                }
                scenario.finally { deliveries.expectAll(["A": 2, "B": 2]) }
            }
        }

        @Test("Seeded bug: without a wake-up, a sender sleeps for ever")
        func noWake() {
            let mutation = Mutation(site: "serve()", operation: .wake, effect: .skipped)
            expectCaught(mutation, as: .deadlock, Self.bounds) { Self.arrangeSender($0) }
        }

        @Test("Seeded bug: giving back without looking at who waits in order leaves one asleep")
        func giveBackNotSequential() {
            let mutation = Mutation(site: "giveBack(_:)", operation: .load, effect: .notSequential)
            expectCaught(mutation, as: .deadlock, Self.bounds) { Self.arrangeSender($0) }
        }

        @Test("Seeded bug: joining the queue out of order leaves one asleep")
        func joinNotSequential() {
            let mutation = Mutation(site: "handOut(_:of:all:)", operation: .load, effect: .notSequential)
            expectCaught(mutation, as: .deadlock, Self.bounds) { Self.arrangeSender($0) }
        }

        // MARK: Without waiting

        /// One that sends without waiting into a hop of one place, and one that sends: what is accepted is delivered, in order,
        /// and who doesn't wait never sleeps.
        private static func arrangeTrying(_ scenario: Scenario, inbox: Int = 1) {
            let deliveries = Deliveries(scenario)
            let (output, input) = Signal<Sent, Never>.pipe(inboxCapacity: inbox)
            // An input that goes away interrupts.
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

        @Test("X2: what is sent without waiting is refused, or delivered in order")
        func trying() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) { Self.arrangeTrying($0) }
        }

        @Test("Seeded bug: leaving by a plain store loses what was queued beside one that doesn't wait")
        func leaveAtOnceByStore() {
            let mutation = Mutation(
                site: "leaveAtOnce(restoring:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, oldReads: 0, spinning: 0)) {
                Self.arrangeTrying($0)
            }
        }

        @Test("Seeded bug: leaving without a release hides what was delivered by one that doesn't wait")
        func leaveAtOnceRelaxed() {
            let mutation = Mutation(
                site: "leaveAtOnce(restoring:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, spinning: 0)) { Self.arrangeTrying($0) }
        }

        @Test("Seeded bug: a place that is taken by a plain store is taken twice")
        func tryTakeByStore() {
            let mutation = Mutation(site: "tryTake()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, oldReads: 0, spinning: 0)) { scenario in
                let permits = Permits(capacity: 1, stallTimeout: .max)
                let taken = SharedWord()
                for name in ["A", "B"] {
                    scenario.thread(name) { if permits.tryTake() { taken.word.fetchAdd(1, .relaxed) } }
                }
                scenario.finally { scenario.expect(taken.word.load(.relaxed) == 1, "one place is taken twice") }
            }
        }

        // MARK: Inboxes that drop

        /// Two that send to an inbox in which one value may wait. The sender's values come in order; all are accounted for.
        private static func arrangeInbox(
            _ policy: BufferingPolicy<Never>, others: [String] = ["B"], _ scenario: Scenario
        ) {
            let deliveries = Deliveries(scenario)
            let statistics = BufferStatistics()
            let (output, input) = Signal<Sent, Never>.pipe(buffering: policy, statistics: statistics)
            scenario.keep(output)
            let latest = SharedWord()
            output.observeValues { value in
                deliveries.deliver(value)
                guard value.sender == "A" else { return }
                let seen = latest.word.exchange(UInt64(value.number), .relaxed)
                scenario.expect(seen < value.number, "\(value.number) comes after \(seen)")
            }
            let ended = SharedWord()
            output.observeCompleted { ended.word.fetchAdd(1, .relaxed) }
            scenario.thread("A") {
                for number in 1...2 { input.send(value: Sent(sender: "A", number: number)) }
                input.sendCompleted()
            }
            for name in others { scenario.thread(name) { input.send(value: Sent(sender: name, number: 1)) } }
            scenario.finally {
                scenario.expect(ended.word.load(.relaxed) == 1, "the completion didn't come, or came twice")
                scenario.expect(
                    statistics.sent == 2 + others.count && statistics.waiting == 0,
                    "\(statistics.waiting) of \(statistics.sent) wait for ever")
            }
        }

        @Test("An inbox that drops keeps the order, loses nothing unaccounted for, and ends")
        func inbox() {
            for policy in [BufferingPolicy<Never>.latest, .dropNewest(capacity: 1)] {
                expectSound(Bounds(preemptions: 2, oldReads: 1, spinning: 0)) { Self.arrangeInbox(policy, $0) }
            }
        }

        @Test("Seeded bug: an inbox whose flag is released out of order is torn")
        func inboxFlag() {
            let mutation = Mutation(site: "release()", operation: .update, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, spinning: 0)) { Self.arrangeInbox(.latest, $0) }
        }

        @Test("Seeded bug: a value that doesn't look whether others wait overtakes one of its own sender")
        func inboxBusy() {
            let mutation = Mutation(site: "becomeBusy()", operation: .store, effect: .skipped)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, oldReads: 0, spinning: 0)) {
                Self.arrangeInbox(.dropNewest(capacity: 2), others: ["B", "C"], $0)
            }
        }

        // MARK: Places that are taken first

        /// Threads that take places and give them back, so many times each. At most `capacity` are ever held; and nobody who
        /// waits is passed more often than those before it have places in their batches.
        ///
        /// - Parameter taken: How many places are taken from the beginning, until one more thread gives them back.
        private static func arrangeTakers(
            _ counts: [String: Int], capacity: UInt64 = 1, taken: UInt64 = 0, _ scenario: Scenario
        ) {
            let permits = Permits(capacity: capacity, stallTimeout: .max)
            permits.used.fetchAdd(taken, .relaxed)
            if taken > 0 { scenario.thread("Z") { permits.giveBack(taken) } }
            scenario.watch(permits)
            let held = SharedWord()
            for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
                scenario.thread(name) {
                    for _ in 0..<count {
                        permits.blockingTake()
                        let before = held.word.fetchAdd(1, .relaxed)
                        scenario.expect(before < capacity, "\(before + 1) places are held, of \(capacity)")
                        held.word.fetchSubtract(1, .relaxed)
                        permits.giveBack(1)
                    }
                }
            }
            scenario.finally {
                let used = permits.used.load(.relaxed)
                scenario.expect(used == 0, "\(used) places are still taken")
                let limit = permits.limit.load(.relaxed)
                scenario.expect(limit == capacity, "the limit is \(limit), and nobody waits")
            }
        }

        @Test("X2: no more places are held than there are, and everybody gets one")
        func takers() {
            expectSound(Bounds(preemptions: 3, spinning: 0), reaching: [.sleep]) {
                Self.arrangeTakers(["A": 2, "B": 1], $0)
            }
        }

        @Test("The same for three threads")
        func threeTakers() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep]) {
                Self.arrangeTakers(["A": 1, "B": 1, "C": 1], $0)
            }
        }

        @Test("X2a: with batches of two, nobody is passed more often than they allow")
        func takersWithBatches() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0), reaching: [.sleep]) {
                Self.arrangeTakers(["A": 3, "B": 2, "C": 1], capacity: 8, taken: 7, $0)
            }
        }

        /// One thread takes the only place again and again. In the end each looks who waits, as the thread does that looks for
        /// stalls.
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

        @Test("X2a: who takes places in a loop doesn't keep out who waits")
        func greed() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep]) { Self.arrangeGreed($0) }
        }

        @Test("Seeded bug: who waits without saying so is passed again and again")
        func unseen() {
            let mutation = Mutation(site: "add(_:owning:_:of:)", operation: .update, effect: .skipped)
            expectCaught(mutation, as: .starved, Self.bounds) { Self.arrangeGreed($0) }
        }

        @Test("Seeded bug: taking a place by a plain store takes one twice")
        func takeByStore() {
            let mutation = Mutation(site: "blockingTake()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Self.bounds) { Self.arrangeTakers(["A": 1, "B": 1], $0) }
        }

        /// X2a: A holds the only place. B waits for it. C, who comes later, gets it after B.
        private static func arrangeOrder(_ scenario: Scenario) {
            let permits = Permits(capacity: 1, stallTimeout: .max)
            let order = SharedWord()
            permits.used.fetchAdd(1, .relaxed)
            scenario.keep(permits)
            scenario.thread("B") {
                permits.blockingTake()
                let seen = order.word.fetchAdd(1, .relaxed)
                scenario.expect(seen == 0, "C, who came later, has gone first")
                permits.giveBack(1)
            }
            scenario.thread("C") {
                // When B waits.
                var turn = 0
                while permits.limit.load(.relaxed) != 0 {
                    permits.limit.spin(turn: turn)
                    turn += 1
                }
                permits.blockingTake()
                order.word.fetchAdd(1, .relaxed)
                permits.giveBack(1)
            }
            scenario.thread("A") {
                var turn = 0
                while permits.limit.load(.relaxed) != 0 {
                    permits.limit.spin(turn: turn)
                    turn += 1
                }
                permits.giveBack(1)
            }
        }

        /// C may also come after B has been served, and then finds the limit raised: it never spins for ever.
        @Test("X2a: who waits is not overtaken")
        func inOrder() {
            let outcome = explore(Bounds(preemptions: 2, oldReads: 0, spinning: 0)) { Self.arrangeOrder($0) }
            // Where B is through before C looks, C waits for something that is over: that is the scenario's own end.
            switch outcome.failure {
            case nil, .deadlock?: break
            case let failure?: Issue.record("\(failure)\n\(outcome.trace?.description ?? "")")
            }
        }

        // MARK: The end

        @Test("Closing frees everybody who waits, whenever it comes")
        func close() {
            expectSound(Bounds(preemptions: 2, spinning: 0), reaching: [.sleep]) { scenario in
                let permits = Permits(capacity: 1, stallTimeout: .max)
                permits.used.fetchAdd(1, .relaxed)
                scenario.watch(permits)
                for name in ["A", "B"] { scenario.thread(name) { permits.blockingTake() } }
                scenario.thread("C") { permits.close() }
                scenario.finally {
                    scenario.expect(permits.limit.load(.relaxed) == .max, "it has a limit again")
                }
            }
        }

        @Test("Seeded bug: closing without finding who waits leaves one asleep")
        func closeNotSequential() {
            let mutation = Mutation(site: "add(_:owning:_:of:)", operation: .update, effect: .notSequential)
            let outcome = explore(Bounds(preemptions: 3, spinning: 0), mutation: mutation) { scenario in
                let permits = Permits(capacity: 1, stallTimeout: .max)
                permits.used.fetchAdd(1, .relaxed)
                scenario.watch(permits)
                scenario.thread("A") { permits.blockingTake() }
                scenario.thread("C") { permits.giveBack(1) }
            }
            #expect(
                outcome.mutationApplied && outcome.failure?.kind == .deadlock, "\(String(describing: outcome.failure))")
        }

        // MARK: Drains

        /// Two mailboxes in a row, the second with one place.
        private static func arrangeDrain(_ scenario: Scenario, slides: Bool = false) {
            let deliveries = Deliveries(scenario)
            let bound = MailboxBound(capacity: 1, stallTimeout: .max)
            let last = Mailbox<Sent>(on: ControlledScheduler(), through: Strand(), bound: bound) {
                deliveries.deliver($0)
            }
            let forward = { (event: Sent) in
                last.post(event)
                let waiting = last.waiting.load(.relaxed)
                scenario.expect(waiting <= 2, "\(waiting) wait where there is a place for 1")
            }
            scenario.keep(last)
            scenario.watch(last.permits)
            if slides {
                let first = SlidingMailbox<Sent>(
                    on: ControlledScheduler(), through: Strand(), capacity: 4, dropsOldest: true, deliver: forward)
                scenario.keep(first)
                scenario.thread("A") { for number in 1...3 { _ = first.post(Sent(sender: "A", number: number)) } }
            } else {
                let first = Mailbox<Sent>(on: ControlledScheduler(), through: Strand(), deliver: forward)
                scenario.keep(first)
                scenario.thread("A") { for number in 1...3 { first.post(Sent(sender: "A", number: number)) } }
            }
            scenario.finally { deliveries.expectAll(["A": 3]) }
        }

        @Test("X2: a drain stops one past the bound, goes on when there is a place, and loses nothing")
        func stops() { expectSound(Self.bounds) { Self.arrangeDrain($0) } }

        @Test("X2: a drain of a mailbox that drops does, too")
        func slides() { expectSound(Bounds(preemptions: 1, spinning: 0)) { Self.arrangeDrain($0, slides: true) } }

        @Test("Seeded bug: giving back without looking at who has stopped in order leaves one stopped")
        func stoppedNotSequential() {
            let mutation = Mutation(site: "giveBack(_:)", operation: .load, effect: .notSequential)
            expectCaught(mutation, as: .broken, Self.bounds) { Self.arrangeDrain($0) }
        }

        @Test("Seeded bug: stopping without looking for a place in order leaves one stopped")
        func stopNotSequential() {
            let mutation = Mutation(site: "handOut(_:of:all:)", operation: .load, effect: .notSequential)
            expectCaught(mutation, as: .broken, Self.bounds) { Self.arrangeDrain($0) }
        }

        /// Two drains that post to one mailbox, through the strand of what merges them.
        private static func arrangeTwo(_ scenario: Scenario, _ second: Int) {
            let deliveries = Deliveries(scenario)
            let bound = MailboxBound(capacity: 1, stallTimeout: .max)
            let last = Mailbox<Sent>(on: ControlledScheduler(), through: Strand(), bound: bound) {
                deliveries.deliver($0)
            }
            let joint = Strand()
            scenario.keep(last)
            for (name, count) in [("A", 2), ("B", second)] {
                let first = Mailbox<Sent>(on: ControlledScheduler(), through: Strand()) { joint.post($0, to: last) }
                scenario.keep(first)
                scenario.thread(name) { for number in 1...count { first.post(Sent(sender: name, number: number)) } }
            }
            scenario.finally { deliveries.expectAll(["A": 2, "B": second]) }
        }

        @Test("Two drains stop at the same mailbox, and both go on")
        func two() { expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) { Self.arrangeTwo($0, 1) } }

        @Test("X2: a worker that owns a strand stops with it, and senders wait for a place in its inbox")
        func worker() {
            expectSound(
                Bounds(preemptions: 1, oldReads: 0, helping: 1, spinning: 0), reaching: [.worker]
            ) { scenario in
                let deliveries = Deliveries(scenario)
                let bound = MailboxBound(capacity: 1, stallTimeout: .max)
                let last = Mailbox<Sent>(on: ControlledScheduler(), through: Strand(), bound: bound) {
                    deliveries.deliver($0)
                }
                let joint = Strand(capacity: 2)
                scenario.keep(last)
                for (name, count) in [("A", 1), ("B", 3)] {
                    scenario.thread(name) {
                        for number in 1...count { joint.post(Sent(sender: name, number: number), to: last) }
                    }
                }
                scenario.finally { deliveries.expectAll(["A": 1, "B": 3]) }
            }
        }

        @Test("A drain that has stopped goes on when its stop is cancelled, whenever that is")
        func cancelStops() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0)) { scenario in
                let dead = StepScheduler()
                let bound = MailboxBound(capacity: 1, stallTimeout: .max)
                let last = Mailbox<Sent>(on: dead, through: Strand(), bound: bound) { _ in }
                let first = Mailbox<Sent>(on: ControlledScheduler(), through: Strand()) { last.post($0) }
                scenario.keep(first, last)
                scenario.thread("A") { for number in 1...3 { first.post(Sent(sender: "A", number: number)) } }
                scenario.thread("B") { first.permits.cancelStops() }
                scenario.finally {
                    let left = first.waiting.load(.relaxed)
                    scenario.expect(left == 0, "\(left) have stopped for ever")
                    dead.run()
                }
            }
        }

        // MARK: Stalls

        /// A mailbox that is drained once, and a drain that goes on all the same, as stall timeouts pass at any moment.
        private static func arrangeDead(_ scenario: Scenario) {
            let scheduler = StepScheduler()
            let bound = MailboxBound(capacity: 1, stallTimeout: 1_000_000_000)
            let last = Mailbox<Sent>(on: scheduler, through: Strand(), bound: bound) { _ in }
            let first = Mailbox<Sent>(on: ControlledScheduler(), through: Strand()) { last.post($0) }
            scenario.keep(first, last)
            scenario.watch(last.permits)
            scenario.thread("A") { for number in 1...4 { first.post(Sent(sender: "A", number: number)) } }
            scenario.thread("B") { scheduler.run() }
            scenario.finally {
                let left = first.waiting.load(.relaxed)
                scenario.expect(left == 0, "\(left) have stopped for ever")
                scheduler.run()
            }
        }

        @Test("A drain that stops where nothing is delivered goes on in the end")
        func dead() { expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) { Self.arrangeDead($0) } }

        @Test("X2: each stall timeout without a delivery admits one more capacity, and no more")
        func linear() {
            let permits = Permits(capacity: 4, stallTimeout: 1000)
            let queue = WaitQueue()
            permits.queue = queue
            var granted = Waiter.List()
            permits.used.fetchAdd(4, .relaxed)
            for _ in 0..<12 { #expect(queue.add(Waiter(takesPlace: true), owning: nil, &granted, of: permits)) }
            let first = queue.firstLook(of: permits) ?? 0
            #expect(queue.firstLook(of: permits) == nil)
            // Early: nothing.
            #expect(queue.look(at: first - 1, &granted, of: permits) == first)
            #expect(permits.used.load(.relaxed) == 4)
            for round in 1...2 {
                #expect(queue.look(at: first + UInt64(round - 1) * 1000, &granted, of: permits) != nil)
                #expect(permits.used.load(.relaxed) == 4 + 4 * UInt64(round))
            }
            // A delivery: from here on, the bound is the capacity again.
            permits.countDelivery()
            #expect(queue.look(at: first + 2000, &granted, of: permits) == first + 3000)
            #expect(permits.used.load(.relaxed) == 12)
            permits.queue = nil
            granted.wake()
        }

        // MARK: Cycles

        /// So many mailboxes in a ring, each with one place and a strand in front, whose drains post to the next. Each value goes
        /// round once or more.
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
            scenario.keep(ring)
            for index in 0..<senders {
                scenario.thread("\(index)") {
                    for _ in 0..<each { ring.post(Sent(sender: "\(index)", number: count), to: index) }
                }
            }
            scenario.finally {
                let left = ring.waiting
                scenario.expect(left.allSatisfy { $0 == 0 }, "deadlock: \(left) wait")
                let count = arrived.word.load(.relaxed)
                scenario.expect(count == UInt64(each * senders), "\(count) of \(each * senders) values came back")
                ring.removeAll()
            }
        }

        /// Made by one thread; from then on, its parts keep themselves apart.
        private final class MailboxRing: @unchecked Sendable {
            private var boxes: [Mailbox<Sent>] = []
            private var strands: [Strand] = []
            private let count: Int

            init(_ count: Int) { self.count = count }

            func add(_ deliver: @escaping (Sent) -> Void) {
                let bound = MailboxBound(capacity: 1, stallTimeout: .max)
                strands.append(Strand())
                boxes.append(Mailbox(on: ControlledScheduler(), through: Strand(), bound: bound, deliver: deliver))
            }

            func post(_ event: Sent, to index: Int) { strands[index].post(event, to: boxes[index]) }

            var waiting: [UInt64] { boxes.map { $0.waiting.load(.relaxed) } }

            func removeAll() { boxes = [] }
        }

        @Test("Hops in a ring that are full find that they wait for themselves: none stops for ever")
        func ringOfTwo() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) {
                Self.arrangeRing(2, senders: 2, each: 1, $0)
            }
        }

        @Test("The same for three")
        func ringOfThree() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) {
                Self.arrangeRing(3, senders: 1, each: 2, $0)
            }
        }
    }

    extension Strand {
        /// Posts to a mailbox, as an operator's strand does: in place, or after what is queued.
        func post(_ event: Sent, to mailbox: Mailbox<Sent>) {
            if tryEnter() {
                mailbox.post(event)
                leave()
            } else {
                queue(event, for: mailbox) { $0.post($1) }
            }
        }
    }
#endif
