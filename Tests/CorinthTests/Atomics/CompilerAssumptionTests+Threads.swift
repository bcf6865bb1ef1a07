@testable import Corinth
import CTestSupport
import Dispatch
import Foundation
import Testing

/// Runs each job of a task on a new thread, one after the other.
@safe private final class NewThreads: TaskExecutor, @unchecked Sendable {  // One thread at a time uses it.
    private var jobs: [UnownedJob] = []
    private var suspended: UnsafeContinuation<Void, Never>?

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

    /// Suspends the task until its thread has ended.
    func suspend() async { unsafe await withUnsafeContinuation { unsafe suspended = $0 } }

    /// Runs the task until it has ended.
    func run() {
        while true {
            if let job = jobs.popLast() {
                let isOver = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
                    isOver.signal()
                }
                isOver.wait(orElse: "the job hasn't ended")
            } else if let continuation = unsafe suspended.take() {
                unsafe continuation.resume()
            } else {
                return
            }
        }
    }
}

/// The numbers of the threads on which the parts of an asynchronous function run.
private func threadsBetweenSuspensions(on executor: NewThreads) async -> [UInt64] {
    let first = ThreadState.current.token
    await executor.suspend()
    let second = ThreadState.current.token
    await executor.suspend()
    return [first, second, ThreadState.current.token]
}

@inline(never)
private func makeBlock(_ runs: Counter, _ token: LeakCounter.Token) -> @Sendable @convention(block) () -> Void {
    {
        token.touch()
        runs.increment()
    }
}

/// An actor on a queue of its own.
private actor Queued {
    let scheduler = QueueScheduler(name: "an actor's")

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe scheduler.asUnownedSerialExecutor() }

    func contexts(_ others: [SerialContext]) -> [Bool] { others.map(\.isCurrent) }
}

private actor Plain {
    func contexts(_ others: [SerialContext]) -> [Bool] { others.map(\.isCurrent) }
}

extension CompilerAssumptionTests.Threads {
    @Test func `The runtime tells whether a thread runs a task on the executor of an actor, and stops no program`()
        async
    {
        let (plain, queued) = (Plain(), Queued())
        let contexts: [SerialContext] = [
            ExecutorContext(of: plain), ExecutorContext(of: queued), ExecutorContext(of: MainActor.shared),
        ]
        unsafe #expect(MemoryLayout<UnownedSerialExecutor>.size == 16)
        #expect(await plain.contexts(contexts) == [true, false, false])
        #expect(await queued.contexts(contexts) == [false, true, false])
        #expect(await MainActor.run { contexts.map(\.isCurrent) } == [false, false, true])
        #expect(await Task.detached { contexts.map(\.isCurrent) }.value == [false, false, false])
        let elsewhere = Holder<[Bool]>([])
        ThreadGroup.run(1) { _ in elsewhere.held = contexts.map(\.isCurrent) }
        #expect(elsewhere.held == [false, false, false])
    }

    @Test func `The state of a thread is looked up again behind a suspension, which may resume on another thread`() {
        let executor = NewThreads()
        let threads = Holder<[UInt64]>([])
        Task(executorPreference: executor) { threads.held = await threadsBetweenSuspensions(on: executor) }
        executor.run()
        #expect(Set(threads.held).count == 3)
    }

    @Test func `The state of a thread is initialised in each thread`() {
        let states = Holder<[UInt64]>([])
        let isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            states.held = [ThreadState.current.bias, ThreadState.current.owned]
            isOver.signal()
        }
        isOver.wait(orElse: "the thread hasn't run")
        #expect(states.held == [BiasedWord.biased, 0])
    }

    @Test
    func `A block is posted without a copy, runs once for each post, and keeps its captures until it is released`() {
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
