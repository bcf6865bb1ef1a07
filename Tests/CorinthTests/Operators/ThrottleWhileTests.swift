import Corinth
import CorinthTesting
import Dispatch
import Testing

struct ThrottleWhileTests {
    private let scheduler = TestScheduler()
    private let condition = MutableProperty(false)

    /// Turns the property on and off at certain steps.
    private func turn(on: Int, off: Int) {
        let condition = condition
        scheduler.schedule(after: .milliseconds(on * 1000 - 500)) { condition.value = true }
        scheduler.schedule(after: .milliseconds(off * 1000 - 500)) { condition.value = false }
    }

    @Test func latestWhenItIsOver() {
        turn(on: 2, off: 9)
        let signal = scheduler.record(scheduler.hot("a-b--c-d---e-|").throttle(while: condition, on: scheduler))
        let producer = scheduler.record(scheduler.cold("a-b--c-d---e-|").throttle(while: condition, on: scheduler))
        scheduler.advance(by: .seconds(30))
        #expect(signal.marbles == "a--------d-e-|")
        #expect(producer.marbles == "a--------d-e-|")
        #expect(scheduler.pendingCount == 0)
    }

    @Test func nothingToSendWhenItIsOver() {
        turn(on: 2, off: 4)
        let recorder = scheduler.record(scheduler.hot("a----b|").throttle(while: condition, on: scheduler))
        scheduler.advance(by: .seconds(30))
        #expect(recorder.marbles == "a----b|")
    }

    /// Every terminating event is delivered at once, and drops the held value.
    @Test(arguments: ["ab-c|", "ab-c#", "ab-c!"])
    func ends(line: String) {
        turn(on: 1, off: 20)
        let recorder = scheduler.record(scheduler.cold(Marbles(line)).throttle(while: condition, on: scheduler))
        scheduler.advance(by: .seconds(4))
        #expect(recorder.marbles == Marbles("a---" + line.suffix(1)))
    }

    /// While no value is held, none is lost: values wait for the scheduler, and the completion follows them.
    @Test func passesEverythingOn() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.throttle(while: condition, on: scheduler).observe(recorder.observer)
        for value in 0..<3000 { input.send(value: value) }
        input.sendCompleted()
        #expect(recorder.events.isEmpty)
        #expect(scheduler.pendingCount == 1)
        scheduler.advance()
        #expect(recorder.values == Array(0..<3000))
        #expect(recorder.termination == .completed)
    }

    @Test func onTheImmediateScheduler() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.throttle(while: condition, on: ImmediateScheduler()).observe(recorder.observer)
        input.send(value: 1)
        #expect(recorder.values == [1])
        condition.value = true
        input.send(value: 2)
        input.send(value: 3)
        #expect(recorder.values == [1])
        condition.value = true
        condition.value = false
        #expect(recorder.values == [1, 3])
        input.send(value: 4)
        input.sendCompleted()
        #expect(recorder.events == [.value(1), .value(3), .value(4), .completed])
    }

    /// If the property is deallocated, its last value stays in effect.
    @Test func endOfTheProperty() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        let property = Holder(MutableProperty(true))
        signal.throttle(while: property.held, on: ImmediateScheduler()).observe(recorder.observer)
        property.release()
        input.send(value: 1)
        #expect(recorder.events.isEmpty)
        input.sendInterrupted()
        #expect(recorder.events == [.interrupted])
    }

    /// P2, and E7 from inside a callback.
    @Test func disposal() {
        let handle = SerialDisposable()
        let recorder = EventRecorder<Int, Never>()
        handle.inner = SignalProducer<Int, Never>([1, 2, 3]).throttle(while: condition, on: scheduler).start { event in
            recorder.observer.send(event)
            handle.dispose()
        }
        scheduler.advance()
        #expect(recorder.events == [.value(1), .interrupted])
        #expect(scheduler.pendingCount == 0)
    }
}
