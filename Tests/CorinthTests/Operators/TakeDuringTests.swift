import Corinth
import CorinthTesting
import Testing

struct TakeDuringTests {
    @Test func completesWhenTheLifetimeEnds() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let (lifetime, token) = Lifetime.make()
        let recorder = EventRecorder<Int, Never>()
        signal.take(during: lifetime).observe(recorder.observer)
        input.send(value: 1)
        token.dispose()
        input.send(value: 2)
        #expect(recorder.events == [.value(1), .completed])
    }

    @Test(arguments: [Signal<Int, TestError>.Event.completed, .interrupted, .failed(.first)])
    func endsAsTheSource(termination: Signal<Int, TestError>.Event) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let (lifetime, token) = Lifetime.make()
        let recorder = EventRecorder<Int, TestError>()
        signal.take(during: lifetime).observe(recorder.observer)
        input.send(termination)
        token.dispose()
        #expect(recorder.events == [termination])
    }

    /// The result has completed before it can be observed.
    @Test func aLifetimeThatHasEnded() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.take(during: .empty).observe(recorder.observer)
        input.send(value: 1)
        #expect(recorder.events == [.interrupted])
    }

    @Test func aProducerWithALifetimeThatHasEnded() {
        let starts = Atomic(0)
        let source = SignalProducer<Int, Never> { () -> Int in
            starts.modify { $0 += 1 }
            return 1
        }
        let recorder = EventRecorder<Int, Never>()
        source.take(during: .empty).start(recorder.observer)
        #expect(recorder.events == [.completed])
        #expect(starts.value == 0)
    }

    /// The end of the lifetime in a callback stops a looping source; the completion follows the value in progress.
    @Test func endedFromInsideACallback() {
        let (lifetime, token) = Lifetime.make()
        let recorder = EventRecorder<Int, Never>()
        let handed = Atomic(0)
        let source = SignalProducer<Int, Never>(
            (1...100).lazy.map { value in
                handed.value = value
                return value
            })
        source.take(during: lifetime)
            .map { value in
                if value == 3 { token.dispose() }
                return value
            }
            .start(recorder.observer)
        #expect(recorder.events == [.value(1), .value(2), .value(3), .completed])
        #expect(handed.value <= 4)
    }

    @Test func producersAreCancelled() {
        let ended = Atomic(0)
        let (lifetime, token) = Lifetime.make()
        let producer = SignalProducer<Int, Never>.endless(ended: ended).take(during: lifetime)
        let disposed = EventRecorder<Int, Never>()
        producer.start(disposed.observer).dispose()
        #expect(disposed.events == [.interrupted])
        #expect(ended.value == 1)
        let recorder = EventRecorder<Int, Never>()
        producer.start(recorder.observer)
        token.dispose()
        #expect(recorder.events == [.completed])
        #expect(ended.value == 2)
    }

    /// A result that has ended leaves no entry in a lifetime that continues.
    @Test func aLifetimeKeepsNothing() {
        let leaks = LeakCounter()
        let (lifetime, token) = Lifetime.make()
        for _ in 0..<10 {
            let (signal, input) = Signal<Int, Never>.pipe()
            let counted = leaks.token()
            signal.take(during: lifetime).observeValues { _ in counted.touch() }
            SignalProducer(signal).take(during: lifetime).startWithValues { _ in counted.touch() }
            input.sendCompleted()
        }
        #expect(leaks.count == 0)
        token.dispose()
    }
}
