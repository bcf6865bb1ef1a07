#if Exploration && !NaiveLocks
    @testable import Corinth
    import Foundation
    import Testing

    /// Every interleaving of a scheduler's thread and those that post to it, or end it.
    @Suite("Thread loop, all interleavings", .serialized)
    struct ThreadLoopExplorationTests {
        @Test("C1: what is posted is run, and the thread ends when nobody is left who could post")
        func posts() {
            expectSound(
                Bounds(preemptions: .raised(from: 2), oldReads: 0, spinning: 0), reaching: [.sleep], twoPosters)
        }

        @Test("What is posted before the loop is stopped is run")
        func stop() {
            expectSound(Bounds(preemptions: .raised(from: 2), spinning: 0), reaching: [.sleep, .oldValue], stopped)
        }

        @Test("The thread doesn't wait for a delayed action that is disposed of when the scheduler goes")
        func disposal() {
            expectSound(Bounds(preemptions: .raised(from: 2), spinning: 0), reaching: [.sleep, .oldValue], disposing)
        }

        @Test("What is scheduled while the thread ends is run, or let go of")
        func lateAction() {
            expectSound(Bounds(preemptions: .raised(from: 2), spinning: 0), reaching: [.oldValue], late)
        }

        @Test(
            "Seeded bugs that leave an action where nobody looks",
            arguments: [
                Mutation(site: "post(_:orElse:)", operation: .load, effect: .notSequential),
                Mutation(site: "run()", operation: .store, effect: .notSequential),
            ])
        func endIsNotNoticed(mutation: Mutation) {
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, spinning: 0), late)
        }

        @Test(
            "Seeded bugs that leave the thread asleep",
            arguments: [
                Mutation(site: "signal()", operation: .update, effect: .notSequential),
                Mutation(site: "wakeTaker()", operation: .load, effect: .notSequential),
            ])
        func endIsNotSeen(mutation: Mutation) {
            expectCaught(mutation, as: .deadlock, Bounds(spinning: 0), stopped)
        }

        @Test(
            "Seeded bugs that leave the thread waiting for what nobody wants",
            arguments: [
                Mutation(site: "hasDisposed()", operation: .update, effect: .notSequential),
                Mutation(site: "hasDisposed()", operation: .load, effect: .notSequential),
            ])
        func disposalIsNotSeen(mutation: Mutation) {
            expectCaught(mutation, as: .deadlock, Bounds(preemptions: 1, spinning: 0), disposing)
        }
    }

    private func makeLoop(_ scenario: Scenario) -> ThreadLoop {
        let ring = Ring<Errand>(capacity: 2, isForOne: false, isParking: true)
        let loop = ThreadLoop(ring, waiting: .park)
        scenario.watch(loop)
        unsafe scenario.watch(ring, and: UnsafeRawPointer(ring.cells))
        return loop
    }

    private final class Note: Errand, @unchecked Sendable {  // Immutable.
        private let body: () -> Void

        init(_ work: @escaping () -> Void) {
            self.body = work
            super.init { errand in unsafe unsafeDowncast(errand, to: Note.self).body() }
        }
    }

    /// Two threads post; the one that is last lets go of the scheduler.
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

    private func stopped(_ scenario: Scenario) {
        let loop = makeLoop(scenario)
        let run = Deliveries(scenario)
        scenario.thread("A") {
            for number in 1...2 { _ = loop.post(Note { run.note(Sent(sender: "A", number: number)) }) }
            loop.stop()
        }
        scenario.thread("loop") { loop.run() }
        scenario.finally { run.expectAll(["A": 2]) }
    }

    /// What is let go of says so.
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
            let action = DelayedAction({ _ = held }, at: .distantFuture, every: nil, on: loop)
            loop.post(action) { action.drop() }
        }
        scenario.thread("B") { loop.stop() }
        scenario.thread("loop") { loop.run() }
        scenario.finally { scenario.expect(ends.word.load(.relaxed) == 1, "the action has not been let go of") }
    }

    private func disposing(_ scenario: Scenario) {
        let loop = makeLoop(scenario)
        let action = DelayedAction({ scenario.expect(false, "it is run") }, at: .distantFuture, every: nil, on: loop)
        // Before anything begins.
        _ = loop.post(action)
        scenario.thread("A") { action.dispose() }
        scenario.thread("B") { loop.finish() }
        scenario.thread("loop") { loop.run() }
        scenario.finally { scenario.expect(loop.hasEnded, "the loop has not ended") }
    }
#endif
