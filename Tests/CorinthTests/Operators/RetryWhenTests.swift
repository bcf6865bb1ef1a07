import Corinth
import CorinthTesting
import Dispatch
import Testing

struct RetryWhenTests {
    private let scheduler = TestScheduler()

    @Test func startsAgainWithEachAnswer() {
        let result = marbles(cold: "a#") { source, scheduler in
            source.retry { errors in errors.delay(2, on: scheduler).take(first: 2) }
        }
        #expect(result == "a--a--a#")
    }

    @Test(arguments: ["a|", "a!"])
    func otherEnds(line: String) {
        #expect(marbles(cold: Marbles(line)) { source, _ in source.retry { errors in errors } } == Marbles(line))
    }

    /// If the answers end, the failure is passed on.
    @Test func endOfTheAnswers() {
        let recorder = scheduler.record(
            scheduler.cold("a#").retry { _ in SignalProducer<Int, Never>.empty })
        let late = scheduler.record(
            scheduler.cold("a#").retry { [scheduler] _ in SignalProducer<Int, Never>.empty.delay(5, on: scheduler) })
        scheduler.advance(by: .seconds(30))
        #expect(recorder.marbles == "a#")
        #expect(late.marbles == "a----#")
    }

    @Test func failureOfTheAnswers() {
        let scheduler = scheduler
        let recorder = scheduler.record(
            SignalProducer<Int, TestError>.never.retry { _ in
                SignalProducer<Int, TestError>.never.timeout(after: 2, raising: .second, on: scheduler)
            })
        scheduler.advance(by: .seconds(30))
        #expect(recorder.events.last == .failed(.second))
        #expect(scheduler.pendingCount == 0)
    }

    @Test func disposalWhileItWaits() {
        let recorder = scheduler.record(scheduler.cold("a#").retry { _ in SignalProducer<Int, Never>.never })
        scheduler.advance(by: .seconds(2))
        recorder.disposable?.dispose()
        #expect(recorder.marbles == "a-!")
        #expect(scheduler.pendingCount == 0)
    }

    @Test func `P4: immediate answers don't nest`() {
        let attempts = Counter()
        let source = SignalProducer<Int, TestError> { () -> Result<Int, TestError> in
            attempts.increment() < 100_000 ? .failure(.first) : .success(7)
        }
        let recorder = EventRecorder<Int, TestError>()
        source.retry { errors in errors }.start(recorder.observer)
        #expect(recorder.events == [.value(7), .completed])
    }
}
