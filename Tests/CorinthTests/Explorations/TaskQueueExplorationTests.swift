#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of a thread that posts, a task that takes and rests, and a thread that cuts.
    @Suite("Task queue, all interleavings", .serialized)
    struct TaskQueueExplorationTests {
        /// The task that takes, as a thread of the explorer.
        private final class Taker: WorkItemScheduler, @unchecked Sendable {  // The stage decides who may access `wait`.
            private let scenario: Scenario
            private var wait: SharedWord?
            private(set) var wakeUps = 0

            init(_ scenario: Scenario) {
                self.scenario = scenario
            }

            func post(_ workItem: WorkItem) {
                PlainAccess.write(self)
                scenario.expect(wait != nil, "the task is woken although it doesn't wait")
                wakeUps += 1
                wait.take()?.raise()
            }

            func perform(_ action: @escaping @Sendable () -> Void) {}

            /// Takes up to `count` elements, as `Iteration.next()` does.
            func take(_ count: Int, from queue: TaskQueue<Element>, _ receive: (Sent) -> Void) {
                var left = count
                while left > 0, !queue.isCut {
                    if let element = queue.take() {
                        PlainAccess.read(element)
                        receive(element.sent)
                        left -= 1
                        continue
                    }
                    let word = SharedWord()
                    PlainAccess.write(self)
                    wait = word
                    if queue.rest() { word.blockingWaitUntilRaised() } else { wait = nil }
                }
            }
        }

        /// An element whose contents are plain memory.
        private final class Element {
            let sent: Sent

            init(_ number: Int) {
                sent = Sent(sender: "A", number: number)
                PlainAccess.write(self)
            }
        }

        private enum Kind: CaseIterable {
            case unbounded, bounded, dropping

            func queue(for taker: Taker) -> TaskQueue<Element> {
                switch self {
                case .unbounded: TaskQueue(bound: nil, waking: taker, abandon: nil)
                case .bounded:
                    TaskQueue(bound: MailboxBound(capacity: 1, stallTimeout: .max), waking: taker, abandon: nil)
                case .dropping: TaskQueue(capacity: 8, dropsOldest: true, waking: taker, abandon: nil)
                }
            }
        }

        private static func arrange(_ kind: Kind, _ count: Int, cuts: Bool = false, _ scenario: Scenario) {
            let deliveries = Deliveries(scenario)
            let taker = Taker(scenario)
            let queue = kind.queue(for: taker)
            scenario.watch(queue)
            if let mailbox = queue.waiting { scenario.watch(mailbox) }
            if let mailbox = queue.dropping { scenario.watch(mailbox) }
            scenario.thread("A") { for number in 1...count { _ = queue.post(Element(number)) } }
            scenario.thread("T") { taker.take(cuts ? count + 1 : count, from: queue) { deliveries.note($0) } }
            if cuts { scenario.thread("C") { queue.cut() } }
            scenario.finally {
                scenario.expect(taker.wakeUps <= count + 1, "\(taker.wakeUps) wake-ups")
                if !cuts { return deliveries.expectAll(["A": count]) }
                let numbers = deliveries.events.map(\.number)
                scenario.expect(numbers == Array((1...count).prefix(numbers.count)), "\(numbers) were taken")
            }
        }

        @Test(arguments: Kind.allCases)
        private func `Posted elements are taken once and in order, and a task that rests is woken`(kind: Kind) {
            expectSound(Bounds(preemptions: kind == .bounded ? 2 : nil, oldReads: 0)) { Self.arrange(kind, 2, $0) }
            if kind == .bounded { return }
            expectSound(Bounds(preemptions: 2, oldReads: 1)) { Self.arrange(kind, 3, $0) }
        }

        @Test func `The same, with posts that only read the stage`() {
            expectSound(Bounds(preemptions: 2, streaming: 0)) { Self.arrange(.unbounded, 2, $0) }
        }

        @Test(arguments: Kind.allCases)
        private func `A cut ends the task, whether it rests or is about to`(kind: Kind) {
            expectSound(Bounds(preemptions: 2, oldReads: kind == .bounded ? 0 : 1)) {
                Self.arrange(kind, 2, cuts: true, $0)
            }
        }

        @Test func `A cut ends a task although posts only read the stage`() {
            expectSound(Bounds(preemptions: 2, streaming: 0)) { Self.arrange(.unbounded, 2, cuts: true, $0) }
        }

        @Test(arguments: [Kind.unbounded, .dropping])
        private func `Seeded bug: if a cut doesn't change the stage, it and a post wake the same task`(kind: Kind) {
            expectCaught(Mutation(site: "wake()", operation: .update, effect: .skipped), as: .race, Bounds()) {
                Self.arrange(kind, 1, cuts: true, $0)
            }
        }

        @Test(arguments: ["wake()", "rest()"])
        func `Seeded bug: with weaker exchanges, a cut and a task that comes to rest don't see each other`(site: String)
        {
            expectCaught(Mutation(site: site, operation: .update, effect: .relaxed), as: .race, Bounds()) {
                Self.arrange(.unbounded, 1, cuts: true, $0)
            }
        }

        @Test func `Seeded bug: a cut that doesn't raise its flag before it wakes leaves the task at rest`() {
            expectCaught(Mutation(site: "cut()", operation: .store, effect: .skipped), as: .deadlock, Bounds()) {
                Self.arrange(.unbounded, 1, cuts: true, $0)
            }
        }

        @Test func `Seeded bug: if a task comes to rest by a plain store, a post between is lost`() {
            expectCaught(
                Mutation(site: "rest()", operation: .compareExchange, effect: .storeInstead), as: .deadlock, Bounds()
            ) {
                Self.arrange(.dropping, 2, $0)
            }
        }

        @Test func `Seeded bug: if taking doesn't acquire, an element is read before it is written`() {
            expectCaught(
                Mutation(site: "hasNew(in:)", operation: .load, effect: .relaxed), as: .race, Bounds(streaming: 0)
            ) {
                Self.arrange(.unbounded, 2, $0)
            }
        }
    }
#endif
