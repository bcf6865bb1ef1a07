@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// Producers of asynchronous sequences, operations and generators.
struct TaskProducersTests {
    @TaskLocal static var name = "nobody"

    /// A sequence of numbers that counts what was requested.
    private struct Numbers: AsyncSequence, Sendable {
        let count: Int
        var failure: TestError?
        let requested = Counter()

        struct AsyncIterator: AsyncIteratorProtocol {
            var next = 0
            let numbers: Numbers

            mutating func next(isolation actor: isolated (any Actor)?) async throws(TestError) -> Int? {
                numbers.requested.increment()
                await Task.yield()
                if next == numbers.count {
                    if let failure = numbers.failure { throw failure }
                    return nil
                }
                next += 1
                return next
            }

            mutating func next() async throws(TestError) -> Int? { try await next(isolation: nil) }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(numbers: self) }
    }

    @Test func `The elements of a sequence, and its end`() async throws {
        let producer = SignalProducer(awaiting: Numbers(count: 5))
        #expect(try await producer.allValues() == [1, 2, 3, 4, 5])
        #expect(try await producer.allValues() == [1, 2, 3, 4, 5])
    }

    @Test func `The failure of a sequence keeps its type`() async {
        let producer: SignalProducer<Int, TestError> = SignalProducer(awaiting: Numbers(count: 2, failure: .second))
        let recorder = EventRecorder<Int, TestError>()
        let end = await producer.on(event: { recorder.observer.send($0) }).termination()
        #expect(end == .failed(.second))
        #expect(recorder.events == [.value(1), .value(2), .failed(.second)])
    }

    @Test func `There and back: a sequence of values of a producer of a sequence`() async {
        let numbers = SignalProducer<Int, Never>(0..<1_000)
        let back = SignalProducer(awaiting: numbers.values())
        #expect(await back.allValues() == Array(0..<1_000))
    }

    @Test func `P1: nothing happens before a start; P2: a disposal cancels the task, and later results are dropped`()
        async
    {
        let (begun, cancelled) = (Counter(), Counter())
        let producer = SignalProducer<Int, Never>.task {
            begun.increment()
            while !Task.isCancelled { await Task.yield() }
            cancelled.increment()
            return 1
        }
        let recorder = EventRecorder<Int, Never>()
        #expect(begun.value == 0)
        let start = producer.start(recorder.observer)
        #expect(await Stress.eventually { begun.value == 1 })
        start.dispose()
        #expect(recorder.events == [.interrupted])
        #expect(await Stress.eventually { cancelled.value == 1 })
        #expect(recorder.events == [.interrupted])
    }

    @Test func operation() async throws {
        #expect(await SignalProducer<Int, Never>.task { 7 }.allValues() == [7])
        let failing = SignalProducer<Int, TestError>.task { () throws(TestError) in throw .first }
        #expect(await failing.termination() == .failed(.first))
        let untyped = SignalProducer<Int, any Error>.task { throw TestError.second }
        await #expect(throws: TestError.second) { try await untyped.lastValue() }
    }

    @Test func generator() async throws {
        let producer = SignalProducer<Int, TestError>.generator { output throws(TestError) in
            for value in 1...3 { await output.send(value) }
            throw .first
        }
        let recorder = EventRecorder<Int, TestError>()
        _ = await producer.on(event: { recorder.observer.send($0) }).termination()
        #expect(recorder.events == [.value(1), .value(2), .value(3), .failed(.first)])
    }

    @Test func `A generator sees that the stream has ended`() async {
        let ended = Flag()
        let endless = SignalProducer<Int, Never>.generator { output in
            var value = 0
            while await output.send(value) { value += 1 }
            ended.raise()
        }
        #expect(await endless.take(first: 3).allValues() == [0, 1, 2])
        #expect(await Stress.eventually { ended.isRaised })
    }

    @Test func `The task has the task-locals and the priority of the caller of start`() async {
        let local = SignalProducer<String, Never>.task { Self.name }
        let name = await Self.$name.withValue("Ada") { await local.firstValue() }
        #expect(name == "Ada")
        let priority = SignalProducer<TaskPriority, Never>.task(priority: .low) { Task.currentPriority }
        #expect(await priority.firstValue() != nil)
    }

    #if !NaiveLocks
        @Test(.timeLimit(.minutes(1)))
        func `The next element is requested only when there is room`() async throws {
            let numbers = Numbers(count: 100)
            let scheduler = StepScheduler()
            let producer = SignalProducer(awaiting: numbers)
                .observe(on: scheduler, bufferingPolicy: .blocking(capacity: 4, stallTimeout: .never))
            let recorder = EventRecorder<Int, TestError>()
            let start = producer.start(recorder.observer)
            #expect(await Stress.eventually { numbers.requested.value >= 5 })
            try await Task.sleep(for: .milliseconds(20))
            // Four in the hop, and one that has filled it, with which the task is suspended.
            #expect(numbers.requested.value == 5)
            while recorder.events.count < 101 {
                scheduler.run()
                await Task.yield()
            }
            #expect(recorder.events == (1...100).map { .value($0) } + [.completed])
            start.dispose()
        }
    #endif

    @Test func `Nothing stays alive after the end or a disposal`() async {
        let leaks = LeakCounter()
        do {
            let token = leaks.token()
            let endless = SignalProducer<Int, Never>.generator { output in
                while await output.send(1) { token.touch() }
            }
            #expect(await endless.take(first: 10).allValues()?.count == 10)
            let values = Counter()
            let start = endless.startWithValues { _ in values.increment() }
            #expect(await Stress.eventually { values.value > 100 })
            start.dispose()
        }
        #expect(await Stress.eventually { leaks.count == 0 })
    }

    /// A sequence that ignores the cancellation of its task, until it is told to end.
    private struct Deaf: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let isOver = Flag()
        let requested = Flag()

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> Int? {
            requested.raise()
            while !isOver.isRaised { await Task.yield() }
            return 1
        }

        mutating func next() async -> Int? { await next(isolation: nil) }

        func makeAsyncIterator() -> Deaf { self }
    }

    @Test func `A sequence that ignores cancellation keeps no observer of a start that was disposed of`() async {
        let leaks = LeakCounter()
        let deaf = Deaf()
        let ends = Counter()
        do {
            let token = leaks.token()
            let start = SignalProducer(awaiting: deaf).start { event in
                token.touch()
                if event.isTerminating { ends.increment() }
            }
            #expect(await Stress.eventually { deaf.requested.isRaised })
            #expect(ends.value == 0 && leaks.count == 1)
            start.dispose()
        }
        #expect(ends.value == 1 && leaks.count == 0)
        deaf.isOver.raise()
    }

    @Test func `Starts and disposals race tasks: each start ends once`() async {
        let ends = Counter()
        let producer = SignalProducer<Int, Never>.generator { output in
            for value in 0..<20 where await !output.send(value) { return }
        }
        var starts = 0
        let limit = ContinuousClock.now + .seconds(Stress.seconds / 2)
        repeat {
            let events = (0..<16).map { _ in Counter() }
            let handles = events.map { events in
                producer.start { event in if event.isTerminating { events.increment() } }
            }
            await Task.yield()
            for handle in handles { handle.dispose() }
            starts += 16
            for event in events {
                // An event in progress comes first.
                #expect(await Stress.eventually { event.value == 1 })
                ends.increment()
            }
        } while ContinuousClock.now < limit
        #expect(ends.value == starts)
    }
}
