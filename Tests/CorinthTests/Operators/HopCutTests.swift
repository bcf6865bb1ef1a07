@testable import Corinth
import Testing

/// Every state of a hop's cut, and each transition.
@Suite("HopCut")
struct HopCutTests {
    private static let transitions: [Transition<HopCut>] = [{ $0.interrupting() }, { $0.failing() }]

    @Test func `There are three states`() {
        let states = reachable(from: .none, by: Self.transitions)
        #expect(Set(states.map(\.bits)) == Set([HopCut.none, .interrupted, .failed].map(\.bits)))
    }

    @Test func `The first termination stays`() {
        #expect(HopCut.none.interrupting() == .interrupted)
        #expect(HopCut.none.failing() == .failed)
        for cut in [HopCut.interrupted, .failed] { #expect(reachable(from: cut, by: Self.transitions) == [cut]) }
    }
}
