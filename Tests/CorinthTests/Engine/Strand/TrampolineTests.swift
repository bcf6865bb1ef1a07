@testable import Corinth
import Testing

/// How deeply starts, terminations and disposals nest.
@Suite("Trampoline")
struct TrampolineTests {
    /// Counts how many calls are in progress.
    private final class Nesting {
        var depth: UInt64 = 0
        var deepest: UInt64 = 0
        var calls = 0

        func count(_ more: () -> Void) {
            depth += 1
            deepest = max(deepest, depth)
            calls += 1
            more()
            depth -= 1
        }

        func run(_ left: Int) {
            Trampoline.run(on: self, with: left) { nesting, left in
                nesting.count { if left > 0 { nesting.run(left - 1) } }
            }
        }

        func dispose(_ left: Int) {
            Trampoline.dispose(of: self, with: left) { nesting, left in
                nesting.count { if left > 0 { nesting.dispose(left - 1) } }
            }
        }
    }

    @Test func `Each of many calls inside each other runs, and no more of them nest than the bound says`() {
        let nesting = Nesting()
        nesting.run(1_000)
        #expect(nesting.calls == 1_001 && nesting.deepest <= Trampoline.bound)
    }

    @Test func `So do disposals, also inside a call`() {
        for isInside in [false, true] {
            let nesting = Nesting()
            if isInside {
                Trampoline.run(on: nesting, with: ()) { nesting, _ in nesting.dispose(1_000) }
            } else {
                nesting.dispose(1_000)
            }
            #expect(nesting.calls == 1_001 && nesting.deepest <= Trampoline.bound)
        }
    }

    /// Ends an object inside calls that nest.
    private final class Ends {
        private final class Ended {}

        private(set) weak var ended: AnyObject?
        private(set) var isKept = false

        func end(below calls: Int) {
            Trampoline.run(on: self, with: calls) { ends, calls in
                if calls > 0 { return ends.end(below: calls - 1) }
                do {
                    let ended = Ended()
                    ends.ended = ended
                    Trampoline.release(ended)
                }
                ends.isKept = ends.ended != nil
            }
        }
    }

    @Test func `What ends in a deep nesting is released after it`() {
        for calls in [0, Int(Trampoline.bound) / 2] {
            let ends = Ends()
            ends.end(below: calls)
            #expect(ends.isKept == (calls > 0) && ends.ended == nil)
        }
    }
}
