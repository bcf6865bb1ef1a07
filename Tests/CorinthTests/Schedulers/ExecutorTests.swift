import Dispatch
import Testing

@testable import Corinth

/// Actors and tasks on schedulers.
@Suite("Schedulers as executors", .serialized)
struct ExecutorTests {
    /// An actor on a scheduler. Deliveries on that scheduler enter it.
    private actor Sum<Home: SerialExecutor> {
        private let home: Home
        private(set) var total = 0

        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe home.asUnownedSerialExecutor() }

        init(on home: Home) {
            self.home = home
        }

        func add(_ value: Int) { total += value }

        nonisolated func addAtOnce(_ value: Int) { assumeIsolated { $0.add(value) } }
    }

    private func deliver<Home: SerialExecutor & Scheduler>(on home: Home) async {
        let sum = Sum(on: home)
        let (output, input) = Signal<Int, Never>.pipe()
        let seen = Counter()
        output.observe(on: home).observeValues {
            sum.addAtOnce($0)
            seen.increment()
        }
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { for value in 1...100 { await sum.add(value) } } }
            for value in 1...100 { input.send(value: value) }
        }
        #expect(await Stress.eventually { seen.value == 100 })
        #expect(await sum.total == 5 * 5050)
    }

    @Test func `A delivery on a queue enters an actor on that queue without a hop`() async {
        await deliver(on: QueueScheduler(name: "home"))
    }

    @Test func `A delivery on a thread enters an actor on that thread without a hop`() async {
        await deliver(on: ThreadScheduler(name: "home"))
        await deliver(on: ThreadScheduler(name: "home", capacity: 2, producers: .single))
    }

    /// An actor that calls itself.
    private actor Caller<Home: SerialExecutor & Scheduler> {
        private let home: Home
        private let ran = Counter()

        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe home.asUnownedSerialExecutor() }

        init(on home: Home) {
            self.home = home
        }

        /// How many of 100 calls were queued: what is queued before a call runs before such a call.
        func queuedCalls() async -> Int {
            var count = 0
            for _ in 0..<100 {
                let before = ran.value
                home.schedule { [ran] in ran.increment() }
                if await seen() > before { count += 1 }
                while ran.value == before { await Task.yield() }
            }
            return count
        }

        private func seen() async -> Int { ran.value }
    }

    @Test func `A call from an actor on a scheduler to itself isn't queued`() async {
        let (queue, thread) = (QueueScheduler(name: "home"), ThreadScheduler(name: "home"))
        #expect(await Caller(on: queue).queuedCalls() == 0)
        #expect(await Caller(on: thread).queuedCalls() == 0)
    }

    @Test func `A task runs on its executor, and returns to it after a suspension`() async {
        let thread = ThreadScheduler()
        let queue = QueueScheduler()
        await Task(executorPreference: thread) {
            #expect(thread.loop.isCurrent)
            await Task.yield()
            #expect(thread.loop.isCurrent)
            await withTaskExecutorPreference(queue) {
                #expect(queue.mark.isOnQueue)
                #expect(!thread.loop.isCurrent)
            }
            #expect(thread.loop.isCurrent)
        }.value
    }

    @Test func `An executor knows whether the caller runs on it`() async {
        let (thread, queue) = (ThreadScheduler(), QueueScheduler())
        #expect(thread.isIsolatingCurrentContext() == false)
        #expect(queue.isIsolatingCurrentContext() == false)
        await withCheckedContinuation { continuation in
            thread.schedule {
                thread.checkIsolated()
                #expect(thread.isIsolatingCurrentContext() == true)
                #expect(queue.isIsolatingCurrentContext() == false)
                continuation.resume()
            }
        }
        let above = QueueScheduler(queue: queue.queue)
        await withCheckedContinuation { continuation in
            above.schedule {
                // The code runs on both executors.
                above.checkIsolated()
                queue.checkIsolated()
                #expect(above.isIsolatingCurrentContext() == true)
                #expect(queue.isIsolatingCurrentContext() == true)
                continuation.resume()
            }
        }
    }

    @Test func `An actor can't be entered from another executor`() async {
        await #expect(processExitsWith: .failure) { Sum(on: QueueScheduler()).addAtOnce(1) }
        await #expect(processExitsWith: .failure) { Sum(on: ThreadScheduler()).addAtOnce(1) }
        await #expect(processExitsWith: .failure) {
            let done = DispatchSemaphore(value: 0)
            let sum = Sum(on: ThreadScheduler())
            ThreadScheduler().schedule {
                sum.addAtOnce(1)
                done.signal()
            }
            done.wait()
        }
    }

    @Test func `A task on a stopped thread stops the program`() async {
        await #expect(processExitsWith: .failure) {
            let thread = ThreadScheduler()
            thread.stop()
            await Task(executorPreference: thread) {}.value
        }
    }
}
