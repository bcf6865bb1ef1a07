import Corinth
import CorinthTesting
import Dispatch
import Testing

struct SampleEveryTests {
    private func run(_ line: Marbles) -> Marbles {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(scheduler.cold(line).sample(every: .seconds(3), on: scheduler))
        scheduler.advance(by: .seconds(50))
        #expect(scheduler.pendingCount == 0)
        return recorder.marbles
    }

    @Test func latestOnce() {
        #expect(run("ab--c--------d|") == "---b--c--------(d|)")
    }

    @Test func completionWithNothingToSend() {
        #expect(run("ab--|") == "---b|")
    }

    @Test func failure() {
        #expect(run("ab#") == "--#")
    }

    @Test func intervalIsAtLeastZero() async {
        await #expect(processExitsWith: .failure) {
            _ = Signal<Int, Never>.never.sample(every: .seconds(-1), on: TestScheduler())
        }
    }
}
