#if Exploration && !NaiveLocks
    @testable import Corinth
    import Dispatch
    import Foundation
    import Testing

    /// Every interleaving of a stream that hops onto a scheduler of a pool.
    @Suite("Hops onto a pool, all interleavings", .serialized)
    struct PooledHopExplorationTests {
        @Test("C3: an errand of a pool is run once for each post, and loses nothing")
        func postRacesRun() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let deliveries = Deliveries(scenario)
                let pool = QueueSchedulerPool(over: [ControlledErrands()])
                let mailbox = Mailbox<Sent>(on: pool.next, through: Strand()) { deliveries.deliver($0) }
                scenario.keep(mailbox)
                scenario.thread("A") { for number in 1...3 { mailbox.post(Sent(sender: "A", number: number)) } }
                scenario.finally {
                    deliveries.expectAll(["A": 3])
                    let statistics = pool.statistics
                    scenario.expect(statistics.queued == 0, "\(statistics.queued) actions are left")
                    scenario.expect((1...3).contains(statistics.executed), "\(statistics.executed) wake-ups")
                }
            }
        }

        @Test("A pool that drains waits for a drain that finds the gate owned, and comes again")
        func gateIsOwned() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let deliveries = Deliveries(scenario)
                let pool = QueueSchedulerPool(over: [ControlledErrands()])
                let gate = Strand()
                let mailbox = Mailbox<Sent>(on: pool.next, through: gate) { deliveries.deliver($0) }
                scenario.keep(mailbox)
                scenario.thread("B") { gate.send(Sent(sender: "B", number: 1), to: deliveries) }
                scenario.thread("A") {
                    mailbox.post(Sent(sender: "A", number: 1))
                    pool.shutDown(.draining) {}
                }
                scenario.finally {
                    deliveries.expectAll(["A": 1, "B": 1])
                    scenario.expect(pool.lifetime.hasEnded, "the pool has not ended")
                }
            }
        }

        @Test("E6: a failure that overtakes what waits in a lane is seen with its error")
        func failing() { expectSound(Bounds(preemptions: 2), failLane) }

        @Test("Seeded bug: failing without a release hides the error from the drain")
        func failRelaxed() {
            expectCaught(
                Mutation(site: "fail(_:)", operation: .compareExchange, effect: .relaxed), as: .race,
                Bounds(preemptions: 3), failLane)
        }

        @Test("Seeded bug: looking without an acquire finds no error")
        func lookRelaxed() {
            expectCaught(
                Mutation(site: "dropsRest()", operation: .load, effect: .relaxed), as: .race, Bounds(preemptions: 3),
                failLane)
        }
    }

    private func failLane(_ scenario: Scenario) {
        let lane = Lane<Int, TestError>(on: ControlledScheduler(), .unbounded, counting: nil)
        let ends = Tally()
        Signal(lane.core).observe { event in
            scenario.expect(ends.count == 0, "\(event) comes after the end")
            guard event.isTerminating else { return }
            scenario.expect(event == .failed(.first), "\(event) is how it ends")
            ends.count += 1
        }
        scenario.keep(lane)
        scenario.thread("A") {
            lane.send(1)
            lane.send(2)
            lane.end(.failed(.first))
        }
        scenario.finally { scenario.expect(ends.count == 1, "\(ends.count) ends") }
    }

    /// Runs errands on threads under the explorer's control.
    private final class ControlledErrands: DateScheduler, ErrandScheduler, Sendable {
        private let scheduler = ControlledScheduler()

        var currentDate: Date { Date(timeIntervalSince1970: 0) }

        func post(_ errand: Errand) { _ = scheduler.schedule { errand.run() } }

        func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? { scheduler.schedule(action) }

        func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? { nil }

        func schedule(
            after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
            action: sending @escaping () -> Void
        ) -> (any Disposable)? { nil }
    }
#endif
