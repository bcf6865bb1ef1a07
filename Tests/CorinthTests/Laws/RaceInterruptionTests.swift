import Corinth
import CorinthTesting
import Testing

/// Found by the differential test. Code that knew that `flatMap` treats the interruption of an inner stream as a completion
/// assumed the same of `race`.
struct RaceInterruptionTests {
    private let interrupted = SignalProducer<Int, Never> { observer, _ in observer.sendInterrupted() }

    @Test func outerOfOneValue() {
        let recorder = EventRecorder<Int, Never>()
        let inner = interrupted
        SignalProducer<Int, Never>(value: 1).flatMap(.race) { _ in inner }.start(recorder.observer)
        #expect(recorder.events == [.interrupted])
    }

    /// An interruption of the second part completes the concatenation.
    @Test func innerThatAbsorbsAnInterruption() {
        let recorder = EventRecorder<Int, Never>()
        let inner = interrupted.prefix(value: 2)
        SignalProducer<Int, Never>([1]).flatMap(.race) { _ in inner }.start(recorder.observer)
        #expect(recorder.events == [.value(2), .completed])
    }
}
