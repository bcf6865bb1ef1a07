import Corinth
import CorinthTesting
import Testing

struct TakeFirstTests {
    @Test func completesWithTheLastValue() {
        let (signal, observer) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        signal.take(first: 2).observe(recorder.observer)
        observer.send(value: 1)
        #expect(recorder.events == [.value(1)])
        observer.send(value: 2)
        #expect(recorder.events == [.value(1), .value(2), .completed])
        observer.send(value: 3)
        observer.send(error: .first)
        #expect(recorder.events == [.value(1), .value(2), .completed])
    }

    @Test(arguments: [Signal<Int, TestError>.Event.completed, .interrupted, .failed(.first)])
    func endsWithItsSource(termination: Signal<Int, TestError>.Event) {
        let (signal, observer) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        signal.take(first: 2).observe(recorder.observer)
        observer.send(value: 1)
        observer.send(termination)
        #expect(recorder.events == [.value(1), termination])
    }

    @Test func noneCompletesAtOnce() {
        let recorder = EventRecorder<Int, Never>()
        Signal<Int, Never>.never.take(first: 0).observe(recorder.observer)
        // The signal has completed before it can be observed (law S4).
        #expect(recorder.events == [.interrupted])
        let produced = EventRecorder<Int, Never>()
        let starts = Atomic(0)
        SignalProducer<Int, Never> { _, _ in starts.modify { $0 += 1 } }.take(first: 0).start(produced.observer)
        #expect(produced.events == [.interrupted])
        #expect(starts.value == 0)
    }

    /// The source is released as soon as enough values have arrived.
    @Test func cancelsItsSource() {
        let disposals = Atomic(0)
        let (signal, observer) = Signal<Int, Never>.pipe(
            disposable: AnyDisposable { disposals.modify { $0 += 1 } })
        func attach(_ signal: Signal<Int, Never>) { signal.take(first: 1).observeValues { _ in } }
        attach(signal)
        withExtendedLifetime(signal) { observer.send(value: 1) }
        #expect(disposals.value == 0)
        let producerDisposals = Atomic(0)
        let kept = Atomic<Signal<Int, Never>.Observer?>(nil)
        SignalProducer<Int, Never> { observer, lifetime in
            kept.value = observer
            lifetime.observeEnded { producerDisposals.modify { $0 += 1 } }
        }.take(first: 1).start()
        kept.value?.send(value: 1)
        #expect(producerDisposals.value == 1)
    }

    private enum Sending: CaseIterable {
        case plain, trying, insideAnotherDelivery, queuedInACallback, inAScheduledAction
    }

    /// A pipe that nobody else can observe ends when all have their values: when the send returns, whatever delivers it.
    @Test(arguments: Sending.allCases, [1, 2, 3])
    private func `S3: a source that nobody observes any more is released when the send returns`(
        sending: Sending, takes: Int
    ) {
        let ended = AnyDisposable {}
        let recorders = (0..<takes).map { _ in EventRecorder<Int, Never>() }
        let (other, otherInput) = Signal<Int, Never>.pipe()
        let scheduler = TestScheduler()
        func pipe() -> Signal<Int, Never>.Observer {
            let (output, input) = Signal<Int, Never>.pipe(disposable: ended)
            if case .queuedInACallback = sending {
                output.take(first: 1).observeValues { if $0 == 0 { input.send(value: 1) } }
                for recorder in recorders { output.skip(first: 1).take(first: 1).observe(recorder.observer) }
            } else {
                for recorder in recorders { output.take(first: 1).observe(recorder.observer) }
            }
            return input
        }
        let input = pipe()
        switch sending {
        case .plain: input.send(value: 1)
        case .trying: #expect(input.trySend(value: 1))
        case .insideAnotherDelivery:
            other.observeValues { input.send(value: $0) }
            otherInput.send(value: 1)
        case .queuedInACallback: input.send(value: 0)
        case .inAScheduledAction:
            scheduler.schedule { input.send(value: 1) }
            scheduler.run()
        }
        for recorder in recorders { #expect(recorder.events == [.value(1), .completed]) }
        #expect(ended.isDisposed)
        withExtendedLifetime(input) {}
    }

    @Test func `E7: the captures of an observer are released when its last value has been sent`() {
        let leaks = LeakCounter()
        let (signal, input) = Signal<Int, Never>.pipe()
        func observe(_ token: LeakCounter.Token) {
            signal.filter { _ in
                token.touch(); return true
            }.take(first: 1).observeValues { _ in token.touch() }
        }
        observe(leaks.token())
        input.send(value: 1)
        #expect(leaks.count == 0)
        input.send(value: 2)
    }

    @Test func `P4: an endless loop stops, also if the operators behind it wait for a scheduler`() {
        let scheduler = StepScheduler()
        let recorder = EventRecorder<Int, Never>()
        SignalProducer<Int, Never>(sequence(first: 0) { $0 + 1 })
            .take(first: 3).observe(on: scheduler).start(recorder.observer)
        scheduler.run()
        #expect(recorder.events == [.value(0), .value(1), .value(2), .completed])
    }

    /// A value that is sent from inside the callback of the last one is too late.
    @Test func recursion() {
        let (signal, observer) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        let taken = signal.take(first: 2)
        taken.observe(recorder.observer)
        taken.observeValues { if $0 < 5 { observer.send(value: $0 + 1) } }
        observer.send(value: 0)
        #expect(recorder.events == [.value(0), .value(1), .completed])
    }
}
