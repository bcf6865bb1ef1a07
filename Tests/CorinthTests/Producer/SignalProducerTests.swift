import Corinth
import CorinthTesting
import Dispatch
import Testing

struct SignalProducerTests {
    func events<Value, Error>(_ producer: SignalProducer<Value, Error>) -> [Signal<Value, Error>.Event] {
        let recorder = EventRecorder<Value, Error>()
        producer.start(recorder.observer)
        return recorder.events
    }

    @Test func makings() {
        #expect(events(SignalProducer<Int, Never>(value: 1)) == [.value(1), .completed])
        #expect(events(SignalProducer<Int, TestError>(error: .first)) == [.failed(.first)])
        #expect(events(SignalProducer<Int, TestError>(result: .success(1))) == [.value(1), .completed])
        #expect(events(SignalProducer<Int, TestError>(result: .failure(.second))) == [.failed(.second)])
        #expect(events(SignalProducer<Int, Never>([1, 2])) == [.value(1), .value(2), .completed])
        #expect(events(SignalProducer<Int, Never>(values: 1, 2, 3)) == [.value(1), .value(2), .value(3), .completed])
        #expect(events(SignalProducer<Int, Never>.empty) == [.completed])
        #expect(events(SignalProducer<Int, Never> { 7 }) == [.value(7), .completed])
        #expect(events(SignalProducer<Int, TestError> { Result.failure(TestError.first) }) == [.failed(.first)])
        let recorder = EventRecorder<Int, Never>()
        let never = SignalProducer<Int, Never>.never.start(recorder.observer)
        #expect(recorder.events == [])
        never.dispose()
    }

    @Test func `P1: nothing happens before start, and each start runs the generator again`() {
        let starts = Atomic(0)
        let producer = SignalProducer<Int, Never> { observer, _ in
            observer.send(
                value: starts.modify {
                    $0 += 1; return $0
                })
            observer.sendCompleted()
        }
        #expect(starts.value == 0)
        #expect(events(producer) == [.value(1), .completed])
        #expect(events(producer.map { $0 * 10 }) == [.value(20), .completed])
    }

    @Test func `P1, P2: each start transforms a known value again, and may be disposed of meanwhile`() {
        let runs = Atomic(0)
        let producer = SignalProducer<Int, Never>(value: 20).map { value in
            runs.modify { $0 += 1 }
            return value + 1
        }.map { "\($0)" }
        #expect(runs.value == 0)
        for _ in 0..<2 { #expect(events(producer) == [.value("21"), .completed]) }
        #expect(runs.value == 2)

        let recorder = EventRecorder<Int, Never>()
        let (signal, input) = Signal<(), Never>.pipe()
        SignalProducer<Int, Never>(value: 1).map { value in
            input.send(value: ())
            return value
        }.startWithSignal { started, interrupter in
            started.observe(recorder.observer)
            signal.observeValues { interrupter.dispose() }
        }
        #expect(recorder.events.last == .interrupted)
    }

    /// A start that ends before it returns, and that nothing can dispose of before, has no run. All such starts return the
    /// same handle.
    @Test func startsWithoutARun() {
        let known = SignalProducer<Int, Never>(value: 1)
        let failing = SignalProducer<Int, TestError>(error: .first)
        let runs = Atomic(0)
        let made = SignalProducer<Int, Never> {
            runs.modify {
                $0 += 1
                return $0
            }
        }
        let values = Atomic<[Int]>([])
        let handles: [any Disposable] = [
            known.start(), known.startWithValues { value in values.modify { $0.append(value) } },
            known.startWithCompleted { values.modify { $0.append(-1) } },
            known.map { $0 + 1 }.map { $0 * 10 }.startWithValues { value in values.modify { $0.append(value) } },
            made.startWithValues { value in values.modify { $0.append(value) } },
            made.map { $0 * 100 }.startWithResult { result in values.modify { $0.append(result.get()) } },
            failing.startWithFailed { _ in values.modify { $0.append(-2) } },
            SignalProducer<Int, Never>.empty.startWithCompleted { values.modify { $0.append(-3) } },
        ]
        #expect(values.value == [1, -1, 20, 1, 200, -2, -3])
        for handle in handles {
            #expect(handle === handles[0])
            #expect(handle.isDisposed)
            handle.dispose()
        }
        let started = SignalProducer<Int, Never>([1]).start()
        #expect(started !== handles[0])
        #expect(started.isDisposed)
    }

    /// A start without a run does its synchronous work before it returns, however deeply it is nested.
    @Test func startsWithoutARunAreComplete() {
        let log = Atomic<[String]>([])
        let (signal, input) = Signal<Int, Never>.pipe()
        signal.flatMap(.concat) { SignalProducer<Int, Never>([$0]) }
            .observeValues { value in log.modify { $0.append("\(value)") } }
        @Sendable func nest(_ depth: Int) -> SignalProducer<Int, Never> {
            if depth > 0 { return SignalProducer([depth]).flatMap(.concat) { nest($0 - 1) } }
            return SignalProducer { observer, _ in
                for _ in 0..<2 {
                    SignalProducer<Int, Never>(value: 1).startWithValues { input.send(value: $0) }
                    log.modify { $0.append("returned") }
                }
                observer.sendCompleted()
            }
        }
        for depth in 0..<140 {
            log.value = []
            nest(depth).start()
            #expect(log.value == ["1", "returned", "1", "returned"])
        }
    }

    /// Each start of a chain uses the elements of its own source.
    @Test func `P1: a recipe and what it sends are separate`() {
        func chain(_ elements: some Sequence<Int>, adding offset: Int) -> SignalProducer<String, Never> {
            SignalProducer<Int, Never>(elements).filter { $0 % 2 == 1 }.map { $0 + offset }.map { "\($0)" }.skip(
                first: 1)
        }
        let chains = [
            chain([1, 2, 3, 4, 5], adding: 10), chain(1..<8, adding: 20), chain(Set([3]), adding: 0),
            chain(AnySequence([7, 9]), adding: 30),
        ]
        for _ in 0..<2 {
            #expect(events(chains[0]) == [.value("13"), .value("15"), .completed])
            #expect(events(chains[1]) == [.value("23"), .value("25"), .value("27"), .completed])
            #expect(events(chains[2]) == [.completed])
            #expect(events(chains[3]) == [.value("39"), .completed])
        }
        let value = SignalProducer<Int, Never>(value: 4).filter { $0 > 3 }.scan(1, +).take(first: 1)
        for _ in 0..<2 { #expect(events(value) == [.value(5), .completed]) }
    }

    /// Law P4: neither a start nor the release of a long chain nests as deeply as the chain is long.
    @Test func longChainsOnAValue() {
        let leaks = LeakCounter()
        var producer = SignalProducer<Int, Never>(value: 0)
        let stages = 1_000
        for _ in 0..<stages {
            let token = leaks.token()
            producer = producer.map {
                token.touch()
                return $0 + 1
            }
        }
        #expect(events(producer) == [.value(stages), .completed])
        producer = .empty
        #expect(leaks.count == 0)
    }

    /// After the end, a start handler's observer keeps nothing that was downstream, even if somebody keeps the observer.
    @Test(arguments: ["completed", "failed", "interrupted", "disposed", "disposed inside"])
    func `S3: kept observer`(end: String) {
        let leaks = LeakCounter()
        let kept = Atomic<[Signal<Int, TestError>.Observer]>([])
        let received = Atomic(0)
        let source = SignalProducer<Int, TestError> { observer, _ in kept.modify { $0.append(observer) } }
        let inside = SerialDisposable()
        func start(_ producer: SignalProducer<Int, TestError>) {
            let token = leaks.token()
            inside.inner = producer.start { event in
                token.touch()
                received.modify { $0 += 1 }
                if end == "disposed inside", case .value = event { inside.inner?.dispose() }
            }
        }
        for producer in [source, source.map { $0 + 1 }, source.flatMap(.merge) { SignalProducer(value: $0) }] {
            start(producer)
            let observer = kept.value.last
            observer?.send(value: 1)
            #expect(end == "disposed inside" || leaks.count == 1)
            switch end {
            case "completed": observer?.sendCompleted()
            case "failed": observer?.send(error: .first)
            case "interrupted": observer?.sendInterrupted()
            default: inside.inner?.dispose()
            }
            #expect(leaks.count == 0)
            observer?.send(value: 2)
            observer?.sendCompleted()
        }
        #expect(kept.value.count == 3)
        #expect(received.value == 6)
    }

    @Test func `E1: the grammar holds whatever the generator sends`() {
        let producer = SignalProducer<Int, TestError> { observer, _ in
            observer.send(value: 1)
            observer.send(error: .first)
            observer.send(value: 2)
            observer.sendCompleted()
        }
        #expect(events(producer) == [.value(1), .failed(.first)])
    }

    @Test func `P2: disposal interrupts, cancels and releases, once`() {
        let ended = Atomic(0)
        let recorder = EventRecorder<Int, Never>()
        let input = Atomic<Signal<Int, Never>.Observer?>(nil)
        let disposable = SignalProducer<Int, Never> { observer, lifetime in
            input.value = observer
            lifetime.observeEnded { ended.modify { $0 += 1 } }
        }.map { $0 + 1 }.start(recorder.observer)
        input.value?.send(value: 1)
        #expect(!disposable.isDisposed)
        disposable.dispose()
        disposable.dispose()
        input.value?.send(value: 2)
        #expect(recorder.events == [.value(2), .interrupted])
        #expect(ended.value == 1)
        #expect(disposable.isDisposed)
    }

    @Test func `E7, P2: an event that another thread has queued before the disposal is dropped`() {
        let recorder = EventRecorder<Int, Never>()
        let input = Atomic<Signal<Int, Never>.Observer?>(nil)
        let serial = SerialDisposable()
        let producer = SignalProducer<Int, Never> { observer, _ in input.value = observer }
        serial.inner = producer.start { event in
            recorder.observer.send(event)
            guard event == .value(1) else { return }
            // Queued behind this callback, as if another thread had sent it.
            input.value?.send(value: 2)
            serial.dispose()
        }
        input.value?.send(value: 1)
        #expect(recorder.events == [.value(1), .interrupted])
        input.value = nil
    }

    /// The lifetime ends with the stream, after the delivery of the end.
    @Test func lifetimeEndsAfterTheEnd() {
        let log = Atomic<[String]>([])
        let disposable = SignalProducer<Int, Never> { observer, lifetime in
            lifetime.observeEnded { log.modify { $0.append("ended") } }
            observer.sendCompleted()
        }.start { _ in log.modify { $0.append("completed") } }
        #expect(log.value == ["completed", "ended"])
        #expect(disposable.isDisposed)
    }

    /// A generator that releases its observer interrupts the start.
    @Test func releaseOfTheObserver() {
        #expect(events(SignalProducer<Int, Never> { _, _ in }) == [.interrupted])
    }

    @Test func disposalInsideACallbackStopsTheLoop() {
        let seen = Atomic(0)
        let serial = SerialDisposable()
        let recorder = EventRecorder<Int, Never>()
        let producer = SignalProducer<Int, Never> { observer, lifetime in
            for value in 0..<1000 {
                if lifetime.hasEnded { break }
                observer.send(value: value)
            }
            observer.sendCompleted()
        }
        producer.startWithSignal { signal, handle in
            serial.inner = handle
            signal.observe(recorder.observer)
            signal.observeValues { value in
                seen.modify { $0 += 1 }
                if value == 2 { serial.dispose() }
            }
        }
        #expect(seen.value == 3)
        #expect(recorder.events == [.value(0), .value(1), .value(2), .interrupted])
    }

    @Test func sequencesStopWhenDisposedOf() {
        let recorder = EventRecorder<Int, Never>()
        SignalProducer<Int, Never>(sequence(first: 0) { $0 + 1 }).startWithSignal { signal, handle in
            signal.observe(recorder.observer)
            signal.observeValues { if $0 == 2 { handle.dispose() } }
        }
        #expect(recorder.events == [.value(0), .value(1), .value(2), .interrupted])
    }

    @Test func startWithSignalReturnsAndRunsSetUpFirst() {
        let log = Atomic<[String]>([])
        let producer = SignalProducer<Int, Never> { observer, _ in
            log.modify { $0.append("started") }
            observer.send(value: 1)
            observer.sendCompleted()
        }
        let result = producer.startWithSignal { signal, _ -> Int in
            signal.observeValues { _ in log.modify { $0.append("value") } }
            log.modify { $0.append("set up") }
            return 42
        }
        #expect(result == 42)
        #expect(log.value == ["set up", "started", "value"])
    }

    @Test func disposalInSetUpStartsNothing() {
        let starts = Atomic(0)
        let recorder = EventRecorder<Int, Never>()
        SignalProducer<Int, Never> { _, _ in starts.modify { $0 += 1 } }.startWithSignal { signal, handle in
            signal.observe(recorder.observer)
            handle.dispose()
            #expect(recorder.events == [.interrupted])
        }
        #expect(starts.value == 0)
    }

    @Test func ofASignal() {
        let (signal, observer) = Signal<Int, Never>.pipe()
        let producer = SignalProducer(signal)
        observer.send(value: 0)
        let first = EventRecorder<Int, Never>()
        let disposable = producer.start(first.observer)
        observer.send(value: 1)
        let second = EventRecorder<Int, Never>()
        producer.start(second.observer)
        observer.send(value: 2)
        disposable.dispose()
        observer.send(value: 3)
        observer.sendCompleted()
        #expect(first.events == [.value(1), .value(2), .interrupted])
        #expect(second.events == [.value(2), .value(3), .completed])
        #expect(events(producer) == [.interrupted])
    }

    @Test func `P3: a lifted operator behaves the same`() {
        let producer = SignalProducer<Int, Never>(0..<5).lift { $0.filter { $0 % 2 == 0 }.take(first: 2) }
        #expect(events(producer) == [.value(0), .value(2), .completed])
        let ended = Atomic(0)
        let endless = SignalProducer<Int, Never> { observer, lifetime in
            lifetime.observeEnded {
                _ = observer
                ended.modify { $0 += 1 }
            }
        }
        let recorder = EventRecorder<Int, Never>()
        endless.lift { $0.map { $0 + 1 } }.start(recorder.observer).dispose()
        #expect(recorder.events == [.interrupted])
        #expect(ended.value == 1)
    }

    @Test func overloads() {
        let failing = SignalProducer<Int, TestError> { observer, _ in
            observer.send(value: 1)
            observer.send(error: .first)
        }
        let log = Atomic<[String]>([])
        failing.startWithResult { result in log.modify { $0.append("\(result)") } }
        failing.startWithFailed { error in log.modify { $0.append("\(error)") } }
        SignalProducer<Int, Never>.empty.startWithCompleted { log.modify { $0.append("completed") } }
        SignalProducer<Int, Never>.never.startWithInterrupted { log.modify { $0.append("interrupted") } }.dispose()
        SignalProducer<Int, Never>(value: 3).startWithValues { value in log.modify { $0.append("\(value)") } }
        #expect(
            log.value == [
                "success(1)", "failure(CorinthTests.TestError.first)", "first", "completed", "interrupted", "3",
            ])
    }

    @Test func `P1: concurrent starts on several threads are independent`() {
        let producer = SignalProducer<Int, Never>(0..<1000).map { $0 + 1 }.filter { $0 % 2 == 0 }.scan(0, +)
        let wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let last = Atomic(0)
            producer.startWithValues { last.value = $0 }
            if last.value != 250_500 { wrong.modify { $0 += 1 } }
        }
        #expect(wrong.value == 0)
    }
}
