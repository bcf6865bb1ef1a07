#if Exploration && !NaiveLocks
    @testable import Corinth
    import Foundation
    import Testing

    /// Every interleaving of a scheduler's thread and the threads that post to it or end it.
    @Suite("Thread loop, all interleavings", .serialized)
    struct ThreadLoopExplorationTests {
        @Test func `C1: posted actions run, and the thread ends when no thread is left that could post`() {
            expectSound(
                Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep], twoPosters)
        }

        @Test func `Actions that are posted before the loop is stopped run`() {
            expectSound(Bounds(preemptions: 2, spinning: 0), reaching: [.sleep, .oldValue]) { stopped(posting: 2, $0) }
        }

        @Test func `The thread doesn't wait for a delayed action that is disposed of when the scheduler is released`() {
            expectSound(Bounds(preemptions: 2, spinning: 0), reaching: [.sleep, .oldValue], disposing)
        }

        @Test func `An action that is scheduled while the thread ends runs or is released`() {
            expectSound(Bounds(preemptions: 2, spinning: 0), reaching: [.oldValue], late)
        }

        @Test
        func `A work item that is posted while the thread ends runs or is released, although the loop is still used`() {
            expectSound(Bounds(preemptions: 2, spinning: 0), reaching: [.oldValue]) { lateNotes(1, $0) }
            expectSound(Bounds(preemptions: 1, oldReads: 0, spinning: 0)) { lateNotes(2, $0) }
        }

        // The light barrier in `post(_:)` matters for threads that never sleep, which aren't explored: waking a thread executes
        // one anyway. An action's handle looks at the phase once more, so it takes two old reads to miss the end.
        @Test func `Seeded bug: without the heavy barrier, a work item is left in the ring after the thread has ended`()
        {
            let mutation = Mutation(site: "discard()", operation: .heavyBarrier, effect: .skipped)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, spinning: 0)) { lateNotes(1, $0) }
        }

        // With a delayed store, a cycle has 12 to 20 times as many schedules. `posts()` has one.

        @Test func `Two threads that wait for capacity at each other detect that they wait for themselves`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, delayedStores: 0, spinning: 0), reaching: [.sleep]) {
                cycle(of: 2, $0)
            }
        }

        @Test func `Three threads that wait for capacity in a cycle detect that they wait for themselves`() {
            expectSound(Bounds(preemptions: 1, oldReads: 0, delayedStores: 0, spinning: 0), reaching: [.sleep]) {
                cycle(of: 3, $0)
            }
        }

        @Test(arguments: [
            Mutation(site: "serve()", operation: .wake, effect: .skipped),
            Mutation(site: "join(_:)", operation: .store, effect: .skipped),
        ])
        func `Seeded bugs: a thread waits for capacity forever`(mutation: Mutation) {
            expectCaught(mutation, as: .deadlock, Bounds(preemptions: 2, oldReads: 0, spinning: 0)) {
                cycle(of: 2, $0)
            }
        }

        @Test func `Seeded bug: without the flag, two threads change the wait queue at once`() {
            let mutation = Mutation(site: "acquire()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, oldReads: 0, spinning: 0)) { cycle(of: 2, $0) }
        }

        @Test(arguments: [
            Mutation(site: "wakeTaker()", operation: .lightBarrier, effect: .skipped),
            Mutation(site: "announceSleep()", operation: .heavyBarrier, effect: .skipped),
        ])
        func `Seeded bugs: the thread never wakes up`(mutation: Mutation) {
            expectCaught(mutation, as: .deadlock, Bounds(spinning: 0)) { stopped(posting: 0, $0) }
        }

        @Test(arguments: [
            Mutation(site: "hasDisposed()", operation: .update, effect: .notSequential),
            Mutation(site: "hasDisposed()", operation: .load, effect: .notSequential),
        ])
        func `Seeded bugs: the thread waits for an action that was disposed of`(mutation: Mutation) {
            expectCaught(mutation, as: .deadlock, Bounds(preemptions: 1, spinning: 0), disposing)
        }
    }

    private func makeLoop(_ scenario: Scenario) -> ThreadLoop {
        let context = SerialContext()
        let ring = Ring<WorkItem>(capacity: 2, isForOne: false, isParking: true, takenBy: context)
        let loop = ThreadLoop(ring, waiting: .park, context: context)
        scenario.watch(loop)
        unsafe scenario.watch(ring, and: UnsafeRawPointer(ring.cells))
        return loop
    }

    private final class Note: WorkItem, @unchecked Sendable {  // Immutable.
        private let body: () -> Void

        init(_ work: @escaping () -> Void) {
            self.body = work
            super.init { workItem in unsafe unsafeDowncast(workItem, to: Note.self).body() }
        }
    }

    /// Two threads post. The one that finishes last releases the scheduler.
    private func twoPosters(_ scenario: Scenario) {
        let loop = makeLoop(scenario)
        let run = Deliveries(scenario)
        let users = SharedWord(2)
        for name in ["A", "B"] {
            scenario.thread(name) {
                _ = loop.post(Note { run.note(Sent(sender: name, number: 1)) })
                if users.word.fetchSubtract(1, .acquireRelease) == 1 { loop.finish() }
            }
        }
        scenario.thread("loop") { loop.run() }
        scenario.finally {
            run.expectAll(["A": 1, "B": 1])
            scenario.expect(loop.hasEnded, "the loop has not ended")
        }
    }

    /// `count` threads whose rings are full at the beginning. The first action of each thread posts two actions to the next
    /// thread.
    private func cycle(of count: Int, _ scenario: Scenario) {
        let run = SharedWord(0)
        let loops = (0..<count).map { _ in makeLoop(scenario) }
        let last = UInt64(4 * count)
        func note() {
            if run.word.fetchAdd(1, .acquireRelease) == last - 1 { for loop in loops { loop.finish() } }
        }
        for index in 0..<count {
            let next = loops[(index + 1) % count]
            _ = loops[index].post(
                Note {
                    for _ in 1...2 { _ = next.post(Note { note() }) }
                    note()
                })
            _ = loops[index].post(Note { note() })
            scenario.thread("loop \(index + 1)") { loops[index].run() }
        }
        scenario.finally {
            let count = run.word.load(.relaxed)
            scenario.expect(count == last, "\(count) of \(last) were run")
        }
    }

    private func stopped(posting count: Int, _ scenario: Scenario) {
        let loop = makeLoop(scenario)
        let run = Deliveries(scenario)
        scenario.thread("A") {
            for number in 1..<1 + count { _ = loop.post(Note { run.note(Sent(sender: "A", number: number)) }) }
            loop.stop()
        }
        scenario.thread("loop") { loop.run() }
        scenario.finally { run.expectAll(count == 0 ? [:] : ["A": count]) }
    }

    /// Reports its own release.
    private final class Held {
        private let end: () -> Void

        init(_ end: @escaping () -> Void) { self.end = end }

        deinit { end() }
    }

    private func late(_ scenario: Scenario) {
        let loop = makeLoop(scenario)
        let ends = SharedWord(0)
        scenario.thread("A") {
            let held = Held { ends.word.fetchAdd(1, .relaxed) }
            let action = DelayedAction({ _ = held }, at: .never, every: nil, on: loop)
            loop.post(action) { action.drop() }
        }
        scenario.thread("B") { loop.stop() }
        scenario.thread("loop") { loop.run() }
        scenario.finally { scenario.expect(ends.word.load(.relaxed) == 1, "the action was not released") }
    }

    /// Posts work items, as a hop does, without a look at the result.
    private func lateNotes(_ count: Int, _ scenario: Scenario) {
        let loop = makeLoop(scenario)
        let ends = SharedWord(0)
        for name in ["A", "B"].prefix(count) {
            scenario.thread(name) {
                let held = Held { ends.word.fetchAdd(1, .relaxed) }
                _ = loop.post(Note { _ = held })
            }
        }
        scenario.thread("C") { loop.stop() }
        scenario.thread("loop") { loop.run() }
        scenario.finally { scenario.expect(ends.word.load(.relaxed) == UInt64(count), "a work item was not released") }
    }

    private func disposing(_ scenario: Scenario) {
        let loop = makeLoop(scenario)
        let action = DelayedAction({ scenario.expect(false, "the action ran") }, at: .never, every: nil, on: loop)
        // Posted before any thread starts.
        _ = loop.post(action)
        scenario.thread("A") { action.dispose() }
        scenario.thread("B") { loop.finish() }
        scenario.thread("loop") { loop.run() }
        scenario.finally { scenario.expect(loop.hasEnded, "the loop has not ended") }
    }
#endif
