import Corinth
import CorinthTesting
import Testing

struct TakeUntilTests {
    @Test func completesWhenTheTriggerSends() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let (trigger, fire) = Signal<(), Never>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        signal.take(until: trigger).observe(recorder.observer)
        input.send(value: 1)
        input.send(value: 2)
        fire.send(value: ())
        input.send(value: 3)
        fire.send(value: ())
        #expect(recorder.events == [.value(1), .value(2), .completed])
    }

    @Test func completesWhenTheTriggerCompletes() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let (trigger, fire) = Signal<(), Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.take(until: trigger).observe(recorder.observer)
        input.send(value: 1)
        fire.sendCompleted()
        input.send(value: 2)
        #expect(recorder.events == [.value(1), .completed])
    }

    /// An interrupted trigger never fires. A trigger that ended earlier is interrupted, too.
    @Test func interruptedTriggers() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let (trigger, fire) = Signal<(), Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.take(until: trigger).take(until: .empty).observe(recorder.observer)
        fire.sendInterrupted()
        input.send(value: 1)
        input.sendCompleted()
        #expect(recorder.events == [.value(1), .completed])
    }

    @Test(arguments: [Signal<Int, TestError>.Event.completed, .interrupted, .failed(.first)])
    func endsAsTheSource(termination: Signal<Int, TestError>.Event) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let (trigger, fire) = Signal<(), Never>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        signal.take(until: trigger).observe(recorder.observer)
        input.send(termination)
        fire.send(value: ())
        #expect(recorder.events == [termination])
    }

    @Test func aSourceThatHasEnded() {
        let (trigger, fire) = Signal<(), Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        Signal<Int, Never>.empty.take(until: trigger).observe(recorder.observer)
        fire.send(value: ())
        #expect(recorder.events == [.interrupted])
    }

    /// The trigger starts first: if it fires at once, the source isn't started.
    @Test(arguments: [SignalProducer<(), Never>(value: ()), .empty])
    func aTriggerThatFiresAtOnce(trigger: SignalProducer<(), Never>) {
        let starts = Atomic(0)
        let source = SignalProducer<Int, Never> { () -> Int in
            starts.modify { $0 += 1 }
            return 1
        }
        let recorder = EventRecorder<Int, Never>()
        source.take(until: trigger).start(recorder.observer)
        #expect(recorder.events == [.completed])
        #expect(starts.value == 0)
    }

    @Test func producersAreCancelled() {
        let sources = Atomic(0)
        let triggers = Atomic(0)
        let (trigger, fire) = Signal<(), Never>.pipe()
        let source = SignalProducer<Int, Never>.endless(ended: sources)
        let producer = source.take(until: SignalProducer.endless(ended: triggers, trigger))
        let fired = EventRecorder<Int, Never>()
        let disposed = EventRecorder<Int, Never>()
        let disposable = producer.start(disposed.observer)
        disposable.dispose()
        #expect(disposed.events == [.interrupted])
        #expect(sources.value == 1)
        #expect(triggers.value == 1)
        producer.start(fired.observer)
        fire.send(value: ())
        #expect(fired.events == [.completed])
        #expect(sources.value == 2)
        #expect(triggers.value == 2)
    }

    /// Any type that converts to a producer can be a trigger. P1: each start has its own trigger.
    @Test func convertibleTriggers() {
        let (trigger, fire) = Signal<(), Never>.pipe()
        let (signal, input) = Signal<Int, Never>.pipe()
        let producer = SignalProducer(signal).take(until: trigger)
        let first = EventRecorder<Int, Never>()
        let second = EventRecorder<Int, Never>()
        let disposable = producer.start(first.observer)
        producer.start(second.observer)
        input.send(value: 1)
        disposable.dispose()
        input.send(value: 2)
        fire.send(value: ())
        #expect(first.events == [.value(1), .interrupted])
        #expect(second.events == [.value(1), .value(2), .completed])
    }

    @Test func `E5: a trigger that fires inside the callback ends the stream after the value in progress`() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let (trigger, fire) = Signal<(), Never>.pipe()
        let taken = signal.take(until: trigger)
        let recorder = EventRecorder<Int, Never>()
        taken.observeValues { if $0 == 2 { fire.send(value: ()) } }
        taken.observe(recorder.observer)
        for value in 1...3 { input.send(value: value) }
        #expect(recorder.events == [.value(1), .value(2), .completed])
    }

    /// The end releases everything, and so does the removal of the last observer.
    @Test func nothingIsKept() {
        let leaks = LeakCounter()
        let (signal, input) = Signal<Int, Never>.pipe()
        let (trigger, fire) = Signal<(), Never>.pipe()
        do {
            let token = leaks.token()
            signal.take(until: trigger).observeValues { _ in token.touch() }
        }
        input.send(value: 1)
        #expect(leaks.count == 1)
        fire.send(value: ())
        #expect(leaks.count == 0)
        do {
            let token = leaks.token()
            let (again, _) = Signal<(), Never>.pipe()
            let observation = signal.take(until: again).observeValues { _ in token.touch() }
            #expect(leaks.count == 1)
            observation?.dispose()
        }
        #expect(leaks.count == 0)
    }
}
