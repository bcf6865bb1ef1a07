@testable import Corinth
import Testing

/// Every state of a composite's entry, and each transition.
@Suite("CompositeEntryState")
struct CompositeEntryStateTests {
    private static let transitions: [Transition<CompositeEntryState>] = [
        { $0.filling() }, { _ in .over },
    ]

    @Test func `An empty entry reaches every state, and a filled one is not empty again`() {
        #expect(Set(reachable(from: .empty, by: Self.transitions)) == Set(CompositeEntryState.allCases))
        #expect(Set(reachable(from: .holding, by: Self.transitions)) == [.holding, .over])
    }

    @Test(arguments: CompositeEntryState.allCases)
    func `An entry is filled once, and not when it is over`(state: CompositeEntryState) {
        #expect(state.filling() == (state == .empty ? .holding : nil))
    }

    @Test func `What is over stays over`() {
        #expect(reachable(from: .over, by: Self.transitions) == [.over])
    }
}
