@testable import Corinth
import Testing

/// Every state of a run, and each transition.
@Suite("ProducerRunState")
struct ProducerRunStateTests {
    private static let transitions: [Transition<ProducerRunState>] = [
        { $0.holding(.composite) }, { $0.holding(.oneAlone) }, { $0.releasingOneAlone() }, { _ in .ended },
    ]

    private static let everyState = reachable(from: .running, by: transitions)

    @Test("A run holds each resource or not, or has ended; a released disposable is remembered")
    func reachableStates() {
        #expect(Self.everyState.filter(\.isEnded) == [.ended])
        #expect(Set(Self.everyState.filter { !$0.isEnded }.map(\.bits)) == [0, 1, 4, 5, 8, 9])
    }

    @Test("The single disposable is released once, and the others stay", arguments: everyState)
    func releasing(state: ProducerRunState) {
        guard let next = state.releasingOneAlone() else {
            #expect(!state.holds(.oneAlone))
            return
        }
        #expect(state.holds(.oneAlone) && !next.holds(.oneAlone))
        #expect(next.holds(.composite) == state.holds(.composite))
        #expect(next.releasingOneAlone() == nil)
        // Another disposable isn't held alone again.
        #expect(next != .running)
    }

    @Test("A run that has ended holds nothing, and stays ended")
    func end() {
        #expect(!ProducerRunState.ended.holdsAny)
        #expect(reachable(from: .ended, by: Self.transitions) == [.ended])
    }

    @Test(
        "A run holds what it is given, and keeps what it held", arguments: everyState,
        ProducerRunState.Resource.allCases)
    func holding(state: ProducerRunState, resource: ProducerRunState.Resource) {
        guard let next = state.holding(resource) else {
            #expect(state.isEnded || resource == .oneAlone && state != .running)
            return
        }
        #expect(next.holdsAny)
        for other in ProducerRunState.Resource.allCases {
            #expect(next.holds(other) == (other == resource || state.holds(other)))
        }
    }

    @Test("There is something to dispose of if the run holds a resource", arguments: everyState)
    func holdsAny(state: ProducerRunState) {
        #expect(state.holdsAny == ProducerRunState.Resource.allCases.contains(where: state.holds))
    }
}
