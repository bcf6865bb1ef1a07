@testable import Corinth
import Testing

/// Every state of a latch, and each transition.
@Suite("LatchState")
struct LatchStateTests {
    private static let transitions: [Transition<LatchState>] = [{ $0.waiting() }, { _ in .open }]

    @Test func `Every state is reached, and there are no others`() {
        #expect(Set(reachable(from: .closed, by: Self.transitions)) == Set(LatchState.allCases))
    }

    @Test(arguments: LatchState.allCases)
    func `A thread announces that it waits only if nobody has yet`(state: LatchState) {
        #expect(state.waiting() == (state == .closed ? .awaited : nil))
    }

    @Test func `An open latch stays open`() {
        #expect(reachable(from: .open, by: Self.transitions) == [.open])
    }
}
