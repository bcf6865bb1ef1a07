import Corinth
import CorinthTesting
import Testing

struct SkipUntilTests {
    @Test(arguments: [Signal<(), Never>.Event.value(()), .completed])
    func passesOnFromTheTriggerOn(fired: Signal<(), Never>.Event) {
        let (signal, input) = Signal<Int, Never>.pipe()
        let (trigger, fire) = Signal<(), Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.skip(until: trigger).observe(recorder.observer)
        input.send(value: 1)
        fire.send(fired)
        #expect(recorder.events.isEmpty)
        input.send(value: 2)
        fire.sendInterrupted()
        input.send(value: 3)
        input.sendCompleted()
        #expect(recorder.events == [.value(2), .value(3), .completed])
    }

    /// An interrupted trigger never fires. A trigger that ended earlier is interrupted, too.
    @Test func interruptedTriggers() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let (trigger, fire) = Signal<(), Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.skip(until: trigger).observe(recorder.observer)
        signal.skip(until: .empty).observe(recorder.observer)
        fire.sendInterrupted()
        input.send(value: 1)
        fire.send(value: ())
        input.send(value: 2)
        #expect(recorder.events.isEmpty)
        input.sendCompleted()
        #expect(recorder.events == [.completed, .completed])
    }

    @Test(arguments: [Signal<Int, TestError>.Event.completed, .interrupted, .failed(.first)])
    func `E6: the source's end doesn't wait for the trigger`(termination: Signal<Int, TestError>.Event) {
        let before = outcome(of: [Step<Int, ()>.source(.value(1)), .source(termination), .other(.value(()))]) {
            $0.skip(until: $1)
        }
        #expect(before == [termination])
        let after = outcome(of: [Step<Int, ()>.other(.value(())), .source(.value(1)), .source(termination)]) {
            $0.skip(until: $1)
        }
        #expect(after == [.value(1), termination])
    }

    /// The trigger starts first, so a trigger that fires at once lets every value pass.
    @Test(arguments: [SignalProducer<(), Never>(value: ()), .empty])
    func aTriggerThatFiresAtOnce(trigger: SignalProducer<(), Never>) {
        let recorder = EventRecorder<Int, Never>()
        SignalProducer<Int, Never>([1, 2]).skip(until: trigger).start(recorder.observer)
        #expect(recorder.events == [.value(1), .value(2), .completed])
    }

    @Test func theTriggerIsCancelledWhenItHasFired() {
        let triggers = Atomic(0)
        let sources = Atomic(0)
        let (signal, input) = Signal<Int, Never>.pipe()
        let (trigger, fire) = Signal<(), Never>.pipe()
        let producer = SignalProducer.endless(ended: sources, signal)
            .skip(until: SignalProducer.endless(ended: triggers, trigger))
        let recorder = EventRecorder<Int, Never>()
        let disposable = producer.start(recorder.observer)
        input.send(value: 1)
        #expect(triggers.value == 0)
        fire.send(value: ())
        #expect(triggers.value == 1)
        #expect(sources.value == 0)
        input.send(value: 2)
        disposable.dispose()
        #expect(sources.value == 1)
        #expect(recorder.events == [.value(2), .interrupted])
    }

    /// P1, with a signal as the trigger.
    @Test func startsShareNothing() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let (trigger, fire) = Signal<(), Never>.pipe()
        let producer = SignalProducer(signal).skip(until: trigger)
        let early = EventRecorder<Int, Never>()
        let late = EventRecorder<Int, Never>()
        producer.start(early.observer)
        fire.send(value: ())
        producer.start(late.observer)
        input.send(value: 1)
        #expect(early.values == [1])
        #expect(late.values == [])
    }

    @Test func disposalBeforeTheTriggerCancelsBoth() {
        let ended = Atomic(0)
        let producer = SignalProducer<Int, Never>.endless(ended: ended)
            .skip(until: SignalProducer<(), Never>.endless(ended: ended))
        let recorder = EventRecorder<Int, Never>()
        producer.start(recorder.observer).dispose()
        #expect(recorder.events == [.interrupted])
        #expect(ended.value == 2)
    }
}
