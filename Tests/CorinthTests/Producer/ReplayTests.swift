import Corinth
import CorinthTesting
import Dispatch
import Testing

/// `buffer(upTo:)` and `replayLazily(upTo:)`.
struct ReplayTests {
    @Test(arguments: [(0, []), (1, [3]), (2, [2, 3]), (3, [1, 2, 3]), (10, [1, 2, 3])])
    func bufferReplaysTheLast(capacity: Int, kept: [Int]) {
        let (producer, observer) = SignalProducer<Int, TestError>.buffer(upTo: capacity)
        let early = EventRecorder<Int, TestError>()
        producer.start(early.observer)
        for value in 1...3 { observer.send(value: value) }
        let late = EventRecorder<Int, TestError>()
        producer.start(late.observer)
        observer.send(value: 4)
        observer.send(error: .first)
        let after = EventRecorder<Int, TestError>()
        producer.start(after.observer)
        #expect(early.events == [.value(1), .value(2), .value(3), .value(4), .failed(.first)])
        #expect(late.events == kept.map { .value($0) } + [.value(4), .failed(.first)])
        #expect(after.values == ([1, 2, 3, 4].suffix(capacity)))
        #expect(after.termination == .failed(.first))
    }

    @Test(arguments: [Signal<Int, TestError>.Event.completed, .interrupted, .failed(.second)])
    func theEndIsReplayed(end: Signal<Int, TestError>.Event) {
        let (producer, observer) = SignalProducer<Int, TestError>.buffer(upTo: 1)
        observer.send(value: 1)
        observer.send(end)
        observer.send(value: 2)
        let recorder = EventRecorder<Int, TestError>()
        producer.start(recorder.observer)
        #expect(recorder.events == [.value(1), end])
    }

    @Test func releaseOfTheObserverInterruptsNoStart() {
        let recorder = EventRecorder<Int, TestError>()
        let start: any Disposable
        do {
            let (producer, observer) = SignalProducer<Int, TestError>.buffer(upTo: 1)
            start = producer.start(recorder.observer)
            observer.send(value: 1)
        }
        #expect(recorder.events == [.value(1)])
        start.dispose()
    }

    @Test func replayStartsOnce() {
        let starts = Counter()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let producer = SignalProducer<Int, TestError> { observer, lifetime in
            starts.increment()
            lifetime += signal.observe(observer)
        }
        .replayLazily(upTo: 2)
        #expect(starts.value == 0)
        let first = EventRecorder<Int, TestError>()
        producer.start(first.observer)
        for value in 1...3 { input.send(value: value) }
        let second = EventRecorder<Int, TestError>()
        let disposable = producer.start(second.observer)
        #expect(second.values == [2, 3])
        disposable.dispose()
        input.send(value: 4)
        input.sendCompleted()
        #expect(starts.value == 1)
        #expect(first.events == [.value(1), .value(2), .value(3), .value(4), .completed])
        #expect(second.events == [.value(2), .value(3), .interrupted])
    }

    /// The shared stream ends when the last reference to the producer and its last start are released, and not before.
    @Test func endsWithTheLastReference() {
        let ended = Flag()
        let leaks = LeakCounter()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let disposable: any Disposable
        do {
            let token = leaks.token()
            let producer = SignalProducer<Int, TestError> { observer, lifetime in
                token.touch()
                lifetime.observeEnded { ended.raise() }
                lifetime += signal.observe(observer)
            }
            .replayLazily(upTo: 1)
            disposable = producer.start()
        }
        #expect(!ended.isRaised)
        input.send(value: 1)
        disposable.dispose()
        #expect(ended.isRaised)
        #expect(leaks.count == 0)
    }

    /// A start from inside a callback receives the buffered values before it returns.
    @Test(arguments: [(1, [2]), (.max, [1, 2])]) func startInsideACallback(capacity: Int, kept: [Int]) {
        let (producer, observer) = SignalProducer<Int, Never>.buffer(upTo: capacity)
        let inner = EventRecorder<Int, Never>()
        let atOnce = Atomic<[Int]>([])
        producer.start { event in
            guard event.value == 2 else { return }
            producer.start(inner.observer)
            atOnce.value = inner.values
        }
        for value in 1...3 { observer.send(value: value) }
        #expect(atOnce.value == kept)
        #expect(inner.values == kept + [3])
        observer.sendCompleted()
    }

    @Test(arguments: [0, 1, 2]) func `A start that is disposed of in a callback of an earlier one gets nothing more`(
        capacity: Int
    ) {
        let (producer, observer) = SignalProducer<Int, Never>.buffer(upTo: capacity)
        let disposed = SerialDisposable()
        let recorders = (0..<3).map { _ in EventRecorder<Int, Never>() }
        producer.startWithValues { if $0 == 2 { disposed.dispose() } }
        producer.start(recorders[0].observer)
        disposed.inner = producer.start(recorders[1].observer)
        producer.start(recorders[2].observer)
        for value in 1...3 { observer.send(value: value) }
        #expect(recorders.map { $0.values } == [[1, 2, 3], [1], [1, 2, 3]])
        #expect(recorders[1].termination == .interrupted)
        observer.sendCompleted()
    }

    @Test func `A dropped value is released when the next one has been sent, also if only one is kept`() {
        let leaks = LeakCounter()
        let (producer, observer) = SignalProducer<LeakCounter.Token?, Never>.buffer(upTo: 1)
        observer.send(value: leaks.token())
        #expect(leaks.count == 1)
        observer.send(value: nil)
        #expect(leaks.count == 0)
        let recorder = EventRecorder<Bool, Never>()
        producer.map { $0 == nil }.start(recorder.observer)
        #expect(recorder.values == [true])
        observer.sendCompleted()
    }

    @Test func disposalInsideTheReplay() {
        let (producer, observer) = SignalProducer<Int, Never>.buffer(upTo: .max)
        for value in 1...5 { observer.send(value: value) }
        let recorder = EventRecorder<Int, Never>()
        let serial = SerialDisposable()
        producer.startWithSignal { signal, disposable in
            serial.inner = disposable
            signal.observe { event in
                recorder.observer.send(event)
                if event.value == 2 { serial.dispose() }
            }
        }
        #expect(recorder.events == [.value(1), .value(2), .interrupted])
    }

    /// The buffer is released with the producer, its observer and its starts.
    @Test func leaks() {
        let leaks = LeakCounter()
        do {
            let token = leaks.token()
            let (producer, observer) = SignalProducer<LeakCounter.Token, Never>.buffer(upTo: 1)
            let disposable = producer.startWithValues { [token] _ in token.touch() }
            observer.send(value: token)
            disposable.dispose()
        }
        #expect(leaks.count == 0)
    }

    @Test func aLongBuffer() {
        // A list of this many nodes is released without recursion.
        ThreadGroup.run(1) { _ in
            let (producer, observer) = SignalProducer<Int, Never>.buffer()
            for value in 0..<100_000 { observer.send(value: value) }
            let sum = Atomic(0)
            producer.startWithValues { value in sum.modify { $0 += value } }
            #expect(sum.value == 100_000 * 99_999 / 2)
            observer.sendCompleted()
        }
    }

    /// Starts and sends run concurrently. Each start receives a run of successive values, up to the last.
    @Test(arguments: [1, 10]) func startsWhileSending(capacity: Int) {
        let last = Stress.fewer(5_000)
        let (producer, observer) = SignalProducer<Int, Never>.buffer(upTo: capacity)
        let ends = DispatchSemaphore(value: 0)
        let starts = 60
        ThreadGroup.run(4) { index in
            if index == 0 {
                for value in 1...last { observer.send(value: value) }
                observer.sendCompleted()
                return
            }
            for _ in 0..<(starts / 3) {
                let previous = Atomic(0)
                producer.start { event in
                    if let value = event.value {
                        let before = previous.swap(value)
                        #expect(before == 0 || value == before + 1)
                    } else {
                        #expect(previous.value == last)
                        ends.signal()
                    }
                }
            }
        }
        for _ in 0..<starts { ends.wait() }
    }
}
