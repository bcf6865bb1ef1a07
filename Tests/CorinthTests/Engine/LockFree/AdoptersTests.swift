#if !NaiveLocks
    @testable import Corinth
    import Dispatch
    import Foundation
    import Synchronization
    import Testing

    /// Adopters are the threads that run work which no other thread has taken.
    struct AdoptersTests {
        private let adopters = Adopters()

        @Test("One thread runs all added work, in FIFO order")
        func oneThread() {
            let gate = DispatchSemaphore(value: 0)
            let done = DispatchSemaphore(value: 0)
            // Thread sanitizer doesn't see the order that Synchronization's mutex makes.
            let log = Corinth.Atomic<[(thread: UInt64, number: Int)]>([])
            adopters.add { gate.wait() }
            for number in 1...1000 {
                adopters.add {
                    log.modify { $0.append((ThreadState.current.token, number)) }
                    if number == 1000 { done.signal() }
                }
            }
            gate.signal()
            done.wait()
            #expect(log.value.map(\.number) == Array(1...1000))
            #expect(Set(log.value.map(\.thread)).count == 1)
        }

        @Test("If one work item takes long, another thread starts for the queued work, after a timeout and not before")
        func another() {
            let gate = DispatchSemaphore(value: 0)
            let isHeld = DispatchSemaphore(value: 0)
            let done = DispatchSemaphore(value: 0)
            adopters.add {
                isHeld.signal()
                gate.wait()
            }
            isHeld.wait()
            #expect(!adopters.look(at: 1000, timeout: 100))
            let hasRun = Synchronization.Atomic<Bool>(false)
            adopters.add {
                hasRun.store(true, ordering: .relaxed)
                done.signal()
            }
            #expect(adopters.look(at: 2000, timeout: 1_500))
            #expect(adopters.look(at: 2400, timeout: 1_500))
            let isEarly = hasRun.load(ordering: .relaxed)
            #expect(!isEarly)
            #expect(adopters.look(at: 2600, timeout: 1_500))
            done.wait()
            #expect(!adopters.look(at: 5000, timeout: 1_500))
            gate.signal()
        }

        @Test("While all threads are busy, added work waits for one of them until the timeout")
        func noOther() {
            let gate = DispatchSemaphore(value: 0)
            let isHeld = DispatchSemaphore(value: 0)
            let done = DispatchSemaphore(value: 0)
            let threads = Corinth.Atomic<[UInt64]>([])
            func add(_ work: @escaping @Sendable () -> Void) {
                adopters.add {
                    threads.modify { $0.append(ThreadState.current.token) }
                    work()
                }
            }
            for isSecond in [false, true] {
                add {
                    isHeld.signal()
                    gate.wait()
                }
                // The first thread starts at once. The second one starts at the second look.
                if isSecond {
                    for time in [1_000, 3_000] as [UInt64] { #expect(adopters.look(at: time, timeout: 1_500)) }
                }
                isHeld.wait()
            }
            for _ in 1...100 { add {} }
            add { done.signal() }
            for _ in 1...2 { gate.signal() }
            done.wait()
            #expect(Set(threads.value).count <= 2)
        }

        @Test("After all its threads have ended, a new one is started")
        func again() {
            for _ in 1...100 {
                let done = DispatchSemaphore(value: 0)
                adopters.add { done.signal() }
                done.wait()
            }
        }
    }
#endif
