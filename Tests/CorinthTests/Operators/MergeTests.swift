import Corinth
import CorinthTesting
import Testing

struct MergeTests {
    @Test func passesValuesOnInTheOrderInWhichTheyCome() {
        let (first, a) = Signal<Int, Never>.pipe()
        let (second, b) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        Signal.merge(first, second).observe(recorder.observer)
        a.send(value: 1)
        b.send(value: 2)
        a.send(value: 3)
        a.sendCompleted()
        b.send(value: 4)
        #expect(recorder.termination == nil)
        b.sendCompleted()
        #expect(recorder.events == [.value(1), .value(2), .value(3), .value(4), .completed])
    }

    /// An interrupted source counts as completed.
    @Test func interruptionOfASource() {
        let (first, a) = Signal<Int, Never>.pipe()
        let (second, b) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        first.merge(with: second).observe(recorder.observer)
        a.sendInterrupted()
        b.send(value: 1)
        b.sendCompleted()
        #expect(recorder.events == [.value(1), .completed])
    }

    @Test func `E6: a failure ends the result at once and releases the other sources`() {
        let ended = Atomic(0)
        let (first, a) = Signal<Int, TestError>.pipe()
        let failing = SignalProducer<Int, TestError>(first)
        let endless = SignalProducer<Int, TestError> { observer, lifetime in
            lifetime.observeEnded {
                _ = observer
                ended.modify { $0 += 1 }
            }
        }
        let recorder = EventRecorder<Int, TestError>()
        SignalProducer.merge(failing, endless).start(recorder.observer)
        a.send(error: .second)
        #expect(recorder.events == [.failed(.second)])
        #expect(ended.value == 1)
    }

    @Test func ofNothing() {
        let recorder = EventRecorder<Int, Never>()
        SignalProducer.merge([SignalProducer<Int, Never>]()).start(recorder.observer)
        #expect(recorder.events == [.completed])
        let signals = EventRecorder<Int, Never>()
        Signal<Int, Never>.merge([]).observe(signals.observer)
        #expect(signals.events == [.interrupted])
    }

    @Test func producersRunOneAfterTheOtherWhenTheyAreSynchronous() {
        let recorder = EventRecorder<Int, Never>()
        SignalProducer.merge([SignalProducer<Int, Never>([1, 2]), SignalProducer([3]), SignalProducer([4, 5])])
            .start(recorder.observer)
        #expect(recorder.events == [.value(1), .value(2), .value(3), .value(4), .value(5), .completed])
    }

    @Test func `P2: disposal interrupts, and cancels each source once`() {
        let ended = Atomic(0)
        let endless = SignalProducer<Int, Never> { observer, lifetime in
            lifetime.observeEnded {
                _ = observer
                ended.modify { $0 += 1 }
            }
        }
        let recorder = EventRecorder<Int, Never>()
        let disposable = SignalProducer.merge(endless, endless, endless).start(recorder.observer)
        #expect(ended.value == 0)
        disposable.dispose()
        disposable.dispose()
        #expect(recorder.events == [.interrupted])
        #expect(ended.value == 3)
    }

    @Test
    func `E5: an event that a source sends from inside the merged callback is queued behind the event in progress`() {
        let (first, a) = Signal<Int, Never>.pipe()
        let (second, b) = Signal<Int, Never>.pipe()
        let merged = Signal.merge(first, second)
        let before = EventRecorder<Int, Never>()
        let after = EventRecorder<Int, Never>()
        merged.observe(before.observer)
        merged.observeValues { if $0 < 3 { b.send(value: $0 + 1) } }
        merged.observe(after.observer)
        a.send(value: 0)
        #expect(before.values == [0, 1, 2, 3])
        #expect(after.values == [0, 1, 2, 3])
        a.sendCompleted()
        b.sendCompleted()
    }
}
