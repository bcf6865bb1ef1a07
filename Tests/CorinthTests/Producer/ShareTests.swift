import Corinth
import CorinthTesting
import Dispatch
import Testing

/// `share(replay:)` and `share(replay:grace:on:)`.
struct ShareTests {
    /// A source that counts its starts and ends, and sends the test's values.
    final class Source: Sendable {
        let starts = Counter()
        let ends = Counter()
        let pipe = Signal<Int, TestError>.pipe()

        var producer: SignalProducer<Int, TestError> {
            SignalProducer { [starts, ends, output = pipe.output] observer, lifetime in
                starts.increment()
                lifetime.observeEnded { ends.increment() }
                lifetime += output.observe(observer)
            }
        }
    }

    @Test func sharesOneStart() {
        let source = Source()
        let shared = source.producer.share()
        #expect(source.starts.value == 0)
        let first = EventRecorder<Int, TestError>()
        let second = EventRecorder<Int, TestError>()
        let one = shared.start(first.observer)
        source.pipe.input.send(value: 1)
        let two = shared.start(second.observer)
        source.pipe.input.send(value: 2)
        one.dispose()
        source.pipe.input.send(value: 3)
        #expect(source.starts.value == 1)
        #expect(source.ends.value == 0)
        two.dispose()
        #expect(source.ends.value == 1)
        #expect(first.events == [.value(1), .value(2), .interrupted])
        #expect(second.events == [.value(2), .value(3), .interrupted])
        shared.start()
        #expect(source.starts.value == 2)
    }

    @Test func replaysToLaterStarts() {
        let source = Source()
        let shared = source.producer.share(replay: 2)
        shared.start()
        for value in 1...3 { source.pipe.input.send(value: value) }
        let late = EventRecorder<Int, TestError>()
        shared.start(late.observer)
        #expect(late.values == [2, 3])
        #expect(source.starts.value == 1)
    }

    @Test func `Starts before the end of the source don't keep the next start of the source`() {
        let pipes = (0..<2).map { _ in Signal<Int, TestError>.pipe() }
        let (starts, ends) = (Counter(), Counter())
        let shared = SignalProducer<Int, TestError> { observer, lifetime in
            starts.increment()
            lifetime.observeEnded { ends.increment() }
            lifetime += pipes[starts.value - 1].output.observe(observer)
        }
        .share()
        let first = shared.start()
        pipes[0].input.sendCompleted()
        let second = shared.start()
        #expect(starts.value == 2 && ends.value == 1)
        second.dispose()
        #expect(ends.value == 2)
        withExtendedLifetime(first) {}
    }

    @Test func theEndReachesAllObserversAndNoLaterOnes() {
        let source = Source()
        let shared = source.producer.share(replay: 1)
        let recorders = (0..<2).map { _ in EventRecorder<Int, TestError>() }
        for recorder in recorders { shared.start(recorder.observer) }
        source.pipe.input.send(value: 1)
        source.pipe.input.send(error: .first)
        for recorder in recorders { #expect(recorder.events == [.value(1), .failed(.first)]) }
        #expect(source.ends.value == 1)
        // This starts the source anew. No state of the earlier start is left.
        let later = EventRecorder<Int, TestError>()
        shared.start(later.observer)
        #expect(source.starts.value == 2)
        #expect(later.events == [.interrupted])
    }

    @Test func aSourceThatEndsAtOnce() {
        let shared = SignalProducer<Int, TestError>([1, 2]).share(replay: 1)
        for _ in 0..<2 {
            let recorder = EventRecorder<Int, TestError>()
            shared.start(recorder.observer)
            #expect(recorder.events == [.value(1), .value(2), .completed])
        }
    }

    @Test func graceKeepsTheSource() {
        let scheduler = TestScheduler()
        let source = Source()
        let shared = source.producer.share(replay: 1, grace: 10, on: scheduler)
        shared.start().dispose()
        scheduler.advance(by: .seconds(9))
        #expect(source.ends.value == 0)
        source.pipe.input.send(value: 1)
        let recorder = EventRecorder<Int, TestError>()
        let disposable = shared.start(recorder.observer)
        #expect(recorder.values == [1])
        scheduler.advance(by: .seconds(60))
        #expect(source.starts.value == 1)
        #expect(source.ends.value == 0)
        disposable.dispose()
        scheduler.advance(by: .seconds(9))
        #expect(source.ends.value == 0)
        scheduler.advance(by: .seconds(1))
        #expect(source.ends.value == 1)
        shared.start()
        #expect(source.starts.value == 2)
    }

    @Test func theEndOfTheSourceCancelsTheGrace() {
        let scheduler = TestScheduler()
        let source = Source()
        let shared = source.producer.share(replay: 1, grace: 10, on: scheduler)
        shared.start().dispose()
        #expect(scheduler.pendingCount == 1)
        source.pipe.input.sendCompleted()
        #expect(source.ends.value == 1)
        #expect(scheduler.pendingCount == 0)
    }

    @Test func aStartWhileTheSourceIsDisposedOfStartsItAgain() {
        let pipe = Signal<Int, Never>.pipe()
        let again = Atomic<SignalProducer<Int, Never>?>(nil)
        let recorder = EventRecorder<Int, Never>()
        let source = SignalProducer<Int, Never> { observer, lifetime in
            lifetime += pipe.output.observe(observer)
            lifetime.observeEnded { again.swap(nil)?.start(recorder.observer) }
        }
        let shared = source.share()
        again.value = shared
        shared.start().dispose()
        pipe.input.send(value: 1)
        pipe.input.sendCompleted()
        #expect(recorder.events == [.value(1), .completed])
    }

    @Test func leaks() {
        let leaks = LeakCounter()
        do {
            let token = leaks.token()
            let shared = SignalProducer<Int, TestError> { [token] observer, lifetime in
                lifetime.observeEnded { token.touch() }
                observer.send(value: 1)
                lifetime.observeEnded { withExtendedLifetime(observer) {} }
            }
            .share(replay: 1)
            let disposables = (0..<3).map { _ in shared.start() }
            for disposable in disposables { disposable.dispose() }
        }
        #expect(leaks.count == 0)
    }

    /// Starts and disposals on several threads: the source starts and ends equally often, and never runs twice at the same
    /// time.
    @Test func startsOnThreads() {
        let running = Counter()
        let most = Atomic(0)
        let ended = Counter()
        let shared = SignalProducer<Int, TestError> { observer, lifetime in
            let number = running.increment() - ended.value
            most.modify { $0 = max($0, number) }
            observer.send(value: 1)
            lifetime.observeEnded {
                ended.increment()
                withExtendedLifetime(observer) {}
            }
        }
        .share()
        ThreadGroup.run(4) { _ in
            for _ in 0..<500 { shared.start().dispose() }
        }
        // A worker may deliver the last end.
        #expect(Stress.eventually { running.value == ended.value })
        #expect(running.value > 0)
    }
}
