import Corinth
import CorinthTesting
import Dispatch
import Testing

struct DelayTests {
    @Test func valuesAndCompletionComeLater() {
        #expect(marbles(hot: "a-b------c-|") { $0.delay(3, on: $1) } == "---a-b------c-|")
    }

    @Test func valuesOfOneMoment() {
        #expect(marbles(cold: "(abc)-(d|)") { $0.delay(2, on: $1) } == "--(abc)-(d|)")
    }

    @Test func `E6: the failure overtakes the delayed values`() {
        #expect(marbles(hot: "ab-c#") { $0.delay(3, on: $1) } == "---a#")
    }

    @Test func neverBeforeTheSchedulerRuns() {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(SignalProducer<Int, Never>([1, 2]).delay(0, on: scheduler))
        #expect(recorder.events.isEmpty)
        scheduler.advance()
        #expect(recorder.events == [.value(1), .value(2), .completed])
    }

    /// A disposal takes effect while the completion is delayed.
    @Test func disposalAfterTheEndOfTheSource() {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(SignalProducer<Int, Never>([1, 2]).delay(5, on: scheduler))
        recorder.disposable?.dispose()
        scheduler.advance()
        #expect(recorder.events == [.interrupted])
        #expect(scheduler.pendingCount == 0)
    }

    /// The operator uses one timer for any number of delayed values.
    @Test func timers() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.delay(1, on: scheduler).observe(recorder.observer)
        for value in 0..<5000 { input.send(value: value) }
        #expect(scheduler.pendingCount == 1)
        scheduler.advance(by: .seconds(1))
        #expect(recorder.values == Array(0..<5000))
        #expect(scheduler.pendingCount == 0)
        input.sendCompleted()
        scheduler.run()
    }

    /// A value that is sent from inside the callback is delayed like any other.
    @Test func recursion() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<String, Never>.pipe()
        let delayed = signal.delay(2, on: scheduler)
        delayed.observeValues { if $0 == "a" { input.send(value: "b") } }
        let recorder = scheduler.record(delayed)
        input.send(value: "a")
        scheduler.advance(by: .seconds(30))
        #expect(recorder.marbles == "--a-b")
        input.sendCompleted()
        scheduler.run()
    }
}
