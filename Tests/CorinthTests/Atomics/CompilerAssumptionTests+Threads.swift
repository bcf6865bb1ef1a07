@testable import Corinth
import CTestSupport
import Dispatch
import Foundation
import Testing

/// Runs each job on a new thread.
private final class NewThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = unsafe asUnownedTaskExecutor()
        Thread.detachNewThread { unsafe job.runSynchronously(on: executor) }
    }
}

/// The numbers of the threads on which the parts of an asynchronous function run.
private func threadsBetweenSuspensions() async -> [UInt64] {
    let first = ThreadState.current.token
    await Task.yield()
    let second = ThreadState.current.token
    await Task.yield()
    return [first, second, ThreadState.current.token]
}

@inline(never)
private func makeBlock(_ runs: Counter, _ token: LeakCounter.Token) -> @Sendable @convention(block) () -> Void {
    {
        token.touch()
        runs.increment()
    }
}

extension CompilerAssumptionTests.Threads {
    @Test("The state of a thread is looked up again behind a suspension, which may resume on another thread")
    func suspension() async {
        let threads = await Task(executorPreference: NewThreads()) { await threadsBetweenSuspensions() }.value
        #expect(Set(threads).count == 3)
    }

    @Test("The state of a thread is initialised in each thread")
    func initialisation() {
        let states = Holder<[UInt64]>([])
        let isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            states.held = [ThreadState.current.bias, ThreadState.current.owned]
            isOver.signal()
        }
        isOver.wait(orElse: "the thread hasn't run")
        #expect(states.held == [BiasedWord.biased, 0])
    }

    @Test("A block is posted without a copy, runs once for each post, and keeps its captures until it is released")
    func blocks() {
        let (runs, leaks) = (Counter(), LeakCounter())
        let queue = DispatchQueue(label: "CompilerAssumptionTests")
        queue.suspend()
        do {
            let block = makeBlock(runs, leaks.token())
            let before = test_allocations()
            for _ in 0..<100 { queue.async(execute: block) }
            // The queue's record of each post; a block of its own would be another one.
            #expect(test_allocations() - before < 150)
        }
        #expect(leaks.count == 1 && runs.value == 0)
        queue.resume()
        queue.sync {}
        #expect(leaks.count == 0 && runs.value == 100)
    }
}
