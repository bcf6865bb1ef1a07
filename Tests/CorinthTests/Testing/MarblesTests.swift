import Corinth
import CorinthTesting
import Dispatch
import Testing

struct MarblesTests {
    @Test(arguments: ["", "--a-(bc)--|", "(ab#)", "-[ab]-!", "([ab]c|)"])
    func readsWhatItWrites(line: String) {
        #expect(Marbles(line).description == line)
    }

    @Test func steps() {
        #expect(Marbles("- a(b|)").steps == [[], [.value("a")], [.value("b"), .completed]])
    }

    @Test(arguments: ["a-b-(cd)|", "a--#", "--!", "a-b"])
    func playsAndRecords(line: String) {
        let scheduler = TestScheduler()
        let hot = scheduler.record(scheduler.hot(Marbles(line)))
        let cold = scheduler.record(scheduler.cold(Marbles(line)))
        scheduler.advance(by: .seconds(3))
        let late = scheduler.record(scheduler.cold(Marbles(line)))
        scheduler.advance(by: .seconds(20))
        #expect(hot.marbles == Marbles(line))
        #expect(cold.marbles == Marbles(line))
        #expect(late.marbles == Marbles(line))
        for recorder in [hot, cold, late] { recorder.disposable?.dispose() }
    }

    @Test func disposal() {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(scheduler.cold("a-b-c"))
        scheduler.advance(by: .seconds(1))
        recorder.disposable?.dispose()
        #expect(recorder.events == [.value("a"), .interrupted])
        #expect(scheduler.pendingCount == 0)
    }
}
