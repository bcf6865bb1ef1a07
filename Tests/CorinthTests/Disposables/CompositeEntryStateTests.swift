@testable import Corinth
import Testing

/// Every state of a composite's entry, and each transition.
@Suite("CompositeEntryState")
struct CompositeEntryStateTests {
    private static let transitions: [Transition<CompositeEntryState>] = [
        { $0.filling() }, { _ in .over },
    ]

    @Test("An empty entry reaches every state, and a filled one is not empty again")
    func reachableStates() {
        #expect(Set(reachable(from: .empty, by: Self.transitions)) == Set(CompositeEntryState.allCases))
        #expect(Set(reachable(from: .holding, by: Self.transitions)) == [.holding, .over])
    }

    @Test("An entry is filled once, and not when it is over", arguments: CompositeEntryState.allCases)
    func filling(state: CompositeEntryState) {
        #expect(state.filling() == (state == .empty ? .holding : nil))
    }

    @Test("What is over stays over")
    func end() {
        #expect(reachable(from: .over, by: Self.transitions) == [.over])
    }
}
