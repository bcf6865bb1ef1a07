import Corinth
import CorinthTesting
import Dispatch
import Testing

/// `lift` of operators on one signal and on two signals.
struct LiftTests {
    @Test func `P2: a disposal interrupts at once even if the operator holds values, and nothing follows`() {
        let scheduler = TestScheduler()
        let recorder = EventRecorder<Int, Never>()
        let delayed = SignalProducer<Int, Never>([1, 2]).lift { $0.delay(3, on: scheduler) }
        let disposable = delayed.start(recorder.observer)
        #expect(recorder.events.isEmpty)
        disposable.dispose()
        #expect(recorder.events == [.interrupted])
        scheduler.run()
        #expect(recorder.events == [.interrupted])
    }

    @Test func twoProducers() {
        let recorder = EventRecorder<Int, Never>()
        let sum = SignalProducer<Int, Never>([1, 2]).lift { left in
            { (right: Signal<Int, Never>) in left.combineLatest(with: right).map { $0.0 * 10 + $0.1 } }
        }
        sum(SignalProducer([3, 4])).start(recorder.observer)
        #expect(recorder.events == [.value(14), .value(24), .completed])
    }

    @Test func bothAreCancelled() {
        let cancelled = Atomic<[Int]>([])
        func source(_ number: Int) -> SignalProducer<Int, Never> {
            SignalProducer.never.on(interrupted: { cancelled.modify { $0.append(number) } })
        }
        let merged = source(1).lift { left in { (right: Signal<Int, Never>) in left.merge(with: right) } }
        let recorder = EventRecorder<Int, Never>()
        merged(source(2)).start(recorder.observer).dispose()
        #expect(cancelled.value.sorted() == [1, 2])
        #expect(recorder.events == [.interrupted])
    }
}
