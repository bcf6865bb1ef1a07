#if Exploration
    @testable import Corinth
    import Testing

    /// Every interleaving of threads that push onto a run queue, and of the serial queue that it wakes.
    @Suite("Run queue, all interleavings", .serialized)
    struct RunQueueExplorationTests {
        @Test func `Everything runs once, in order, and each wake-up finds something`() {
            expectSound(Bounds(preemptions: nil)) { Self.arrange([2], $0) }
            expectSound(Bounds(preemptions: 3)) { Self.arrange([1, 1], $0) }
            expectSound(Bounds(preemptions: 2)) { Self.arrange([2, 2], $0) }
        }

        @Test func `A work item that is posted again before its run has begun runs twice`() {
            expectSound(Bounds(preemptions: nil)) { Self.arrangeItem(posts: 2, $0) }
            expectSound(Bounds(preemptions: 2)) { Self.arrangeItem(posts: 3, $0) }
        }

        @Test(arguments: [
            Mutation(site: "push(_:)", operation: .compareExchange, effect: .relaxed),
            Mutation(site: "runAll()", operation: .update, effect: .relaxed),
        ])
        func
            `Seeded bug: with a weaker ordering, what a node holds is read before it is written, or written while it is read`(
                mutation: Mutation
            )
        {
            expectCaught(mutation, as: .race) { Self.arrange([1, 1], $0) }
        }

        @Test(arguments: [
            Mutation(site: "node(for:)", operation: .load, effect: .relaxed),
            Mutation(site: "run()", operation: .store, effect: .relaxed),
        ])
        func `Seeded bug: with a weaker ordering, a kept node is written while its last run reads it`(
            mutation: Mutation
        ) {
            expectCaught(mutation, as: .race) { Self.arrangeItem(posts: 2, $0) }
        }

        /// A serial queue that runs a run queue once for each wake-up.
        private final class Loop: @unchecked Sendable {  // The explorer runs one thread at a time.
            private let queue = RunQueue()
            private let serial = ControlledScheduler()
            private let scenario: Scenario
            var seen: [String] = []

            init(_ scenario: Scenario) {
                self.scenario = scenario
                scenario.watch(self)
            }

            func push(_ node: RunNode) {
                if !queue.push(node) { return }
                _ = serial.schedule {
                    let before = self.seen.count
                    self.queue.runAll()
                    self.scenario.expect(self.seen.count > before, "a wake-up without work")
                }
            }
        }

        private final class Note: RunNode, @unchecked Sendable {  // The queue hands it over.
            let loop: Loop
            let text: String

            init(_ loop: Loop, _ text: String) {
                self.loop = loop
                self.text = text
                super.init()
                PlainAccess.write(self)
            }

            override func run() {
                PlainAccess.read(self)
                loop.seen.append(text)
            }
        }

        private final class Item: WorkItem, @unchecked Sendable {  // See the superclass.
            init(_ loop: Loop) {
                super.init { [unowned loop] _ in loop.seen.append("item") }
            }
        }

        private static func arrange(_ counts: [Int], _ scenario: Scenario) {
            let loop = Loop(scenario)
            for (poster, count) in counts.enumerated() {
                scenario.thread("\(poster)") {
                    for number in 0..<count { loop.push(Note(loop, "\(poster)\(number)")) }
                }
            }
            scenario.finally {
                for (poster, count) in counts.enumerated() {
                    let own = loop.seen.filter { $0.hasPrefix("\(poster)") }
                    scenario.expect(own == (0..<count).map { "\(poster)\($0)" }, "\(loop.seen)")
                }
            }
        }

        private static func arrangeItem(posts: Int, _ scenario: Scenario) {
            let loop = Loop(scenario)
            scenario.thread("poster") {
                let item = Item(loop)
                for _ in 0..<posts { loop.push(PostedItem.node(for: item)) }
            }
            scenario.finally { scenario.expect(loop.seen.count == posts, "\(loop.seen)") }
        }
    }
#endif
