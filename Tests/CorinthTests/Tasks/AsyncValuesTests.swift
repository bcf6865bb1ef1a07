@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// `values(bufferingPolicy:)` of signals, producers and properties.
struct AsyncValuesTests {
    // MARK: Signals

    @Test func `A signal that can't fail needs no try`() async {
        let (output, input) = Signal<Int, Never>.pipe()
        let values = output.values()
        var iterator = values.makeAsyncIterator()
        input.send(value: 1)
        input.send(value: 2)
        input.sendCompleted()
        #expect(await iterator.next() == 1)
        #expect(await iterator.next() == 2)
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
        for await value in values { Issue.record("the signal has ended, but \(value) came") }
    }

    @Test func `A failure is thrown with its type, after the values that came before it`() async {
        let (output, input) = Signal<Int, TestError>.pipe()
        var iterator = output.values().makeAsyncIterator()
        input.send(value: 1)
        input.send(error: .first)
        do throws(TestError) {
            #expect(try await iterator.next() == 1)
            _ = try await iterator.next()
            Issue.record("no failure")
        } catch {
            #expect(error == .first)
        }
        #expect((try? await iterator.next()) == .some(nil))
    }

    @Test func `E6: an interruption ends the sequence and drops the values that wait`() async {
        let statistics = BufferStatistics()
        let (output, input) = Signal<Int, Never>.pipe()
        var iterator = output.values(statistics: statistics).makeAsyncIterator()
        input.send(value: 1)
        input.send(value: 2)
        #expect(await iterator.next() == 1)
        input.sendInterrupted()
        #expect(await iterator.next() == nil)
        #expect(statistics.sent == 2 && statistics.delivered == 1 && statistics.dropped == 1)
    }

    @Test func `Iterations of one sequence are independent, and each begins with its iterator`() async {
        let (output, input) = Signal<Int, Never>.pipe()
        let values = output.values()
        var first = values.makeAsyncIterator()
        input.send(value: 1)
        var second = values.makeAsyncIterator()
        input.send(value: 2)
        input.sendCompleted()
        #expect(await first.next() == 1)
        #expect(await first.next() == 2)
        #expect(await second.next() == 2)
        #expect(await first.next() == nil)
        #expect(await second.next() == nil)
    }

    @Test func `A suspended task is resumed by each value and by the end`() async {
        let (output, input) = Signal<Int, Never>.pipe()
        let seen = Counter()
        var iterator = output.values().makeAsyncIterator()
        let sender = Task.detached {
            for value in 1...1_000 {
                input.send(value: value)
                _ = await Stress.eventually { seen.value >= value }
            }
            input.sendCompleted()
        }
        while let value = await iterator.next() { #expect(seen.increment() == value) }
        #expect(seen.value == 1_000)
        await sender.value
    }

    @Test func `Sent values arrive once and in order, from threads and tasks`() async {
        let (output, input) = Signal<Int, Never>.pipe()
        var iterator = output.values(bufferingPolicy: .blocking(capacity: 16, stallTimeout: .never)).makeAsyncIterator()
        let count = 20_000
        Thread.detachNewThread {
            for value in 0..<count { input.send(value: value) }
            input.sendCompleted()
        }
        var expected = 0
        while let value = await iterator.next() {
            guard value == expected else { break }
            expected += 1
        }
        #expect(expected == count)
    }

    @Test func `E7: releasing the iterator ends the observation`() async {
        let leaks = LeakCounter()
        let (output, input) = Signal<Int, Never>.pipe()
        do {
            let token = leaks.token()
            let watched = output.on(value: { _ in token.touch() })
            for await _ in watched.values().prefixOne(input) { break }
        }
        input.send(value: 2)
        #expect(leaks.count == 0)
    }

    // MARK: Producers

    @Test func `P1: each iteration is a start, at its first request`() async {
        let starts = Counter()
        let values = SignalProducer<Int, Never> { observer, _ in
            observer.send(value: starts.increment())
            observer.sendCompleted()
        }.values()
        var iterator = values.makeAsyncIterator()
        #expect(starts.value == 0)
        #expect(await iterator.next() == 1)
        #expect(await iterator.next() == nil)
        for await value in values { #expect(value == 2) }
        #expect(starts.value == 2)
    }

    @Test func `P2: breaking off disposes of the start once, and promptly`() async {
        let (disposed, interrupted) = (Counter(), Counter())
        let producer = SignalProducer<Int, Never> { observer, lifetime in
            lifetime.observeEnded { disposed.increment() }
            observer.send(value: 1)
        }.on(interrupted: { interrupted.increment() })
        for await value in producer.values() {
            #expect(value == 1 && disposed.value == 0)
            break
        }
        #expect(disposed.value == 1 && interrupted.value == 1)
    }

    @Test func `P2: cancelling the task disposes of the start once, and the sequence ends`() async {
        let (disposed, started) = (Counter(), Flag())
        let producer = SignalProducer<Int, TestError> { observer, lifetime in
            lifetime.observeEnded { disposed.increment() }
            observer.send(value: 1)
            started.raise()
        }
        let task = Task { () -> ([Int], Int) in
            var seen: [Int] = []
            for try await value in producer.values() { seen.append(value) }
            return (seen, disposed.value)
        }
        #expect(await Stress.eventually { started.isRaised })
        task.cancel()
        let result = try? await task.value
        #expect(result?.0 == [1] || result?.0 == [])
        #expect(result?.1 == 1 && disposed.value == 1)
    }

    @Test func `A task that is cancelled before its first request starts nothing`() async {
        let starts = Counter()
        let producer = SignalProducer<Int, Never> { observer, _ in
            starts.increment()
            observer.sendCompleted()
        }
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            for await _ in producer.values() {}
        }
        task.cancel()
        await task.value
        #expect(starts.value == 0)
    }

    @Test func `A cancelled task isn't held up by the source`() {
        let (inside, ended, gate) = (Flag(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (output, input) = Signal<Int, Never>.pipe()
        let slow = output.map { value in
            inside.raise()
            gate.wait(orElse: "the gate isn't opened")
            // For the next value: the sending thread may have queued several before the first was delivered.
            gate.signal()
            return value
        }
        // Not on the pool, where all tests wait for their turns.
        let task = Task(executorPreference: ThreadScheduler(name: "reader")) {
            for await _ in slow.values() {}
            ended.signal()
        }
        Thread.detachNewThread {
            while !inside.isRaised {
                input.send(value: 1)
                Work.yield()
            }
        }
        #expect(Stress.eventually { inside.isRaised })
        task.cancel()
        ended.wait(orElse: "the cancelled task hasn't ended")
        gate.signal()
    }

    @Test func `P5: the iterator keeps a start alive whose handler keeps nothing`() async {
        let ends = Counter()
        let producer = SignalProducer<Int, Never> { observer, lifetime in
            observer.send(value: 1)
            lifetime.observeEnded { ends.increment() }
        }
        var iterator: AsyncValues<Int, Never>.AsyncIterator? = producer.values().makeAsyncIterator()
        #expect(await iterator?.next() == 1)
        #expect(ends.value == 0)
        iterator = nil
        #expect(ends.value == 1)
    }

    // MARK: Properties

    @Test func `R2: the current value comes first, and changes coalesce`() async {
        let property = MutableProperty(1)
        var iterator = property.values.makeAsyncIterator()
        #expect(await iterator.next() == 1)
        for value in 2...100 { property.value = value }
        #expect(await iterator.next() == 100)
        property.value = 101
        #expect(await iterator.next() == 101)
    }

    @Test func `R2: without coalescing, every change comes; the end of the property ends the sequence`() async {
        var property: MutableProperty? = MutableProperty(0)
        var iterator = property!.values(bufferingPolicy: .unbounded).makeAsyncIterator()
        #expect(await iterator.next() == 0)
        for value in 1...10 { property?.value = value }
        property = nil
        for value in 1...10 { #expect(await iterator.next() == value) }
        #expect(await iterator.next() == nil)
    }

    // MARK: Policies

    @Test func `Dropping policies keep the oldest or the newest values`() async {
        let source = SignalProducer<Int, Never>(1...10)
        let statistics = BufferStatistics()
        #expect(await source.values(bufferingPolicy: .dropNewest(capacity: 3)).all() == [1, 2, 3])
        #expect(
            await source.values(bufferingPolicy: .dropOldest(capacity: 3), statistics: statistics).all() == [8, 9, 10])
        #expect(await source.values(bufferingPolicy: .latest).all() == [10])
        #expect(statistics.sent == 10 && statistics.delivered == 3 && statistics.dropped == 7)
    }

    @Test func `A failing policy delivers the queued values, then fails, and disposes of the source`() async {
        let disposed = Counter()
        let source = SignalProducer<Int, TestError> { observer, lifetime in
            lifetime.observeEnded { disposed.increment() }
            for value in 1...10 { observer.send(value: value) }
        }
        var seen: [Int] = []
        do throws(TestError) {
            for try await value in source.values(bufferingPolicy: .failing(capacity: 3, with: .first)) {
                seen.append(value)
                #expect(disposed.value == 1)
            }
            Issue.record("no failure")
        } catch {
            #expect(error == .first)
        }
        #expect(seen == [1, 2, 3])
    }

    @Test func `With .blocking, a thread waits for a place`() async {
        let (output, input) = Signal<Int, Never>.pipe()
        let (statistics, sent) = (BufferStatistics(), Counter())
        var iterator =
            output
            .values(bufferingPolicy: .blocking(capacity: 4, stallTimeout: .never), statistics: statistics)
            .makeAsyncIterator()
        Thread.detachNewThread {
            for value in 0..<20 {
                input.send(value: value)
                sent.increment()
            }
        }
        for value in 0..<20 {
            let expected = min(value + 4, 20)
            #expect(await Stress.eventually { sent.value >= expected })
            #expect(sent.value <= value + 4)
            #expect(await iterator.next() == value)
        }
    }

    #if !NaiveLocks
        @Test func `With .blocking, a task that sends is suspended`() async throws {
            let (output, input) = Signal<Int, Never>.pipe(buffering: .blocking(capacity: 1, stallTimeout: .never))
            let sent = Counter()
            var iterator = output.values(bufferingPolicy: .blocking(capacity: 2, stallTimeout: .never))
                .makeAsyncIterator()
            let task = Task {
                for value in 0..<100 {
                    try await input.suspendingSend(value: value)
                    sent.increment()
                }
            }
            // Two in the sequence's buffer, and one beyond it, with which the task is suspended.
            for value in 0..<100 {
                #expect(await Stress.eventually { sent.value >= min(value + 2, 100) })
                #expect(sent.value <= value + 3)
                #expect(await iterator.next() == value)
            }
            try await task.value
        }
    #endif

    @Test func `The end of an iteration releases the senders that wait`() async {
        let (output, input) = Signal<Int, Never>.pipe()
        var iterator: AsyncValues<Int, Never>.AsyncIterator? =
            output
            .values(bufferingPolicy: .blocking(capacity: 1, stallTimeout: .never)).makeAsyncIterator()
        let (done, sent) = (Flag(), Counter())
        Thread.detachNewThread {
            for value in 0..<100 {
                input.send(value: value)
                sent.increment()
            }
            done.raise()
        }
        #expect(await iterator?.next() == 0)
        #expect(await Stress.eventually { sent.value >= 2 })
        iterator = nil
        #expect(await Stress.eventually { done.isRaised })
    }

    @Test func `A task that sends to its own sequence never waits for itself`() async {
        let (output, input) = Signal<Int, Never>.pipe()
        var iterator = output.values(bufferingPolicy: .blocking(capacity: 1, stallTimeout: .never)).makeAsyncIterator()
        // Each one beyond the capacity waits for 100 ms: a thread of a task has a bound on its wait.
        for value in 0..<10 { input.send(value: value) }
        for value in 0..<10 { #expect(await iterator.next() == value) }
    }

    @Test func `A value that was taken isn't kept`() async {
        let leaks = LeakCounter()
        let (output, input) = Signal<LeakCounter.Token, Never>.pipe()
        var iterator = output.values().makeAsyncIterator()
        for _ in 0..<1_000 {
            input.send(value: leaks.token())
            _ = await iterator.next()
            #expect(leaks.count == 0)
        }
    }

    @Test func `Values that wait are released when the iteration ends`() async {
        let leaks = LeakCounter()
        let (output, input) = Signal<LeakCounter.Token, Never>.pipe()
        do {
            var iterator = output.values().makeAsyncIterator()
            for _ in 0..<10 { input.send(value: leaks.token()) }
            _ = await iterator.next()
            #expect(leaks.count == 9)
        }
        #expect(leaks.count == 0)
    }
}

extension AsyncValues {
    /// All values, in an array.
    fileprivate func all() async throws(Failure) -> [Element] {
        var all: [Element] = []
        for try await value in self { all.append(value) }
        return all
    }
}

extension AsyncValues where Element == Int, Failure == Never {
    /// This sequence, whose first value is sent when the iteration has begun.
    fileprivate func prefixOne(_ input: Signal<Int, Never>.Observer) -> AsyncValues {
        AsyncValues(.unbounded, counting: nil, beginningAtOnce: true) { iteration in
            self.connect(iteration)
            input.send(value: 1)
        }
    }
}
