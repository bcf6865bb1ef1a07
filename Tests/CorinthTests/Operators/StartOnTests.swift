import Corinth
import CorinthTesting
import Dispatch
import Testing

struct StartOnTests {
    @Test func startsWhenTheSchedulerRuns() {
        let scheduler = TestScheduler()
        let starts = Counter()
        let producer = SignalProducer<Int, Never> { () -> Int in starts.increment() }.start(on: scheduler)
        let recorder = scheduler.record(producer)
        #expect(starts.value == 0)
        scheduler.advance()
        #expect(recorder.events == [.value(1), .completed])
        scheduler.record(producer)
        scheduler.advance()
        #expect(starts.value == 2)
    }

    /// A disposal before that interrupts at once, and nothing starts.
    @Test func disposalBefore() {
        let scheduler = TestScheduler()
        let starts = Counter()
        let recorder = scheduler.record(
            SignalProducer<Int, Never> { () -> Int in starts.increment() }.start(on: scheduler))
        recorder.disposable?.dispose()
        #expect(recorder.events == [.interrupted])
        #expect(scheduler.pendingCount == 0)
        scheduler.advance()
        #expect(starts.value == 0)
    }

    @Test func disposalAfter() {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(scheduler.cold("a-b-c").delaySubscription(2, on: scheduler))
        scheduler.advance(by: .seconds(2))
        recorder.disposable?.dispose()
        #expect(recorder.marbles == "--(a!)")
        #expect(scheduler.pendingCount == 0)
    }

    @Test(arguments: ["a-b-|", "a-#", "a-!"])
    func later(line: String) {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(scheduler.cold(Marbles(line)).delaySubscription(3, on: scheduler))
        scheduler.advance(by: .seconds(30))
        #expect(recorder.marbles == Marbles("---" + line))
    }

    @Test func intervalIsAtLeastZero() async {
        await #expect(processExitsWith: .failure) {
            _ = SignalProducer<Int, Never>.never.delaySubscription(-1, on: TestScheduler())
        }
    }
}
