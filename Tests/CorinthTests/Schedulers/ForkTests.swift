#if os(Linux) && !NaiveLocks  // A mutex that another thread holds during the fork stays locked in the child.
    import CTestSupport
    import Dispatch
    import Foundation
    import Testing

    @testable import Corinth

    /// What a child of `fork` can do, and what it says of the rest.
    @Suite("Forks", .enabled(if: !WaitLimit.isSanitized, "In a child, thread sanitizer starts no threads"))
    struct ForkTests {
        /// Runs `body` in a forked child, which exits with 0 if it returns true, and exits like it.
        private static func inChild(_ body: () -> Bool) -> Never {
            let child = test_fork()
            if child == 0 { _exit(body() ? 0 : 1) }
            exit(test_ends_well(child) ? 0 : 2)
        }

        /// What the process has written.
        private func messages(_ result: ExitTest.Result?) -> [Substring] {
            String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
                .filter { $0.hasPrefix("Corinth: process ") }
        }

        @Test func `Streams of one thread, properties and new thread schedulers go on in a child, which says nothing`()
            async
        {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let queue = QueueScheduler(name: "before")
                let (used, sum) = (DispatchSemaphore(value: 0), Atomic(0))
                queue.schedule { used.signal() }
                used.wait()
                let (output, input) = Signal<Int, Never>.pipe()
                output.observeValues { value in sum.modify { $0 += value } }
                let property = MutableProperty(0)
                property <~ output
                Self.inChild {
                    input.send(value: 2)
                    let arrived = DispatchSemaphore(value: 0)
                    output.observe(on: ThreadScheduler(name: "new")).observeValues { _ in arrived.signal() }
                    input.send(value: 3)
                    return arrived.wait(timeout: .now() + 10) == .success && sum.value == 5 && property.value == 3
                }
            }
            #expect(messages(result) == [])
        }

        @Test func `A queue is usable in a child if none was used before the fork`() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                Self.inChild {
                    // Nothing is waited for: the test's own process has used Dispatch.
                    QueueScheduler(name: "new").schedule {}
                    return true
                }
            }
            #expect(messages(result) == [])
        }

        @Test func `Timers without a queue aren't taken for one in a child`() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let (fired, thread) = (DispatchSemaphore(value: 0), ThreadScheduler(name: "before"))
                let clock = ClockScheduler(ContinuousClock(), on: thread)
                clock.schedule(after: .milliseconds(1)) { fired.signal() }
                fired.wait()
                Self.inChild {
                    QueueScheduler(name: "new").schedule {}
                    return true
                }
            }
            #expect(messages(result) == [])
        }

        @Test(arguments: ["queue", "busy queue", "timer", "thread"])
        func `Once, a child says that what was used before the fork runs nothing`(what: String) async throws {
            func check(_ result: ExitTest.Result?, _ name: String) {
                let messages = messages(result)
                #expect(messages.count == 1)
                #expect(messages.first?.contains("had used \(name), whose threads don't exist here") == true)
            }
            switch what {
            case "queue":
                check(
                    await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                        let (queue, used) = (QueueScheduler(name: "before"), DispatchSemaphore(value: 0))
                        queue.schedule { used.signal() }
                        used.wait()
                        Self.inChild {
                            queue.schedule {}
                            let (output, input) = Signal<Int, Never>.pipe()
                            output.observe(on: QueueScheduler(name: "new")).observeValues { _ in }
                            input.send(value: 1)
                            return true
                        }
                    }, "a queue")
            case "busy queue":
                check(
                    await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                        let (queue, used) = (QueueScheduler(name: "before"), DispatchSemaphore(value: 0))
                        queue.schedule {
                            used.signal()
                            while true { sleep(1) }
                        }
                        used.wait()
                        Self.inChild {
                            // Queued behind what never ends.
                            queue.schedule {}
                            return true
                        }
                    }, "a queue")
            case "timer":
                check(
                    await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                        let (queue, used) = (QueueScheduler(name: "before"), DispatchSemaphore(value: 0))
                        queue.schedule(after: .milliseconds(1)) { used.signal() }
                        used.wait()
                        Self.inChild {
                            queue.schedule(after: .milliseconds(1)) {}
                            return true
                        }
                    }, "a queue")
            default:
                check(
                    await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                        let (thread, used) = (ThreadScheduler(name: "before"), DispatchSemaphore(value: 0))
                        thread.schedule { used.signal() }
                        used.wait()
                        Self.inChild {
                            for _ in 0..<3 { thread.schedule {} }
                            return true
                        }
                    }, "a ThreadScheduler")
            }
        }
    }
#endif
