import Corinth
import CorinthTesting
import Dispatch
import Testing

struct DebounceTests {
    @Test func latestOfABurst() {
        #expect(marbles(cold: "ab-c------d|") { $0.debounce(3, on: $1) } == "------c----|")
        #expect(
            marbles(cold: "ab-c------d|") { $0.debounce(3, on: $1, discardWhenCompleted: false) } == "------c------(d|)"
        )
    }

    @Test func leading() {
        #expect(marbles(cold: "ab-c------d|") { $0.debounce(3, on: $1, edges: .leading) } == "a---------d|")
    }

    @Test func both() {
        #expect(marbles(cold: "ab-c------d|") { $0.debounce(3, on: $1, edges: .both) } == "a-----c---d|")
        #expect(marbles(cold: "ab|") { $0.debounce(3, on: $1, edges: .both) } == "a---(b|)")
        #expect(marbles(cold: "ab|") { $0.debounce(3, on: $1, edges: .both, discardWhenCompleted: true) } == "a-|")
        // When the last value comes, the one before it is due, and the scheduler hasn't run the timer yet.
        #expect(marbles(cold: "ab--c------d|") { $0.debounce(3, on: $1, edges: .both) } == "a------c---d|")
        #expect(marbles(cold: "(ab)----c|") { $0.debounce(3, on: $1, edges: .both) } == "a--b-c|")
    }

    @Test func failure() {
        #expect(marbles(cold: "ab#") { $0.debounce(3, on: $1, discardWhenCompleted: false) } == "--#")
    }

    /// A case from ReactiveSwift's specification, with a clock that is set back.
    @Test func clockThatIsPutBack() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.debounce(1, on: scheduler).observe(recorder.observer)
        input.send(value: 0)
        scheduler.advance()
        #expect(recorder.values.isEmpty)
        input.send(value: 1)
        input.send(value: 2)
        scheduler.advance(by: 1.5)
        #expect(recorder.values == [2])
        input.send(value: 3)
        scheduler.rewind(by: .seconds(2))
        input.send(value: 4)
        scheduler.advance(by: .seconds(1))
        #expect(recorder.values == [2, 4])
        scheduler.advance(by: .seconds(10))
        #expect(recorder.values == [2, 4])
        #expect(scheduler.pendingCount == 0)
        input.sendCompleted()
        scheduler.run()
    }

    /// The operator uses one timer, and sets it again when it fires too early.
    @Test func timers() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.debounce(2, on: scheduler).observe(recorder.observer)
        for value in 0..<100 {
            input.send(value: value)
            #expect(scheduler.pendingCount == 1)
            scheduler.advance(by: .seconds(1))
        }
        #expect(recorder.values.isEmpty)
        scheduler.advance(by: .seconds(1))
        #expect(recorder.values == [99])
        #expect(scheduler.pendingCount == 0)
        input.sendCompleted()
        scheduler.run()
    }
}
