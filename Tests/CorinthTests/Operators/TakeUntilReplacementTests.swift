import Corinth
import CorinthTesting
import Testing

struct TakeUntilReplacementTests {
    private let signal: Signal<Int, TestError>
    private let input: Signal<Int, TestError>.Observer
    private let replacement: Signal<Int, TestError>
    private let replacementInput: Signal<Int, TestError>.Observer
    private let recorder = EventRecorder<Int, TestError>()

    init() {
        (signal, input) = Signal.pipe()
        (replacement, replacementInput) = Signal.pipe()
        signal.take(untilReplacement: replacement).observe(recorder.observer)
    }

    @Test func theReplacementTakesOver() {
        input.send(value: 1)
        replacementInput.send(value: 10)
        input.send(value: 2)
        replacementInput.send(value: 11)
        input.send(error: .first)
        replacementInput.sendCompleted()
        #expect(recorder.events == [.value(1), .value(10), .value(11), .completed])
    }

    @Test func theCompletionOfTheSourceWaitsForTheReplacement() {
        input.send(value: 1)
        input.sendCompleted()
        #expect(recorder.events == [.value(1)])
        replacementInput.send(value: 10)
        replacementInput.sendCompleted()
        #expect(recorder.events == [.value(1), .value(10), .completed])
    }

    @Test(arguments: [Signal<Int, TestError>.Event.interrupted, .failed(.first)])
    func otherEndsOfTheSourcePass(termination: Signal<Int, TestError>.Event) {
        input.send(termination)
        replacementInput.send(value: 10)
        #expect(recorder.events == [termination])
    }

    @Test(arguments: [Signal<Int, TestError>.Event.completed, .interrupted, .failed(.first)])
    func theEndOfTheReplacementIsItsFirstEvent(termination: Signal<Int, TestError>.Event) {
        input.send(value: 1)
        replacementInput.send(termination)
        input.send(value: 2)
        #expect(recorder.events == [.value(1), termination])
    }

    /// The source is released when it is replaced, not only at the end of the result.
    @Test func theSourceIsCancelled() {
        let sources = Atomic(0)
        let replacements = Atomic(0)
        let replacing = EventRecorder<Int, TestError>()
        let disposable = SignalProducer.endless(ended: sources, signal)
            .take(untilReplacement: SignalProducer.endless(ended: replacements, replacement))
            .start(replacing.observer)
        input.send(value: 1)
        #expect(sources.value == 0)
        replacementInput.send(value: 10)
        #expect(sources.value == 1)
        #expect(replacements.value == 0)
        disposable.dispose()
        #expect(replacements.value == 1)
        #expect(replacing.events == [.value(1), .value(10), .interrupted])
    }

    @Test func disposalCancelsBoth() {
        let ended = Atomic(0)
        let disposed = EventRecorder<Int, Never>()
        SignalProducer<Int, Never>.endless(ended: ended)
            .take(untilReplacement: SignalProducer.endless(ended: ended))
            .start(disposed.observer).dispose()
        #expect(disposed.events == [.interrupted])
        #expect(ended.value == 2)
    }

    /// The replacement starts first. If it emits at once, the source isn't started. P1: the same holds for a second start.
    @Test func aReplacementThatSendsAtOnce() {
        let starts = Atomic(0)
        let source = SignalProducer<Int, Never> { () -> Int in
            starts.modify { $0 += 1 }
            return 1
        }
        let producer = source.take(untilReplacement: SignalProducer([10, 11]))
        for _ in 0..<2 {
            let replaced = EventRecorder<Int, Never>()
            producer.start(replaced.observer)
            #expect(replaced.events == [.value(10), .value(11), .completed])
        }
        #expect(starts.value == 0)
    }

    @Test func convertibleReplacements() {
        let replaced = EventRecorder<Int, TestError>()
        SignalProducer<Int, TestError>.never.take(untilReplacement: replacement).start(replaced.observer)
        replacementInput.send(value: 1)
        replacementInput.sendCompleted()
        #expect(replaced.events == [.value(1), .completed])
    }

    @Test
    func `E5: a replacement's value that is sent from inside the source's callback follows the value in progress`() {
        let result = signal.take(untilReplacement: replacement)
        let after = EventRecorder<Int, TestError>()
        result.observe { [replacementInput, input] event in
            if event.value == 1 {
                replacementInput.send(value: 10)
                input.send(value: 2)
            }
        }
        result.observe(after.observer)
        input.send(value: 1)
        #expect(after.values == [1, 10])
        input.sendCompleted()
        replacementInput.sendCompleted()
    }
}
