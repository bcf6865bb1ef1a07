#if !Exploration && os(Linux)
    import CTestSupport
    import Corinth
    import Foundation
    import Testing

    /// Sends from a handler of the system's signals.
    @Suite("Signal handlers", .serialized)
    struct SignalHandlerTests {
        /// What a handler sends to.
        private static let interrupted = Atomic<Signal<Int, Never>.Observer?>(nil)

        /// How many signals were handled. Only the handler changes it.
        private static let handled = Atomic(0)

        /// How many events were delivered. Plain memory: the signal's strand keeps deliveries apart.
        private final class Delivered: @unchecked Sendable {
            var own = 0
            var handler = 0
        }

        // In a debug build, Swift's runtime checks accesses, with a list that a handler must not interrupt. Mutexes can't be locked in
        // a handler.
        #if !NaiveLocks && !DEBUG
            @Test(
                "X1: a handler sends to the stream that its thread uses, and every event is delivered",
                .enabled(if: test_counts_allocations(), "the allocator can't say whether a handler has interrupted it"))
            func sendingFromHandler() async {
                await #expect(processExitsWith: .success) {
                    let (output, input) = Signal<Int, Never>.pipe()
                    let delivered = Delivered()
                    output.observeValues { value in
                        if value < 0 { delivered.handler += 1 } else { delivered.own += 1 }
                    }
                    SignalHandlerTests.interrupted.value = input
                    signal(SIGUSR1) { _ in
                        // A handler that interrupts a delivery queues its event, in a new node.
                        if !test_is_allocating() { SignalHandlerTests.interrupted.value?.send(value: -1) }
                        SignalHandlerTests.handled.modify { $0 += 1 }
                    }
                    let isDone = Atomic(false)
                    let sender = Atomic<pthread_t?>(nil)
                    let sent = Atomic(0)
                    let ended = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        sender.value = pthread_self()
                        var count = 0
                        while !isDone.value {
                            input.send(value: count)
                            count += 1
                        }
                        sent.value = count
                        ended.signal()
                    }
                    #expect(Stress.eventually { sender.value != nil })
                    guard let thread = sender.value else { return }
                    for signals in 1...2_000 {
                        pthread_kill(thread, SIGUSR1)
                        #expect(Stress.eventually { SignalHandlerTests.handled.value >= signals })
                    }
                    isDone.value = true
                    ended.wait()
                    #expect(delivered.own == sent.value, "events are lost: the strand is owned by nobody")
                    #expect(delivered.handler > SignalHandlerTests.handled.value / 2)
                }
            }
        #endif
    }
#endif
