import Corinth
import CorinthTesting
import Testing

struct ZipTests {
    @Test func pairsValuesInOrder() {
        let (first, a) = Signal<Int, Never>.pipe()
        let (second, b) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        Signal.zip(first, second).map { $0 * 100 + $1 }.observe(recorder.observer)
        for value in 1...5 { a.send(value: value) }
        #expect(recorder.events.isEmpty)
        for value in 11...13 { b.send(value: value) }
        #expect(recorder.values == [111, 212, 313])
    }

    /// The result completes when a completed source has no values left.
    @Test func completion() {
        let (first, a) = Signal<Int, Never>.pipe()
        let (second, b) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        first.zip(with: second).map { $0 + $1 }.observe(recorder.observer)
        a.send(value: 1)
        a.send(value: 2)
        a.sendCompleted()
        b.send(value: 10)
        #expect(recorder.events == [.value(11)])
        b.send(value: 20)
        #expect(recorder.events == [.value(11), .value(22), .completed])
        b.send(value: 30)
        #expect(recorder.events.count == 3)
    }

    @Test func completesAtOnceWhenNothingIsLeft() {
        let (first, a) = Signal<Int, Never>.pipe()
        let (second, b) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        Signal.zip(first, second).map { $0 + $1 }.observe(recorder.observer)
        b.send(value: 1)
        a.sendCompleted()
        #expect(recorder.events == [.completed])
    }

    @Test(arguments: [Signal<Int, TestError>.Event.interrupted, .failed(.first)])
    func endsAtOnceWithAFailureOrAnInterruption(termination: Signal<Int, TestError>.Event) {
        let (first, a) = Signal<Int, TestError>.pipe()
        let (second, b) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        Signal.zip(first, second).map { $0 + $1 }.observe(recorder.observer)
        a.send(value: 1)
        a.send(value: 2)
        b.send(termination)
        b.send(value: 3)
        #expect(recorder.events == [termination])
    }

    @Test func manyValuesWait() {
        let (first, a) = Signal<Int, Never>.pipe()
        let (second, b) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        Signal.zip(first, second).map { $1 - $0 }.observe(recorder.observer)
        for value in 0..<1000 { a.send(value: value) }
        for value in 0..<500 { b.send(value: value) }
        for value in 1000..<2000 { a.send(value: value) }
        for value in 500..<2000 { b.send(value: value) }
        #expect(recorder.values == Array(repeating: 0, count: 2000))
    }

    @Test func sequencesAndTenOfThem() {
        let recorder = EventRecorder<[Int], Never>()
        SignalProducer.zip((0..<5).map { SignalProducer<Int, Never>([$0, $0 + 10]) }).start(recorder.observer)
        #expect(recorder.events == [.value([0, 1, 2, 3, 4]), .value([10, 11, 12, 13, 14]), .completed])
        func one(_ value: Int) -> SignalProducer<Int, Never> { SignalProducer(value: value) }
        let ten = EventRecorder<[Int], Never>()
        SignalProducer.zip(one(0), one(1), one(2), one(3), one(4), one(5), one(6), one(7), one(8), one(9))
            .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7, $0.8, $0.9] }
            .start(ten.observer)
        #expect(ten.events == [.value(Array(0..<10)), .completed])
    }
}
