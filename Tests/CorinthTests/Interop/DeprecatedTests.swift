import Corinth
import CorinthTesting
import Testing

/// In a deprecated context the old names give no warning. `Tests/api-surface` checks that users get one.
struct DeprecatedTests {
    @available(*, deprecated)
    @Test func filterMapIsCompactMap() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.filterMap { $0 > 1 ? $0 * 10 : nil }.observe(recorder.observer)
        for value in 1...3 { input.send(value: value) }
        input.sendCompleted()
        #expect(recorder.events == [.value(20), .value(30), .completed])

        let started = EventRecorder<Int, Never>()
        SignalProducer<Int, Never>([1, 2, 3]).filterMap { $0 > 1 ? $0 * 10 : nil }.start(started.observer)
        #expect(started.events == [.value(20), .value(30), .completed])
    }

    @available(*, deprecated)
    @Test func allEventsAreAllCases() {
        #expect(LoggingEvent.Signal.allEvents == Set(LoggingEvent.Signal.allCases))
        #expect(LoggingEvent.SignalProducer.allEvents == Set(LoggingEvent.SignalProducer.allCases))
    }

    /// Observing the failures of a signal that can't fail does nothing. Starting such a producer starts it.
    @available(*, deprecated)
    @Test func failuresOfStreamsThatCannotFail() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let observation = signal.observeFailed { _ in }
        let start = SignalProducer(signal).startWithFailed { _ in }
        #expect(observation != nil && !start.isDisposed)
        input.send(value: 1)
        input.sendCompleted()
        #expect(start.isDisposed && signal.observeFailed { _ in } == nil)
    }
}
