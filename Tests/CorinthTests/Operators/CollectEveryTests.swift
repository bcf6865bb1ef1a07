import Corinth
import CorinthTesting
import Dispatch
import Testing

struct CollectEveryTests {
    private func run(_ line: Marbles, skipEmpty: Bool = false, discardWhenCompleted: Bool = true) -> Marbles {
        marbles(hot: line) {
            $0.collect(every: .seconds(3), on: $1, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted)
        }
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
}
