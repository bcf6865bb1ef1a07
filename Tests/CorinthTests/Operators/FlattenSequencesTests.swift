import Corinth
import CorinthTesting
import Testing

struct FlattenSequencesTests {
    let overloads = Overloads<[Int], TestError, Int, TestError>({ $0.flatten() }, { $0.flatten() })

    @Test func elements() {
        let values = [[1, 2], [], [3]]
        overloads.expect([.value(1), .value(2), .value(3), .completed], of: values, then: .completed)
        overloads.expect([.value(1), .value(2), .value(3), .interrupted], of: values, then: .interrupted)
        overloads.expect([.value(1), .value(2), .value(3), .failed(.first)], of: values, then: .failed(.first))
        overloads.expectDisposal(after: values, gives: [.value(1), .value(2), .value(3)])
    }

    @Test func `P2: a disposal between two elements`() {
        let recorder = EventRecorder<Int, Never>()
        let disposable = SerialDisposable()
        let (signal, input) = Signal<[Int], Never>.pipe()
        disposable.inner = SignalProducer(signal).flatten().start { event in
            recorder.observer.send(event)
            if event == .value(2) { disposable.dispose() }
        }
        input.send(value: [1, 2, 3])
        input.send(value: [4])
        #expect(recorder.events == [.value(1), .value(2), .interrupted])
    }

    @Test func `P4: only the needed elements of an endless sequence are produced`() {
        let recorder = EventRecorder<Int, Never>()
        SignalProducer<UnfoldFirstSequence<Int>, Never>([sequence(first: 0) { $0 + 1 }])
            .flatten().take(first: 3).start(recorder.observer)
        #expect(recorder.events == [.value(0), .value(1), .value(2), .completed])
    }
}
