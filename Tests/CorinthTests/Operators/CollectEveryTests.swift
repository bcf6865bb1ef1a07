import Corinth
import CorinthTesting
import Dispatch
import Testing

struct CollectEveryTests {
    private func run(_ line: Marbles, skipEmpty: Bool = false, discardWhenCompleted: Bool = true) -> Marbles {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(
            scheduler.hot(line).collect(
                every: .seconds(3), on: scheduler, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted))
        scheduler.advance(by: .seconds(50))
        #expect(scheduler.pendingCount == 0)
        return recorder.marbles
    }

    @Test func receivedValues() {
        #expect(run("ab--c-------d|") == "---[ab]--c--[]--[d]|")
    }

    @Test func skippingEmptyOnes() {
        #expect(run("ab--c-------d-|", skipEmpty: true) == "---[ab]--c-----d-|")
    }

    @Test func waitingForTheTick() {
        #expect(run("ab--c|", discardWhenCompleted: false) == "---[ab]--([c]|)")
        #expect(run("ab--|", discardWhenCompleted: false) == "---[ab]--([]|)")
        #expect(run("ab--|", skipEmpty: true, discardWhenCompleted: false) == "---[ab]--|")
    }

    @Test func discarding() {
        #expect(run("ab--c|") == "---[ab]-|")
    }

    @Test func intervalIsAtLeastZero() async {
        await #expect(processExitsWith: .failure) {
            _ = Signal<Int, Never>.never.collect(every: .seconds(-1), on: TestScheduler())
        }
    }
}
