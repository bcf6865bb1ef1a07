import Corinth
import CorinthTesting
import Testing

struct TakeWhileTests {
    let exclusive = Overloads<Int, TestError, Int, TestError>(
        { $0.take(while: { $0 < 3 }) }, { $0.take(while: { $0 < 3 }) })
    let inclusive = Overloads<Int, TestError, Int, TestError>(
        { $0.take(until: { $0 < 3 }) }, { $0.take(until: { $0 < 3 }) })

    @Test(arguments: terminations)
    func endsWithItsSource(termination: Signal<Int, TestError>.Event) {
        for overloads in [exclusive, inclusive] {
            overloads.expect([.value(1), .value(2), termination], of: [1, 2], then: termination)
        }
    }

    @Test(arguments: terminations)
    func completesByItself(termination: Signal<Int, TestError>.Event) {
        exclusive.expect([.value(1), .completed], of: [1, 3, 2], then: termination)
        inclusive.expect([.value(1), .value(3), .completed], of: [1, 3, 2], then: termination)
    }

    @Test func releasesItsSource() {
        exclusive.expectEnd(after: [1, 3, 1], gives: [.value(1), .completed])
        inclusive.expectEnd(after: [1, 3, 1], gives: [.value(1), .value(3), .completed])
        exclusive.expectDisposal(after: [1, 2], gives: [.value(1), .value(2)])
        inclusive.expectDisposal(after: [1, 2], gives: [.value(1), .value(2)])
    }

    /// The predicate isn't called again after it has returned false, even if the source continues.
    @Test func isNotCalledAgain() {
        let calls = Atomic(0)
        let source = SignalProducer<Int, Never> { observer, _ in for value in 1...5 { observer.send(value: value) } }
        source.take(while: { value in
            calls.modify { $0 += 1 }
            return value < 2
        }).start()
        #expect(calls.value == 2)
    }

    @Test func `P4: an endless sequence stops`() {
        let recorder = EventRecorder<Int, Never>()
        SignalProducer<Int, Never>(sequence(first: 0) { $0 + 1 }).take(while: { $0 < 3 }).start(recorder.observer)
        #expect(recorder.events == [.value(0), .value(1), .value(2), .completed])
    }
}
