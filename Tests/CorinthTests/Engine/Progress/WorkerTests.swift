@testable import Corinth
import Dispatch
import Foundation
import Testing

/// The library's threads for work that no other thread may do.
@Suite("Worker")
struct WorkerTests {
    private let log = Corinth.Atomic<[(thread: UInt64, number: Int)]>([])

    /// - Returns: Signalled when the work has run.
    private func add(_ number: Int, to workers: Workers) -> DispatchSemaphore {
        let ran = DispatchSemaphore(value: 0)
        let isAdded = workers.add(
            { [log] in
                log.modify { $0.append((ThreadState.current.token, number)) }
                ran.signal()
            }, mayRefuse: false)
        #expect(isAdded)
        return ran
    }

    @Test func `Work runs in FIFO order, and a thread that has none takes the next one`() {
        // However long its thread is kept from running, it gets no second one.
        let workers = Workers(limit: 1, interval: 1 << 60)
        for number in 1...200 {
            let ran = add(number, to: workers)
            if number % 3 == 0 { ran.wait(orElse: "work \(number) hasn't run") }
        }
        #expect(Stress.eventually { log.value.count == 200 })
        #expect(log.value.map(\.number) == Array(1...200))
        #expect(Set(log.value.map(\.thread)).count == 1)
    }

    #if !NaiveLocks
        @Test func `While work takes long, other work gets threads: some at once, others one after the other`() {
            let workers = Workers(limit: 2)
            let gate = DispatchSemaphore(value: 0)
            let inside = Counter()
            let count = 20
            for _ in 0..<count {
                let isAdded = workers.add(
                    {
                        inside.increment()
                        gate.wait()
                    }, mayRefuse: true)
                #expect(isAdded)
            }
            #expect(Stress.eventually { inside.value == count }, "\(inside.value) of \(count) have a thread")
            for _ in 0..<count { gate.signal() }
        }
    #endif

    @Test func `A thread without work ends after a while, and another one is started for later work`() {
        let workers = Workers(limit: 1, idleTime: 1_000_000)
        for number in 1...50 {
            let ran = add(number, to: workers)
            ran.wait(orElse: "work \(number) hasn't run")
            if number % 10 == 0 { usleep(5_000) }
        }
        #expect(Set(log.value.map(\.thread)).count > 1)
    }

    @Test func `Many threads add work at once, and all of it runs once`() {
        let workers = Workers(limit: 2, idleTime: 10_000)
        let ran = Counter()
        ThreadGroup.run(8) { _ in
            for number in 0..<2_000 {
                let isAdded = workers.add({ ran.increment() }, mayRefuse: number % 2 == 0)
                #expect(isAdded)
                if number % 100 == 0 { usleep(50) }
            }
        }
        #expect(Stress.eventually { ran.value == 16_000 }, "\(ran.value) of 16000 have run")
    }
}
