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

    /// S3: the result has no observers and no references, so it releases its sources.
    @Test func releasesItsSources() {
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
