#if Exploration && !NaiveLocks
    @testable import Corinth
    import Dispatch
    import Foundation
    import Testing

    /// Every interleaving of a stream that hops onto a scheduler of a pool.
    @Suite("Hops onto a pool, all interleavings", .serialized)
    struct PooledHopExplorationTests {
        @Test func `C3: a work item of a pool runs once for each post and loses nothing`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let deliveries = Deliveries(scenario)
                let pool = QueueSchedulerPool(over: [ControlledWorkItems()])
                let mailbox = Mailbox<Sent>(on: pool.next, through: Strand()) { deliveries.deliver($0) }
                scenario.watch(mailbox)
                scenario.thread("A") { for number in 1...3 { mailbox.post(Sent(sender: "A", number: number)) } }
                scenario.finally {
                    deliveries.expectAll(["A": 3])
                    let statistics = pool.statistics
                    scenario.expect(statistics.queued == 0, "\(statistics.queued) actions are left")
                    scenario.expect((1...3).contains(statistics.executed), "\(statistics.executed) wake-ups")
                }
            }
        }

        @Test func `A draining pool waits for a drain that finds the strand taken and runs again later`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let deliveries = Deliveries(scenario)
                let pool = QueueSchedulerPool(over: [ControlledWorkItems()])
                let strand = Strand()
                let mailbox = Mailbox<Sent>(on: pool.next, through: strand) { deliveries.deliver($0) }
                scenario.watch(mailbox)
                scenario.thread("B") { strand.send(Sent(sender: "B", number: 1), to: deliveries) }
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

        @Test func `Bounded hops in a row get along with one worker: a drain that has filled the next hop leaves it`() {
            var bounds = Bounds(preemptions: 1, oldReads: 0)
            bounds.workers = 1
            expectSound(bounds, reaching: [.worker]) { scenario in
                let (output, input) = Signal<Int, Never>.pipe()
                let seen = Deliveries(scenario)
                let ends = Tally()
                let policy = BufferingPolicy<Never>.blocking(capacity: 1, stallTimeout: .never)
                output
                    .observe(on: ControlledScheduler(), bufferingPolicy: policy)
                    .observe(on: ControlledScheduler(), bufferingPolicy: policy)
                    .observe { event in
                        if case .value(let number) = event { seen.deliver(Sent(sender: "A", number: number)) }
                        if event.isTerminating { ends.count += 1 }
                    }
                scenario.keep(input)
                scenario.thread("A") {
                    for number in 1...3 { input.send(value: number) }
                    input.sendCompleted()
                }
                scenario.finally {
                    seen.expectAll(["A": 3])
                    scenario.expect(ends.count == 1, "\(ends.count) ends")
                }
            }
        }

        @Test func `E6: a failure that overtakes the queued values of a partition is delivered with its error`() {
            expectSound(Bounds(preemptions: 2), failPartition)
        }

        @Test func `Seeded bug: if failing doesn't release, the drain doesn't see the error`() {
            expectCaught(
                Mutation(site: "fail(_:)", operation: .compareExchange, effect: .relaxed), as: .race,
                Bounds(preemptions: 3), failPartition)
        }

        @Test func `Seeded bug: if the drain doesn't acquire, it finds no error`() {
            expectCaught(
                Mutation(site: "dropsRest()", operation: .load, effect: .relaxed), as: .race, Bounds(preemptions: 3),
                failPartition)
        }
    }

    private func failPartition(_ scenario: Scenario) {
        let partition = Partition<Int, TestError>(on: ControlledScheduler(), .unbounded, counting: nil)
        let ends = Tally()
        Signal(partition.core).observe { event in
            scenario.expect(ends.count == 0, "\(event) was delivered after the end")
            guard event.isTerminating else { return }
            scenario.expect(event == .failed(.first), "the stream ended with \(event)")
            ends.count += 1
        }
        scenario.watch(partition.hop, partition.core, partition.core.strand)
        scenario.thread("A") {
            partition.send(1)
            partition.send(2)
            partition.end(.failed(.first))
        }
        scenario.finally { scenario.expect(ends.count == 1, "\(ends.count) ends") }
    }

    /// Runs work items on threads under the explorer's control.
    private final class ControlledWorkItems: DateScheduler, WorkItemScheduler, Sendable {
        private let scheduler = ControlledScheduler()

        var currentDate: Date { Date(timeIntervalSince1970: 0) }

        func post(_ workItem: WorkItem) { _ = scheduler.schedule { workItem.run() } }

        func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? { scheduler.schedule(action) }

        func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? { nil }

        func schedule(
            after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
            action: sending @escaping () -> Void
        ) -> (any Disposable)? { nil }
    }
#endif
