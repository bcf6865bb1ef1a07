@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// Observers and schedulers on actors and executors.
struct IsolationTests {
    private actor Store {
        var values: [Int] = []
        var ends = 0
        var observation: (any Disposable)?

        func follow(_ signal: Signal<Int, Never>) {
            observation = signal.observe(isolation: self) { event in
                switch event {
                case .value(let value): self.values.append(value)
                default: self.ends += 1
                }
            }
        }

        func followValues(_ producer: SignalProducer<Int, Never>) {
            producer.startWithValues(isolation: #isolation) { self.values.append($0) }
        }

        /// Disposes of the observation, and then blocks the actor while values are sent.
        func stop(_ send: () -> Void) {
            observation?.dispose()
            send()
        }
    }

    @Test func `Events come on the actor, in order`() async {
        let store = Store()
        let (output, input) = Signal<Int, Never>.pipe()
        await store.follow(output)
        DispatchQueue.concurrentPerform(iterations: 4) { index in
            for value in 0..<1_000 { input.send(value: index * 1_000 + value) }
        }
        input.sendCompleted()
        let end = ContinuousClock.now + .seconds(60)
        while await store.ends == 0, ContinuousClock.now < end { await Task.yield() }
        let values = await store.values
        #expect(values.count == 4_000)
        for index in 0..<4 {
            let own = values.filter { $0 / 1_000 == index }
            #expect(own == own.sorted())
        }
    }

    @Test func `E7: after a disposal on the actor, nothing more comes`() async {
        let store = Store()
        let (output, input) = Signal<Int, Never>.pipe()
        await store.follow(output)
        input.send(value: 1)
        while await store.values.isEmpty { await Task.yield() }
        await store.stop { for value in 2..<10 { input.send(value: value) } }
        for _ in 0..<100 { await Task.yield() }
        #expect(await store.values == [1])
    }

    @Test func producer() async {
        let store = Store()
        await store.followValues(SignalProducer(0..<100))
        let end = ContinuousClock.now + .seconds(60)
        while await store.values.count < 100, ContinuousClock.now < end { await Task.yield() }
        #expect(await store.values == Array(0..<100))
    }

    @Test @MainActor func `On the main actor, an event is delivered at once`() async {
        let (output, input) = Signal<Int, Never>.pipe()
        var (values, events) = ([Int](), 0)
        output.observeValues(on: MainActor.self) { values.append($0) }
        output.observe(on: MainActor.self) { _ in events += 1 }
        input.send(value: 1)
        #expect(values == [1] && events == 1)
        await Task.detached { input.send(value: 2) }.value
        let end = ContinuousClock.now + .seconds(60)
        while values.count < 2, ContinuousClock.now < end { await Task.yield() }
        #expect(values == [1, 2])
    }

    // MARK: Schedulers

    private enum Kind: CaseIterable {
        case actor, serial, tasks

        func make() -> ExecutorScheduler {
            switch self {
            case .actor: ExecutorScheduler(actor: Store())
            case .serial: ExecutorScheduler(executor: QueueScheduler(name: "serial"))
            case .tasks: ExecutorScheduler(taskExecutor: ThreadScheduler(name: "tasks"))
            }
        }
    }

    @Test(arguments: Kind.allCases)
    private func `C1: actions run one at a time, in order, and disposed ones don't run`(kind: Kind) async {
        let scheduler = kind.make()
        let (order, running) = (Atomic<[Int]>([]), Counter())
        await withCheckedContinuation { done in
            for number in 0..<5_000 {
                let action = scheduler.schedule {
                    order.modify { $0.append(number) }
                    running.increment()
                }
                if number % 10 == 9 { action?.dispose() }
            }
            scheduler.schedule { done.resume() }
        }
        let seen = order.value
        #expect(seen == seen.sorted())
        #expect(seen.filter { $0 % 10 != 9 }.count == 4_500)
    }

    @Test func `A burst is one hop`() async {
        let launches = Counter()
        let executor = CountingExecutor(launches)
        let scheduler = ExecutorScheduler(taskExecutor: executor)
        let (output, input) = Signal<Int, Never>.pipe()
        let values = Counter()
        output.observe(on: scheduler).observeValues { _ in values.increment() }
        executor.queue.suspend()
        for value in 0..<500 { input.send(value: value) }
        executor.queue.resume()
        #expect(await Stress.eventually { values.value == 500 })
        #expect(launches.value <= 2)
    }

    private final class CountingExecutor: TaskExecutor {
        let queue = DispatchQueue(label: "executor")
        private let launches: Counter

        init(_ launches: Counter) {
            self.launches = launches
        }

        func enqueue(_ job: consuming ExecutorJob) {
            launches.increment()
            let job = UnownedJob(job)
            queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test func `A full hop to an actor holds up threads, but never a thread that runs a task`() async {
        let scheduler = StepScheduler()
        _ = scheduler
        let store = Store()
        let (output, input) = Signal<Int, Never>.pipe()
        let received = Counter()
        output.observe(
            on: ExecutorScheduler(actor: store), bufferingPolicy: .blocking(capacity: 2, stallTimeout: .never)
        ).observeValues { _ in received.increment() }
        // While the actor is busy with this.
        await store.stop { for value in 0..<100 { input.send(value: value) } }
        #expect(await Stress.eventually { received.value == 100 })
    }
}
