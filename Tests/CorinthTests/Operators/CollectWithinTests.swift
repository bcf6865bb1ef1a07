import Corinth
import CorinthTesting
import Dispatch
import Testing

struct CollectWithinTests {
    private func run(_ line: Marbles, count: Int = 2, within interval: Double = 3) -> Marbles {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(
            scheduler.cold(line).collect(count: count, within: interval, on: scheduler))
        scheduler.advance(by: .seconds(50))
        #expect(scheduler.pendingCount == 0)
        return recorder.marbles
    }

    @Test func byCountAndTime() {
        #expect(run("abc--d----e---|") == "-[ab]---[cd]-------e|")
        #expect(run("abc-----d|") == "-[ab]---c---(d|)")
    }

    @Test func severalAtOnce() {
        #expect(run("(abcde)-----|") == "([ab][cd])--e--|")
        #expect(run("(abcde|)") == "([ab][cd]e|)")
    }

    @Test func failure() {
        #expect(run("abc#") == "-[ab]-#")
    }

    @Test func arguments() async {
        await #expect(processExitsWith: .failure) {
            _ = Signal<Int, Never>.never.collect(count: 0, within: 1, on: TestScheduler())
        }
        await #expect(processExitsWith: .failure) {
            _ = Signal<Int, Never>.never.collect(count: 1, within: -1, on: TestScheduler())
        }
    }
}
