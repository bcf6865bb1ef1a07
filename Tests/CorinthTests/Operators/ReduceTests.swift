import Corinth
import CorinthTesting
import Testing

struct ReduceTests {
    let overloads: [Overloads<Int, TestError, String, TestError>] = [
        Overloads({ $0.reduce("<") { "\($0)\($1)" } }, { $0.reduce("<") { "\($0)\($1)" } }),
        Overloads({ $0.reduce(into: "<") { $0 += "\($1)" } }, { $0.reduce(into: "<") { $0 += "\($1)" } }),
    ]

    @Test func onCompletion() {
        for overloads in overloads {
            overloads.expect([.value("<123"), .completed], of: [1, 2, 3], then: .completed)
            overloads.expect([.value("<"), .completed], of: [], then: .completed)
        }
    }

    @Test func `E6: the other terminating events drop the result`() {
        for overloads in overloads {
            overloads.expect([.failed(.first)], of: [1], then: .failed(.first))
            overloads.expect([.interrupted], of: [1], then: .interrupted)
            overloads.expectDisposal(after: [1], gives: [])
        }
    }

    @Test func `P2: a start that is disposed of in the callback of the result is interrupted, not completed`() {
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
