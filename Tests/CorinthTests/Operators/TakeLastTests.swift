import Corinth
import CorinthTesting
import Testing

struct TakeLastTests {
    static func overloads(_ count: Int) -> Overloads<Int, TestError, Int, TestError> {
        Overloads({ $0.take(last: count) }, { $0.take(last: count) })
    }

    @Test(arguments: 0...7)
    func sendsTheLastOnCompletion(count: Int) {
        Self.overloads(count).expect(
            (1...5).suffix(count).map { .value($0) } + [.completed], of: Array(1...5), then: .completed)
    }

    @Test func longAfterTheRingIsFull() {
        for length in 3...9 {
            Self.overloads(3).expect(
                (1...length).suffix(3).map { .value($0) } + [.completed], of: Array(1...length), then: .completed)
        }
    }

    @Test func `E6: the other terminating events drop the kept values`() {
        Self.overloads(2).expect([.failed(.first)], of: [1, 2, 3], then: .failed(.first))
        Self.overloads(2).expect([.interrupted], of: [1, 2, 3], then: .interrupted)
        Self.overloads(2).expectDisposal(after: [1, 2, 3], gives: [])
    }

    /// A disposal between two of the values that the completion emits drops the rest, and interrupts (law P2).
    @Test func disposalInBetween() {
        let recorder = EventRecorder<Int, Never>()
        let disposable = SerialDisposable()
        let (signal, input) = Signal<Int, Never>.pipe()
        disposable.inner = SignalProducer(signal).take(last: 3).start { event in
            recorder.observer.send(event)
            if event == .value(3) { disposable.dispose() }
        }
        for value in 1...4 { input.send(value: value) }
        input.sendCompleted()
        #expect(recorder.events == [.value(2), .value(3), .interrupted])
    }
}
