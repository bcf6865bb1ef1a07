import Corinth
import CorinthTesting
import Testing

struct ReduceTests {
    let faces: [Faces<Int, TestError, String, TestError>] = [
        Faces({ $0.reduce("<") { "\($0)\($1)" } }, { $0.reduce("<") { "\($0)\($1)" } }),
        Faces({ $0.reduce(into: "<") { $0 += "\($1)" } }, { $0.reduce(into: "<") { $0 += "\($1)" } }),
    ]

    @Test func onCompletion() {
        for faces in faces {
            faces.expect([.value("<123"), .completed], of: [1, 2, 3], then: .completed)
            faces.expect([.value("<"), .completed], of: [], then: .completed)
        }
    }

    /// E6: other ends drop the result.
    @Test func otherEnds() {
        for faces in faces {
            faces.expect([.failed(.first)], of: [1], then: .failed(.first))
            faces.expect([.interrupted], of: [1], then: .interrupted)
            faces.expectDisposal(after: [1], gives: [])
        }
    }

    /// P2: a start that is disposed of in the callback of the result is interrupted, not complete.
    @Test func disposalInTheCallback() {
        let recorder = EventRecorder<Int, Never>()
        let disposable = SerialDisposable()
        let (signal, input) = Signal<Int, Never>.pipe()
        disposable.inner = SignalProducer(signal).reduce(0, +).start { event in
            recorder.observer.send(event)
            if event.value != nil { disposable.dispose() }
        }
        input.send(value: 1)
        input.sendCompleted()
        #expect(recorder.events == [.value(1), .interrupted])
    }
}
