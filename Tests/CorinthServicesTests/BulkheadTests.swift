import Corinth
import CorinthTesting
import Dispatch
import Testing

@testable import CorinthServices

enum ServiceError: Error, Equatable {
    case refused
    case broken
}

struct BulkheadTests {
    typealias Work = (producer: SignalProducer<Int, ServiceError>, input: Signal<Int, ServiceError>.Observer)

    private static func works(_ count: Int) -> [Work] {
        (0..<count).map { _ in
            let (signal, input) = Signal<Int, ServiceError>.pipe()
            return (SignalProducer(signal), input)
        }
    }

    @Test func `At most the limit run, the others start in their order`() {
        let bulkhead = Bulkhead(limit: 2)
        let started = Atomic<[Int]>([])
        let works = Self.works(5)
        for (number, work) in works.enumerated() {
            work.producer.on(starting: { started.modify { $0.append(number) } })
                .limited(by: bulkhead, raising: .refused)
                .start()
        }
        #expect(started.value == [0, 1])
        #expect(bulkhead.load.value == .init(running: 2, waiting: 3))
        works[1].input.sendCompleted()
        #expect(started.value == [0, 1, 2])
        works[0].input.send(error: .broken)
        works[2].input.sendInterrupted()
        #expect(started.value == [0, 1, 2, 3, 4])
        for work in works { work.input.sendCompleted() }
        #expect(bulkhead.load.value == .init(running: 0, waiting: 0))
    }

    @Test func `Values and the end are passed on`() {
        let bulkhead = Bulkhead(limit: 1)
        let recorder = EventRecorder<Int, ServiceError>()
        let works = Self.works(1)
        works[0].producer.limited(by: bulkhead, raising: .refused).start(recorder.observer)
        works[0].input.send(value: 1)
        works[0].input.send(error: .broken)
        #expect(recorder.events == [.value(1), .failed(.broken)])
    }

    @Test func `The most urgent one that waits comes first, the oldest of equal ones`() {
        let bulkhead = Bulkhead(limit: 1)
        let order = Atomic<[String]>([])
        let first = bulkhead.place().first()
        for (name, priority) in [("a1", 1), ("b2", 2), ("c1", 1), ("d3", 3), ("e2", 2)] {
            SignalProducer<Void, ServiceError> { order.modify { $0.append(name) } }
                .limited(by: bulkhead, priority: priority, raising: .refused).start()
        }
        (try? first?.get())?.dispose()
        #expect(order.value == ["d3", "b2", "e2", "a1", "c1"])
        #expect(bulkhead.load.value == .init(running: 0, waiting: 0))
    }

    @Test func `Too many are refused: the least urgent one, and the newest of equal ones`() {
        let bulkhead = Bulkhead(limit: 1, waiting: 2)
        let place = bulkhead.place().first()
        let recorders = (0..<5).map { _ in EventRecorder<Int, ServiceError>() }
        for (recorder, priority) in zip(recorders, [1, 2, 1, 3, 2]) {
            SignalProducer<Int, ServiceError>(value: priority)
                .limited(by: bulkhead, priority: priority, raising: .refused).start(recorder.observer)
        }
        // The third one finds two that are at least as urgent, the fourth one takes the place of the first one.
        #expect(recorders.map { $0.events == [.failed(.refused)] } == [true, false, true, false, true])
        (try? place?.get())?.dispose()
        #expect(recorders[1].events == [.value(2), .completed])
        #expect(recorders[3].events == [.value(3), .completed])
    }

    @Test func `Without room to wait, what finds no place is refused`() {
        let bulkhead = Bulkhead(limit: 1, waiting: 0)
        let works = Self.works(2)
        let recorder = EventRecorder<Int, ServiceError>()
        works[0].producer.limited(by: bulkhead, raising: .refused).start()
        works[1].producer.limited(by: bulkhead, priority: 9, raising: .refused).start(recorder.observer)
        #expect(recorder.events == [.failed(.refused)])
        withExtendedLifetime(works) {}
    }

    @Test func `A start that is disposed of gives its place back, or waits no longer`() {
        let bulkhead = Bulkhead(limit: 1)
        let works = Self.works(3)
        let starts = works.map { $0.producer.limited(by: bulkhead, raising: .refused).start() }
        starts[1].dispose()
        #expect(bulkhead.load.value == .init(running: 1, waiting: 1))
        starts[0].dispose()
        #expect(bulkhead.load.value == .init(running: 1, waiting: 0))
        starts[2].dispose()
        #expect(bulkhead.load.value == .init(running: 0, waiting: 0))
        withExtendedLifetime(works) {}
    }

    @Test func `Ten thousand that wait, and end at once, don't nest`() {
        let bulkhead = Bulkhead(limit: 1)
        let place = bulkhead.place().first()
        let count = Atomic(0)
        for _ in 0..<10_000 {
            SignalProducer<Int, ServiceError>(value: 1)
                .limited(by: bulkhead, raising: .refused)
                .startWithCompleted { count.modify { $0 += 1 } }
        }
        // Some give the place back by dropping it.
        for _ in 0..<1000 { bulkhead.place().start() }
        (try? place?.get())?.dispose()
        #expect(count.value == 10_000)
        #expect(bulkhead.load.value == .init(running: 0, waiting: 0))
    }

    @Test func `A place is given back when it is released, and once`() {
        let bulkhead = Bulkhead(limit: 2)
        var place = try? bulkhead.place().first()?.get()
        let other = try? bulkhead.place().first()?.get()
        #expect(bulkhead.load.value.running == 2)
        place = nil
        #expect(place == nil && bulkhead.load.value.running == 1)
        other?.dispose()
        other?.dispose()
        #expect(other?.isDisposed == true && bulkhead.load.value.running == 0)
    }

    /// The end of one is the reason for the next one, on the same thread.
    @Test func `A start from inside the end of another one finds its place`() {
        let bulkhead = Bulkhead(limit: 1, waiting: 1)
        let count = Atomic(0)
        @Sendable func next(_ rest: Int) {
            if rest == 0 { return }
            SignalProducer<Int, ServiceError>(value: rest)
                .limited(by: bulkhead, raising: .refused)
                .startWithResult { _ in
                    count.modify { $0 += 1 }
                    next(rest - 1)
                }
        }
        next(3)
        #expect(count.value == 3)
        #expect(bulkhead.load.value == .init(running: 0, waiting: 0))
    }

    @Test func `The property shows each load at the end, and only true ones`() {
        let bulkhead = Bulkhead(limit: 3)
        let loads = Atomic<[Bulkhead.Load]>([])
        bulkhead.load.signal.observeValues { load in loads.modify { $0.append(load) } }
        let works = Self.works(4)
        let starts = works.map { $0.producer.limited(by: bulkhead, raising: .refused).start() }
        #expect(loads.value.map(\.running) == [1, 2, 3, 3])
        for start in starts { start.dispose() }
        #expect(loads.value.last == .init(running: 0, waiting: 0))
        withExtendedLifetime(works) {}
    }

    @Test func `Threads and tasks never exceed the limit, and all of them run`() async throws {
        let bulkhead = Bulkhead(limit: 3)
        let (running, highest, ended) = (Atomic(0), Atomic(0), Atomic(0))
        @Sendable func enter() {
            let now = running.modify { running -> Int in
                running += 1
                return running
            }
            highest.modify { $0 = max($0, now) }
        }
        @Sendable func leave() {
            running.modify { $0 -= 1 }
            ended.modify { $0 += 1 }
        }
        let queues = (0..<4).map { QueueScheduler(name: "worker \($0)") }
        try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    try await bulkhead.run(priority: number % 3) {
                        enter()
                        await Task.yield()
                        leave()
                    }
                }
                group.addTask {
                    _ = await SignalProducer<Int, ServiceError> { observer, _ in
                        enter()
                        queues[number % 4].schedule {
                            leave()
                            observer.sendCompleted()
                        }
                    }
                    .limited(by: bulkhead, priority: number % 3, raising: .refused)
                    .termination()
                }
            }
            try await group.waitForAll()
        }
        #expect(ended.value == 400)
        #expect(highest.value <= 3)
        #expect(await eventually { bulkhead.load.value == .init(running: 0, waiting: 0) })
    }

    /// Those that wait are disposed of while places are passed on.
    @Test func `No place is lost when those that get it are cancelled`() async {
        let bulkhead = Bulkhead(limit: 2)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for number in 0..<1000 {
                let start = SignalProducer<Int, ServiceError>.never
                    .limited(by: bulkhead, priority: number % 2, raising: .refused).start()
                start.dispose()
            }
        }
        #expect(await eventually { bulkhead.load.value == .init(running: 0, waiting: 0) })
    }

    @Test func `A task that is cancelled while it waits gives up`() async {
        let bulkhead = Bulkhead(limit: 1)
        let place = try? await bulkhead.place().firstValue()
        let task = Task { try await bulkhead.run { true } }
        while bulkhead.load.value.waiting == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(bulkhead.load.value == .init(running: 1, waiting: 0))
        withExtendedLifetime(place) {}
    }

    @Test func `A task is refused, and gives its place back when its function throws`() async {
        let bulkhead = Bulkhead(limit: 1, waiting: 0)
        await #expect(throws: ServiceError.broken) {
            try await bulkhead.run {
                await #expect(throws: Bulkhead.Full.self) { try await bulkhead.run {} }
                throw ServiceError.broken
            }
        }
        #expect(bulkhead.load.value == .init(running: 0, waiting: 0))
    }
}
