import Corinth
import CorinthTesting
import Testing

struct CombineLatestTests {
    @Test func sendsOnceAllHaveSent() {
        let (first, a) = Signal<Int, Never>.pipe()
        let (second, b) = Signal<String, Never>.pipe()
        let recorder = EventRecorder<String, Never>()
        Signal.combineLatest(first, second).map { "\($0)\($1)" }.observe(recorder.observer)
        a.send(value: 1)
        a.send(value: 2)
        #expect(recorder.events.isEmpty)
        b.send(value: "x")
        b.send(value: "y")
        a.send(value: 3)
        #expect(recorder.values == ["2x", "2y", "3y"])
        a.sendCompleted()
        b.send(value: "z")
        #expect(recorder.values == ["2x", "2y", "3y", "3z"])
        b.sendCompleted()
        #expect(recorder.termination == .completed)
    }

    @Test(arguments: [Signal<Int, TestError>.Event.interrupted, .failed(.first)])
    func endsAtOnceWithAFailureOrAnInterruption(termination: Signal<Int, TestError>.Event) {
        let (first, a) = Signal<Int, TestError>.pipe()
        let (second, b) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        first.combineLatest(with: second).map { $0 + $1 }.observe(recorder.observer)
        a.send(value: 1)
        b.send(termination)
        a.send(value: 2)
        #expect(recorder.events == [termination])
    }

    @Test func sequences() {
        let pipes = (0..<100).map { _ in Signal<Int, Never>.pipe() }
        let recorder = EventRecorder<[Int], Never>()
        Signal.combineLatest(pipes.map { $0.output }).observe(recorder.observer)
        for (index, pipe) in pipes.enumerated() { pipe.input.send(value: index) }
        #expect(recorder.values == [Array(0..<100)])
        pipes[7].input.send(value: -7)
        #expect(recorder.values.last?[7] == -7)
        for pipe in pipes { pipe.input.sendCompleted() }
        #expect(recorder.termination == .completed)
        let none = EventRecorder<[Int], Never>()
        SignalProducer.combineLatest([SignalProducer<Int, Never>]()).start(none.observer)
        #expect(none.events == [.completed])
    }

    /// The array is changed in place, but not one that an observer has kept.
    @Test func arraysThatAreKept() {
        let pipes = (0..<3).map { _ in Signal<Int, Never>.pipe() }
        let joined = Signal.combineLatest(pipes.map(\.output))
        let (some, all) = (EventRecorder<[Int], Never>(), EventRecorder<[Int], Never>())
        joined.filter { $0[0] % 2 == 0 }.observe(some.observer)
        joined.observe(all.observer)
        for pipe in pipes { pipe.input.send(value: 0) }
        for value in 1...4 { pipes[value % 2].input.send(value: value) }
        #expect(some.values == [[0, 0, 0], [0, 1, 0], [2, 1, 0], [2, 3, 0], [4, 3, 0]].filter { $0[0] % 2 == 0 })
        #expect(all.values == [[0, 0, 0], [0, 1, 0], [2, 1, 0], [2, 3, 0], [4, 3, 0]])
    }

    /// A value that is replaced is released at once, and what its release sends is delivered after the value that replaced it.
    @Test func releasesThatSend() {
        final class Value: Sendable {
            let number: Int
            let released: @Sendable () -> Void
            init(_ number: Int, released: @escaping @Sendable () -> Void = {}) {
                self.number = number
                self.released = released
            }
            deinit { released() }
        }
        let pipes = (0..<2).map { _ in Signal<Value, Never>.pipe() }
        let (first, second) = (pipes[0].input, pipes[1].input)
        let recorder = EventRecorder<[Int], Never>()
        Signal.combineLatest(pipes.map(\.output)).map { $0.map(\.number) }.observe(recorder.observer)
        first.send(value: Value(1) { second.send(value: Value(20)) })
        second.send(value: Value(10))
        first.send(value: Value(2))
        #expect(recorder.values == [[1, 10], [2, 10], [2, 20]])
        // Before all have sent, too.
        let early = (0..<2).map { _ in Signal<Value, Never>.pipe() }
        let recorded = EventRecorder<[Int], Never>()
        Signal.combineLatest(early.map(\.output)).map { $0.map(\.number) }.observe(recorded.observer)
        early[0].input.send(value: Value(1) { early[1].input.send(value: Value(20)) })
        early[0].input.send(value: Value(2))
        #expect(recorded.values == [[2, 20]])
    }

    @Test func optionalValues() {
        let pipes = (0..<2).map { _ in Signal<Int?, Never>.pipe() }
        let recorder = EventRecorder<[Int?], Never>()
        Signal.combineLatest(pipes.map(\.output)).observe(recorder.observer)
        pipes[0].input.send(value: nil)
        pipes[0].input.send(value: nil)
        #expect(recorder.values.isEmpty)
        pipes[1].input.send(value: nil)
        pipes[0].input.send(value: 1)
        #expect(recorder.values == [[nil, nil], [1, nil]])
        withExtendedLifetime(pipes) {}
    }

    @Test func tenOfThem() {
        func one(_ value: Int) -> SignalProducer<Int, Never> { SignalProducer(value: value) }
        let recorder = EventRecorder<[Int], Never>()
        SignalProducer.combineLatest(
            one(0), one(1), one(2), one(3), one(4), one(5), one(6), one(7), one(8), one(9)
        )
        .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7, $0.8, $0.9] }
        .start(recorder.observer)
        #expect(recorder.events == [.value(Array(0..<10)), .completed])
    }

    @Test func `S3: the result has no observers and no references, so it releases its sources`() {
        let (first, a) = Signal<Int, Never>.pipe()
        let calls = Atomic(0)
        let counted = first.map { value in
            calls.modify { $0 += 1 }
            return value
        }
        _ = Signal.combineLatest(counted, counted)
        let observed = Signal.combineLatest(counted, counted).observeValues { _ in }
        a.send(value: 1)
        observed?.dispose()
        #expect(calls.value == 1)
    }
}
