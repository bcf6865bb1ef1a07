@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// `Observer.suspendingSend(value:)` sends a value, and suspends the task until there is a permit.
struct SuspendingSendTests {
    @Test func deliversInPlace() async throws {
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        output.observe(recorder.observer)
        try await input.suspendingSend(value: 1)
        #expect(recorder.events == [.value(1)])
        input.sendCompleted()
        try await input.suspendingSend(value: 2)
        #expect(recorder.events == [.value(1), .completed])
    }

    @Test func observerOfClosures() async throws {
        let seen = Atomic<[Int]>([])
        let observer = Signal<Int, Never>.Observer(value: { value in seen.modify { $0.append(value) } })
        try await observer.suspendingSend(value: 1)
        #expect(seen.value == [1])
    }

    @Test @MainActor func `Observers run on the actor of the caller`() async throws {
        let (output, input) = Signal<Int, Never>.pipe()
        let count = Atomic(0)
        // Stops the program on any other executor.
        output.observeValues { _ in MainActor.assumeIsolated { count.modify { $0 += 1 } } }
        try await input.suspendingSend(value: 1)
        #expect(count.value == 1)
    }

    @Test func `A task that is cancelled before it sends doesn't send`() async {
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        output.observe(recorder.observer)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await input.suspendingSend(value: 1)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(recorder.events.isEmpty)
    }

    @Test func `An overflow policy that drops values never suspends a task`() async throws {
        let statistics = BufferStatistics()
        let (output, input) = Signal<Int, Never>.pipe(buffering: .dropNewest(capacity: 1), statistics: statistics)
        let recorder = EventRecorder<Int, Never>()
        output.observe(recorder.observer)
        for value in 0..<10 { try await input.suspendingSend(value: value) }
        #expect(recorder.events.count == 10 && statistics.sent == 10)
    }

    #if !NaiveLocks
        /// A signal whose hop is suspended. One value fits into the hop, the second one stops the signal, and one more fits into
        /// the inbox.
        private struct Full {
            static let capacity = 3
            let scheduler = QueueScheduler(name: "suspended")
            let seen = Atomic<[Int]>([])
            let input: Signal<Int, Never>.Observer
            private let strand: Strand

            /// How many senders wait for a permit of the inbox.
            var waiting: Int { strand.waiterCount }

            /// Whether the signal waits for a permit of its hop.
            var isStopped: Bool {
                let graph = WaitGraph.acquire()
                let blocker = graph.blocker(of: strand.stateAddress)
                graph.release()
                return blocker != nil
            }

            /// Sends the values from 0 on, until there is no free permit.
            func fill() {
                for value in 0..<Full.capacity { #expect(input.trySend(value: value)) }
            }

            init() {
                scheduler.queue.suspend()
                // A busy machine must not admit more.
                let (output, input) = Signal<Int, Never>.pipe(
                    buffering: .blocking(capacity: 1, stallTimeout: .never))
                self.input = input
                strand = output.core.strand
                let seen = seen
                output
                    .observe(on: scheduler, bufferingPolicy: .blocking(capacity: 1, stallTimeout: .never))
                    .observeValues { value in seen.modify { $0.append(value) } }
            }
        }

        @Test func `A task is suspended after its value has filled a hop, and values stay in FIFO order`() async throws
        {
            let full = Full()
            let sent = Counter()
            let task = Task {
                for value in 0..<20 {
                    try await full.input.suspendingSend(value: value)
                    sent.increment()
                }
            }
            // One value fits into the hop. The second one stops the signal, so that a third one is queued.
            #expect(await Stress.eventually { full.isStopped })
            #expect(full.input.trySend(value: -1) && !full.input.trySend(value: -2))
            #expect(sent.value == 1)
            full.scheduler.queue.resume()
            try await task.value
            #expect(await Stress.eventually { full.seen.value == [0, 1, -1] + Array(2..<20) })
        }

        @Test func `A task is suspended while the inbox is full`() async throws {
            let full = Full()
            full.fill()
            let task = Task { try await full.input.suspendingSend(value: Full.capacity) }
            #expect(await Stress.eventually { full.waiting == 1 })
            #expect(!full.input.trySend(value: -1))
            full.scheduler.queue.resume()
            try await task.value
            #expect(await Stress.eventually { full.seen.value == Array(0...Full.capacity) })
        }

        @Test func `A task that is cancelled after its value has filled a hop goes on. The signal stays stopped`()
            async throws
        {
            let full = Full()
            #expect(full.input.trySend(value: 0))
            let task = Task { try await full.input.suspendingSend(value: 1) }
            #expect(await Stress.eventually { full.isStopped })
            task.cancel()
            // It was sent: no error.
            try await task.value
            #expect(full.input.trySend(value: 2) && !full.input.trySend(value: 3))
            full.scheduler.queue.resume()
            #expect(await Stress.eventually { full.seen.value == [0, 1, 2] })
            try await full.input.suspendingSend(value: 4)
            #expect(await Stress.eventually { full.seen.value == [0, 1, 2, 4] })
        }

        @Test func `An interruption resumes a task whose value has filled a hop`() async throws {
            let full = Full()
            #expect(full.input.trySend(value: 0))
            let task = Task { try await full.input.suspendingSend(value: 1) }
            #expect(await Stress.eventually { full.isStopped })
            full.input.sendInterrupted()
            try await task.value
            full.scheduler.queue.resume()
        }

        @Test func `Tasks and threads are served in FIFO order`() async throws {
            let full = Full()
            full.fill()
            var tasks: [Task<Void, any Error>] = []
            for number in 0..<6 {
                let value = Full.capacity + number
                let waiting = full.waiting
                if number % 2 == 0 {
                    tasks.append(Task { try await full.input.suspendingSend(value: value) })
                } else {
                    Thread.detachNewThread { full.input.send(value: value) }
                }
                #expect(await Stress.eventually { full.waiting == waiting + 1 }, "\(number) doesn't wait")
            }
            full.scheduler.queue.resume()
            for task in tasks { try await task.value }
            #expect(
                await Stress.eventually { full.seen.value == Array(0..<Full.capacity + 6) },
                "\(full.seen.value) were delivered")
        }

        @Test func `Cancellation removes a task from the queue and leaves nothing behind`() async throws {
            let live = LeakCounter()
            let full = Full()
            full.fill()
            do {
                let tasks = (0..<100).map { number in
                    let token = live.token()
                    return Task {
                        defer { token.touch() }
                        try await full.input.suspendingSend(value: 1_000 + number)
                    }
                }
                #expect(await Stress.eventually { full.waiting == 100 })
                for task in tasks { task.cancel() }
                for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
                #expect(full.waiting == 0)
            }
            #expect(await Stress.eventually { live.count == 0 })
            full.scheduler.queue.resume()
            #expect(await Stress.eventually { full.seen.value == Array(0..<Full.capacity) })
        }

        @Test func `The end of the stream resumes the waiting tasks`() async throws {
            let full = Full()
            full.fill()
            let task = Task { try await full.input.suspendingSend(value: 100) }
            #expect(await Stress.eventually { full.waiting == 1 })
            full.input.sendInterrupted()
            try await task.value
            full.scheduler.queue.resume()
        }

        @Test func `With concurrent senders of all kinds and cancellations, no value is lost or sent twice`() async {
            let (output, input) = Signal<Int, Never>.pipe(inboxCapacity: 4)
            let (delivered, accepted) = (Counter(), Counter())
            output
                .observe(on: QueueScheduler(name: "hop"), bufferingPolicy: .blocking(capacity: 4))
                .observeValues { _ in delivered.increment() }
            let senders = DispatchGroup()
            for _ in 0..<2 {
                DispatchQueue(label: "sender").async(group: senders) {
                    for value in 0..<2_000 {
                        input.send(value: value)
                        accepted.increment()
                    }
                }
            }
            await withTaskGroup { group in
                for index in 0..<8 {
                    group.addTask {
                        for value in 0..<500 {
                            let send = Task { try await input.suspendingSend(value: value) }
                            if (index + value) % 3 == 0 { send.cancel() }
                            if (try? await send.value) != nil { accepted.increment() }
                        }
                    }
                }
            }
            await withCheckedContinuation { done in senders.notify(queue: .global()) { done.resume() } }
            #expect(await Stress.eventually { delivered.value == accepted.value })
        }
    #endif
}
