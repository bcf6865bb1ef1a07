#if !Exploration
    import Corinth
    import Foundation
    import Testing

    /// Tasks that have waited for a place go on to send without a try to enter, on the thread that the stream is biased to.
    @Suite("Biased streams and tasks, stress", .serialized)
    struct BiasedTaskStressTests {
        private actor Sender {
            private let home: ThreadScheduler

            nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe home.asUnownedSerialExecutor() }

            init(on home: ThreadScheduler) { self.home = home }

            func send(_ count: Int, to input: Signal<Int, Never>.Observer) async {
                for value in 0..<count { try? await input.suspendingSend(value: value) }
            }
        }

        @Test func `E5: actors that wait for places of a stream lose nothing while another thread takes its bias`()
            async
        {
            let home = ThreadScheduler(name: "senders")
            let end = ContinuousClock.now + .seconds(Stress.seconds * 0.3)
            repeat {
                let (output, input) = Signal<Int, Never>.pipe(inboxCapacity: 1)
                let delivered = Atomic(0)
                output.observeValues { _ in delivered.modify { $0 += 1 } }
                // The senders' thread gets the bias.
                await Sender(on: home).send(1, to: input)
                async let tasks: Void = withTaskGroup { group in
                    for _ in 0..<8 { group.addTask { await Sender(on: home).send(8, to: input) } }
                }
                async let thread: Void = withCheckedContinuation { ended in
                    Thread.detachNewThread {
                        for value in 0..<4 { input.send(value: value) }
                        ended.resume()
                    }
                }
                _ = await (tasks, thread)
                #expect(await Stress.eventually { delivered.value == 1 + 8 * 8 + 4 }, "a stream is owned by nobody")
            } while ContinuousClock.now < end
        }
    }
#endif
