import Corinth
import CorinthTesting
import Dispatch
import Testing

struct TimeoutTests {
    @Test func failsWhenItTakesTooLong() {
        #expect(marbles(hot: "a-b-c-d-|") { $0.timeout(after: 5, raising: MarbleError(), on: $1) } == "a-b-c#")
        #expect(marbles(cold: "a-b-c-d-|") { $0.timeout(after: 5, raising: MarbleError(), on: $1) } == "a-b-c#")
    }

    /// A timeout failure cancels the source. Every other end cancels the timer.
    @Test(arguments: ["a--|", "a--#", "a--!"])
    func inTime(line: String) {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(
            scheduler.cold(Marbles(line)).timeout(after: 5, raising: MarbleError(), on: scheduler))
        scheduler.advance(by: .seconds(3))
        #expect(recorder.marbles == Marbles(line))
        #expect(scheduler.pendingCount == 0)
    }

    @Test func cancelsTheSource() {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(
            scheduler.cold("a---------|").timeout(after: 5, raising: MarbleError(), on: scheduler))
        scheduler.advance(by: .seconds(5))
        #expect(recorder.marbles == "a----#")
        #expect(scheduler.pendingCount == 0)
    }

    /// A source that can't fail gets the error's type.
    @Test func ofASourceThatCannotFail() {
        let scheduler = TestScheduler()
        let signal: Signal<Int, TestError> = Signal<Int, Never>.never.timeout(after: 1, raising: .first, on: scheduler)
        let producer: SignalProducer<Int, TestError> =
            SignalProducer<Int, Never>([1, 2]).timeout(after: 1, raising: TestError.first, on: scheduler)
        let perValue: SignalProducer<Int, TestError> =
            SignalProducer<Int, Never>.never.timeout(perValue: 1, raising: TestError.second, on: scheduler)
        let recorders = (scheduler.record(signal), scheduler.record(producer), scheduler.record(perValue))
        scheduler.advance(by: .seconds(1))
        #expect(recorders.0.events == [.failed(.first)])
        #expect(recorders.1.events == [.value(1), .value(2), .completed])
        #expect(recorders.2.events == [.failed(.second)])
    }

    @Test func perValue() {
        #expect(
            marbles(cold: "a-b-c------d-|") { $0.timeout(perValue: 3, raising: MarbleError(), on: $1) } == "a-b-c--#")
    }

    /// The first value has the same timeout as the others, and one timer is enough for all.
    @Test func perValueWithOneTimer() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        signal.timeout(perValue: 3, raising: .first, on: scheduler).observe(recorder.observer)
        for value in 0..<10 {
            scheduler.advance(by: .seconds(2))
            input.send(value: value)
            #expect(scheduler.pendingCount == 1)
        }
        #expect(recorder.termination == nil)
        scheduler.advance(by: .seconds(3))
        #expect(recorder.termination == .failed(.first))
        let silent = scheduler.record(
            SignalProducer<Int, TestError>.never.timeout(perValue: 3, raising: .first, on: scheduler))
        scheduler.advance(by: .seconds(3))
        #expect(silent.events == [.failed(.first)])
    }
}
