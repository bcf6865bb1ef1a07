@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// Awaiting one value, all values, or the end.
struct AwaitingTests {
    private let numbers = SignalProducer<Int, Never>([1, 2, 3])
    private let none = SignalProducer<Int, Never>.empty
    private let failing = SignalProducer<Int, TestError>([1, 2]).concat(error: .first)

    /// A producer that sends a value and stays open.
    private func open(_ ended: Counter) -> SignalProducer<Int, Never> {
        SignalProducer { observer, lifetime in
            lifetime.observeEnded { ended.increment() }
            observer.send(value: 1)
        }
    }

    @Test func first() async throws {
        #expect(await numbers.firstValue() == 1)
        #expect(await none.firstValue() == nil)
        #expect(try await failing.firstValue() == 1)
        await #expect(throws: TestError.first) { try await SignalProducer<Int, TestError>(error: .first).firstValue() }
        let ended = Counter()
        #expect(await open(ended).firstValue() == 1)
        #expect(ended.value == 1)
    }

    @Test func `A task that runs at once inside a start leaves the nesting of its thread as it was`() {
        guard #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) else { return }
        let depths = Atomic<[UInt64]>([])
        Trampoline.run(on: numbers, with: depths) { numbers, depths in
            depths.modify { $0.append(ThreadState.current.nesting.depth) }
            _ = Task.immediate { await numbers.firstValue() }
            depths.modify { $0.append(ThreadState.current.nesting.depth) }
        }
        #expect(depths.value[0] > 0 && depths.value[0] == depths.value[1])
    }

    @Test func last() async throws {
        #expect(await numbers.lastValue() == 3)
        #expect(await none.lastValue() == nil)
        await #expect(throws: TestError.first) { try await failing.lastValue() }
    }

    @Test func single() async throws {
        #expect(await numbers.singleValue() == nil)
        #expect(await none.singleValue() == nil)
        #expect(await SignalProducer<Int, Never>(value: 7).singleValue() == 7)
        #expect(try await failing.singleValue() == nil)
        #expect(await numbers.map { $0 }.take(first: 1).singleValue() == 1)
    }

    @Test func all() async throws {
        #expect(await numbers.allValues() == [1, 2, 3])
        #expect(await none.allValues() == [])
        await #expect(throws: TestError.first) { try await failing.allValues() }
        let interrupted = SignalProducer<Int, Never> { observer, _ in
            observer.send(value: 1)
            observer.sendInterrupted()
        }
        #expect(await interrupted.allValues() == nil)
        #expect(await interrupted.lastValue() == nil)
    }

    @Test func termination() async {
        #expect(await numbers.termination() == .completed)
        #expect(await failing.termination() == .failed(.first))
        #expect(
            await SignalProducer<Int, Never> { observer, _ in observer.sendInterrupted() }.termination() == .interrupted
        )
    }

    /// The synchronous methods are unavailable in tasks, and keep their meaning outside.
    @Test func synchronousMethods() {
        #expect(numbers.first() == .success(1))
        #expect(numbers.last() == .success(3))
        #expect(none.single() == nil)
        let property = MutableProperty(1)
        #expect(property.value == 1)
    }

    @Test func `Values from other threads`() async {
        for _ in 0..<200 {
            let later = SignalProducer<Int, Never> { observer, _ in
                DispatchQueue.global().async {
                    observer.send(value: 1)
                    observer.send(value: 2)
                    observer.sendCompleted()
                }
            }
            #expect(await later.firstValue() == 1)
            #expect(await later.lastValue() == 2)
        }
    }

    @Test func `P2: cancelling the task disposes of the start, and the result is nil`() async {
        let (ended, started) = (Counter(), Counter())
        let producer = open(ended).on(value: { _ in started.increment() })
        let tasks: [Task<Bool, Never>] = [
            Task { await producer.lastValue() == nil },
            Task { await producer.allValues() == nil },
            Task { await producer.termination() == .interrupted },
            Task { await producer.filter { $0 > 1 }.firstValue() == nil },
        ]
        #expect(await Stress.eventually { started.value == 4 })
        #expect(ended.value == 0)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value) }
        #expect(ended.value == 4)
    }

    @Test func `A task that was cancelled before starts nothing`() async {
        let started = Counter()
        let producer = numbers.on(started: { started.increment() })
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            let (first, last, all) = (
                await producer.firstValue(), await producer.lastValue(), await producer.allValues()
            )
            return first == nil && last == nil && all == nil
        }
        task.cancel()
        #expect(await task.value)
        #expect(started.value == 0)
    }

    @Test func `P2: a cancellation ends a start whose handler has not returned yet`() async {
        let started = Counter()
        let endless = SignalProducer<Int, Never> { observer, lifetime in
            started.increment()
            while !lifetime.hasEnded { observer.send(value: 1) }
        }
        let sequence = SignalProducer<Int, Never>(
            sequence(first: 0) { number in
                if number == 1 { started.increment() }
                return number &+ 1
            })
        let awaits: [@Sendable () async -> Bool] = [
            { await endless.lastValue() == nil },
            { await sequence.filter { $0 < 0 }.firstValue() == nil },
            {
                for await _ in endless.values(bufferingPolicy: .latest) {}
                return true
            },
            {
                for await _ in sequence.values(bufferingPolicy: .dropNewest(capacity: 1)) {}
                return true
            },
        ]
        // Not on the pool: a start doesn't return while it is needed.
        let queue = QueueScheduler(name: "starts")
        for (index, body) in awaits.enumerated() {
            let task = Task(executorPreference: queue) { await body() }
            #expect(await Stress.eventually { started.value > index })
            task.cancel()
            #expect(await task.value)
        }
    }

    @Test func signal() async throws {
        let (output, input) = Signal<Int, TestError>.pipe()
        let isOver = Flag()
        let next = Task { () throws(TestError) -> Int? in
            defer { isOver.raise() }
            return try await output.nextValue()
        }
        while !isOver.isRaised {
            input.send(value: 1)
            await Task.yield()
        }
        #expect(try await next.value == 1)
        let failure = Task { try await output.nextValue() }
        input.send(error: .first)
        // If the signal has failed before it is observed, it interrupts (law S4).
        switch await failure.result {
        case .success(let value): #expect(value == nil)
        case .failure(let error): #expect(error as? TestError == .first)
        }
        #expect(try await output.nextValue() == nil)
    }

    @Test func property() async {
        let property = MutableProperty(0)
        #expect(await property.firstValue { $0 == 0 } == 0)
        let task = Task { await property.firstValue { $0 >= 5 } }
        for value in 1...5 {
            property.value = value
            await Task.yield()
        }
        #expect(await task.value == 5)
        var ending: MutableProperty? = MutableProperty(0)
        let values = ending!.producer
        let ended = Task { await values.filter { $0 > 0 }.firstValue() }
        ending = nil
        #expect(await ended.value == nil)
    }

    @Test func action() async throws {
        let action = Action<Int, Int, TestError> { input in
            input < 0 ? SignalProducer(error: .first) : SignalProducer([input, input * 2])
        }
        #expect(try await action.execute(4) == 8)
        await #expect(throws: ActionError<TestError>.producerFailed(.first)) { try await action.execute(-1) }
        let disabled = Action<Int, Int, Never>(enabledIf: Property(value: false)) { SignalProducer(value: $0) }
        await #expect(throws: ActionError<Never>.disabled) { try await disabled.execute(1) }
        #expect(try await Action<Void, Int, Never> { SignalProducer(value: 1) }.execute() == 1)
    }

    @Test(arguments: [false, true])
    func `100,000 awaiting tasks are cancelled (fewer under sanitizers), and nothing stays alive`(iterates: Bool) async
    {
        #if NaiveLocks
            // Its list of observers takes quadratic time.
            let count = 5_000
        #else
            let count = WaitLimit.isSanitized ? 10_000 : 100_000
        #endif
        let leaks = LeakCounter()
        let (output, input) = Signal<Int, Never>.pipe()
        let waiting = Counter()
        do {
            let tasks = (0..<count).map { _ in
                let token = leaks.token()
                return Task {
                    defer { token.touch() }
                    waiting.increment()
                    if !iterates { return await output.nextValue() }
                    for await value in output.values() { return value }
                    return nil
                }
            }
            #expect(await Stress.eventually { waiting.value == count })
            let began = ContinuousClock.now
            for task in tasks { task.cancel() }
            for task in tasks { #expect(await task.value == nil) }
            let time = (ContinuousClock.now - began) / count
            print("cancelling \(count) tasks that await \(iterates ? "values" : "nextValue"): \(time) each")
        }
        #expect(await Stress.eventually { leaks.count == 0 })
        input.send(value: 1)
        #expect(output.core.observers.isEmpty)
    }
}
