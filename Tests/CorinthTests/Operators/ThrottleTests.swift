import Corinth
import CorinthTesting
import Dispatch
import Testing

struct ThrottleTests {
    @Test func oneValueInAnInterval() {
        #expect(marbles(cold: "ab--c------d-e-f|") { $0.throttle(3, on: $1) } == "a--b--c----d--e-|")
    }

    /// A case from ReactiveSwift's specification, with a clock that is set back.
    @Test func clockThatIsPutBack() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.throttle(1, on: scheduler).observe(recorder.observer)
        input.send(value: 0)
        #expect(recorder.values.isEmpty)
        scheduler.advance()
        #expect(recorder.values == [0])
        input.send(value: 1)
        input.send(value: 2)
        #expect(recorder.values == [0])
        scheduler.advance(by: 1.5)
        #expect(recorder.values == [0, 2])
        scheduler.advance(by: .seconds(3))
        #expect(recorder.values == [0, 2])
        input.send(value: 3)
        #expect(recorder.values == [0, 2])
        scheduler.advance()
        #expect(recorder.values == [0, 2, 3])
        input.send(value: 4)
        input.send(value: 5)
        scheduler.advance()
        #expect(recorder.values == [0, 2, 3])
        scheduler.rewind(by: .seconds(2))
        #expect(recorder.values == [0, 2, 3])
        input.send(value: 6)
        scheduler.advance()
        #expect(recorder.values == [0, 2, 3, 6])
        input.send(value: 7)
        input.send(value: 8)
        scheduler.advance()
        #expect(recorder.values == [0, 2, 3, 6])
        scheduler.run()
        #expect(recorder.values == [0, 2, 3, 6, 8])
        input.sendCompleted()
        scheduler.run()
    }

    /// The completion is delivered at once, and drops a value that waits for its time.
    @Test func completion() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.throttle(1, on: scheduler).observe(recorder.observer)
        input.send(value: 0)
        scheduler.advance()
        input.send(value: 1)
        input.sendCompleted()
        #expect(recorder.events == [.value(0)])
        scheduler.advance()
        #expect(recorder.events == [.value(0), .completed])
    }

    /// A value that waits only for the scheduler isn't lost.
    @Test func completionBehindAValueThatIsDue() {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(SignalProducer<Int, Never>([1, 2]).throttle(1, on: scheduler))
        scheduler.advance()
        #expect(recorder.events == [.value(2), .completed])
    }

    @Test func leading() {
        #expect(marbles(cold: "ab--c------d-e|") { $0.throttle(3, on: $1, edges: .leading) } == "a---c------d--|")
    }

    @Test func trailing() {
        #expect(marbles(cold: "ab--c------d-e|") { $0.throttle(3, on: $1, edges: .trailing) } == "---b--c-------(e|)")
        #expect(
            marbles(cold: "ab|") { $0.throttle(3, on: $1, edges: .trailing, discardWhenCompleted: true) } == "--|")
    }

    @Test func both() {
        #expect(marbles(cold: "ab--c------d-e|") { $0.throttle(3, on: $1, edges: .both) } == "a--b--c----d--(e|)")
        #expect(marbles(cold: "abc|") { $0.throttle(5, on: $1, edges: .both) } == "a----(c|)")
    }

    @Test func ofNothing() {
        #expect(marbles(cold: "---|") { $0.throttle(3, on: $1) } == "---|")
    }

    /// Dropped values set no timer.
    @Test func timers() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, Never>.pipe()
        signal.throttle(1, on: scheduler).observeValues { _ in }
        for value in 0..<1000 { input.send(value: value) }
        #expect(scheduler.pendingCount == 1)
        input.sendCompleted()
        scheduler.run()
    }
}
