import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// The common behaviour of all operators with a timer.
struct TimedOperatorTests {
    @Test(arguments: TimedOperator.delivering + TimedOperator.passing, ["ab#", "ab!"])
    func `E6: a failure or an interruption is delivered at once, drops the held values, and leaves no timer`(
        timed: TimedOperator, line: String
    ) {
        let scheduler = TestScheduler()
        let signal = scheduler.record(timed.derive(scheduler.hot(Marbles(line)), scheduler))
        let producer = scheduler.record(timed.produce(scheduler.cold(Marbles(line)), scheduler))
        scheduler.advance(by: .seconds(2))
        scheduler.advance()
        let end = Marbles(line).steps[2]
        #expect(signal.marbles.steps.count == 3)
        #expect(signal.marbles.steps.last == end)
        #expect(producer.marbles.steps.count == 3)
        #expect(producer.marbles.steps.last == end)
        #expect(scheduler.pendingCount == 0)
        scheduler.advance(by: .seconds(100))
        #expect(signal.marbles.steps.count == 3)
    }

    /// A completion leaves nothing in the scheduler either, at the latest after its delivery.
    @Test(arguments: TimedOperator.delivering + TimedOperator.passing)
    func completes(timed: TimedOperator) {
        let scheduler = TestScheduler()
        let signal = scheduler.record(timed.derive(scheduler.hot("ab--c|"), scheduler))
        let producer = scheduler.record(timed.produce(scheduler.cold("ab--c|"), scheduler))
        scheduler.advance(by: .seconds(20))
        #expect(signal.events.last == .completed)
        #expect(producer.events.last == .completed)
        #expect(producer.marbles == signal.marbles)
        #expect(scheduler.pendingCount == 0)
    }

    @Test(arguments: TimedOperator.delivering + TimedOperator.passing)
    func `P2: disposal interrupts, cancels the source and the timer, and leaves nothing in the scheduler`(
        timed: TimedOperator
    ) {
        let scheduler = TestScheduler()
        let ended = Counter()
        let source = SignalProducer<String, MarbleError> { observer, lifetime in
            for value in "abc" { observer.send(value: String(value)) }
            lifetime.observeEnded {
                _ = observer
                ended.increment()
            }
        }
        let recorder = scheduler.record(timed.produce(source, scheduler))
        scheduler.advance(by: .seconds(1))
        let before = recorder.events
        recorder.disposable?.dispose()
        #expect(ended.value == 1)
        scheduler.advance()
        #expect(recorder.events == before + [.interrupted])
        #expect(scheduler.pendingCount == 0)
        scheduler.advance(by: .seconds(100))
        #expect(recorder.events == before + [.interrupted])
    }

    /// After a disposal in a callback only the interruption is delivered, even if more values are due at that time.
    @Test(arguments: TimedOperator.delivering)
    func `E7: disposal in aCallback`(timed: TimedOperator) {
        let scheduler = TestScheduler()
        let recorder = EventRecorder<String, MarbleError>()
        let handle = SerialDisposable()
        let (signal, input) = Signal<String, MarbleError>.pipe()
        handle.inner = timed.produce(SignalProducer(signal), scheduler).start { event in
            recorder.observer.send(event)
            if case .value = event { handle.dispose() }
        }
        for value in ["a", "b", "c", "d", "e"] { input.send(value: value) }
        scheduler.advance(by: .seconds(10))
        #expect(recorder.values.count == 1)
        #expect(recorder.termination == .interrupted)
        #expect(scheduler.pendingCount == 0)
    }

    @Test(arguments: TimedOperator.delivering + TimedOperator.passing)
    func `S3: a signal without references and observers releases its timer and its source`(timed: TimedOperator) {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<String, MarbleError>.pipe()
        var result: Signal<String, MarbleError>? = timed.derive(signal, scheduler)
        let observation = result?.observe { _ in }
        input.send(value: "a")
        input.send(value: "b")
        input.send(value: "c")
        result = nil
        #expect(scheduler.pendingCount == 1)
        observation?.dispose()
        #expect(scheduler.pendingCount == 0)
    }

    @Test(arguments: TimedOperator.delivering + TimedOperator.passing)
    func `P1: starts share no state`(timed: TimedOperator) {
        let scheduler = TestScheduler()
        let producer = timed.produce(scheduler.cold("ab-c---d|"), scheduler)
        let first = scheduler.record(producer)
        scheduler.advance(by: .seconds(2))
        let second = scheduler.record(producer)
        scheduler.advance(by: .seconds(30))
        #expect(first.marbles == second.marbles)
        #expect(first.events.last == .completed)
    }

    /// A held value is released when it is dropped by a failure or a disposal.
    @Test(arguments: [false, true])
    func releases(isDisposed: Bool) {
        typealias Source = SignalProducer<LeakCounter.Token, TestError>
        let operators: [@Sendable (Source, TestScheduler) -> any Disposable] = [
            { $0.delay(3, on: $1).start() },
            { $0.throttle(3, on: $1, edges: .trailing).start() },
            { $0.debounce(3, on: $1, edges: .both).start() },
            { $0.collect(every: .seconds(3), on: $1).start() },
            { $0.collect(count: 2, within: 3, on: $1).start() },
            { $0.sample(every: .seconds(3), on: $1).start() },
            { $0.window(every: .seconds(3), on: $1).start() },
        ]
        for start in operators {
            let scheduler = TestScheduler()
            let leaks = LeakCounter()
            let (signal, input) = Signal<LeakCounter.Token, TestError>.pipe()
            let disposable = start(SignalProducer(signal), scheduler)
            for _ in 0..<3 { input.send(value: leaks.token()) }
            if isDisposed { disposable.dispose() } else { input.send(error: .first) }
            scheduler.advance()
            #expect(leaks.count == 0)
            #expect(scheduler.pendingCount == 0)
        }
    }

    /// While observers are added and removed on other threads, every value is delivered on the queue.
    @Test func staysOnItsQueue() async {
        let queue = QueueScheduler(name: "test")
        let (signal, input) = Signal<Int, Never>.pipe()
        let delayed = signal.delay(0.001, on: queue)
        let received = Counter()
        await withCheckedContinuation { continuation in
            delayed.observe { event in
                dispatchPrecondition(condition: .onQueue(queue.queue))
                if event.isTerminating { continuation.resume() } else { received.increment() }
            }
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                for value in 0..<5000 {
                    if thread == 0 { input.send(value: value) } else { delayed.observeValues { _ in }?.dispose() }
                }
            }
            input.sendCompleted()
        }
        #expect(received.value == 5000)
    }

    /// The operators also work with a user's scheduler that ignores the time.
    @Test func onASchedulerThatRunsAtOnce() {
        let scheduler = AtOnce()
        let recorder = EventRecorder<Int, TestError>()
        let (signal, input) = Signal<Int, TestError>.pipe()
        signal.delay(3, on: scheduler).throttle(0, on: scheduler).debounce(3, on: scheduler).observe(recorder.observer)
        input.send(value: 1)
        input.send(value: 2)
        #expect(recorder.values == [1, 2])
        input.send(error: .first)
        #expect(recorder.termination == .failed(.first))
    }
}

/// Runs every action at once.
private final class AtOnce: DateScheduler {
    let currentDate = Date(timeIntervalSinceReferenceDate: 0)

    func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        action()
        return nil
    }

    func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        action()
        return nil
    }

    func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        action()
        return nil
    }
}
