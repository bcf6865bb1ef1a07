#if !NaiveLocks && !Exploration && os(Linux)
    @testable import Corinth
    import Foundation
    import Testing

    /// Hops whose drains come to rest all the time, at any moment of a post.
    @Suite("Hops, stress", .serialized)
    struct HopStressTests {
        @Test func `No event is lost or overtaken while drains come to rest`() { HopStress.run(share: 0.3) }

        @Test func `The same where the process may not call membarrier`() async {
            await #expect(processExitsWith: .success) {
                Membarrier.forbid()
                Membarrier.runAgain(only: "HopStressTests.*in its own process")
            }
        }

        @Test(.enabled(if: Membarrier.isForbidden))
        func `The body of the test above, in its own process`() {
            #expect(!AsymmetricBarrier.isAsymmetric)
            HopStress.run(share: 0.3)
        }
    }

    private enum HopStress {
        /// What one hop delivers, in plain memory: two deliveries that overlap would show.
        private final class Log: @unchecked Sendable {  // Owned by the hop's strand.
            var next = 0
            var faults = 0
            let delivered = Atomic(0)

            func receive(_ value: Int) {
                if value != next { faults += 1 }
                next = value + 1
                delivered.value = next
            }
        }

        private static func schedulers() -> [any Scheduler] {
            [
                QueueScheduler(), QueueScheduler(lingering: .nanoseconds(0)), ThreadScheduler(waiting: .park),
                ThreadScheduler(waiting: .spinThenPark),
            ]
        }

        /// Each thread sends bursts to a hop of its own: long ones, after which posts only read the mailbox's stage, and short
        /// ones. It waits for the last one, and then
        /// about as long as the drain needs to come to rest.
        static func run(share: Double) {
            Stress.repeated(share: share) {
                for bound in [1 << 20, 100] {
                    let hops = schedulers().map { scheduler in
                        let (output, input) = Signal<Int, Never>.pipe()
                        let log = Log()
                        output.observe(on: scheduler, bufferingPolicy: .blocking(capacity: bound, stallTimeout: .never))
                            .observeValues(log.receive)
                        return (input: input, log: log)
                    }
                    ThreadGroup.run(hops.count) { thread in
                        let (input, log) = hops[thread]
                        var random = SystemRandomNumberGenerator()
                        var sent = 0
                        for _ in 0..<400 {
                            for _ in 0..<Int.random(in: 1...(Bool.random() ? 8 : 300), using: &random) {
                                input.send(value: sent)
                                sent += 1
                            }
                            // A last event that is missed stays where it is: nothing else wakes the drain.
                            let isDelivered = Stress.eventually { log.delivered.value == sent }
                            #expect(isDelivered)
                            if !isDelivered { return }
                            Work.spin(Int.random(in: 0...2_000, using: &random))
                        }
                        #expect(log.faults == 0)
                    }
                }
            }
        }
    }
#endif
