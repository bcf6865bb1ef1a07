@testable import Corinth
import Testing

/// Every state of a latch, and each transition.
@Suite("LatchState")
struct LatchStateTests {
    private static let transitions: [Transition<LatchState>] = [{ $0.waiting() }, { _ in .open }]

    @Test("Every state is reached, and there are no others")
    func reachableStates() {
        #expect(Set(reachable(from: .closed, by: Self.transitions)) == Set(LatchState.allCases))
    }

    @Test("A thread announces that it waits only if nobody has yet", arguments: LatchState.allCases)
    func waiting(state: LatchState) {
        #expect(state.waiting() == (state == .closed ? .awaited : nil))
    }

    @Test("An open latch stays open")
    func end() {
        #expect(reachable(from: .open, by: Self.transitions) == [.open])
    }
}
