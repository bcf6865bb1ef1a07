@testable import Corinth
import Testing

/// Every state of a run, and each transition.
@Suite("ProducerRunState")
struct ProducerRunStateTests {
    private static let transitions: [Transition<ProducerRunState>] = [
        { $0.holding(.composite) }, { $0.holding(.oneAlone) }, { $0.releasingOneAlone() }, { _ in .ended },
    ]

    private static let everyState = reachable(from: .running, by: transitions)

    @Test func `A run holds each resource or not, or has ended; a released disposable is remembered`() {
        #expect(Self.everyState.filter(\.isEnded) == [.ended])
        #expect(Set(Self.everyState.filter { !$0.isEnded }.map(\.bits)) == [0, 1, 4, 5, 8, 9])
    }

    @Test(arguments: everyState)
    func `The single disposable is released once, and the others stay`(state: ProducerRunState) {
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

    @Test func `A run that has ended holds nothing, and stays ended`() {
        #expect(!ProducerRunState.ended.holdsAny)
        #expect(reachable(from: .ended, by: Self.transitions) == [.ended])
    }

    @Test(
        arguments: everyState,
        ProducerRunState.Resource.allCases)
    func `A run holds what it is given, and keeps what it held`(
        state: ProducerRunState, resource: ProducerRunState.Resource
    ) {
        guard let next = state.holding(resource) else {
            #expect(state.isEnded || resource == .oneAlone && state != .running)
            return
        }
        #expect(next.holdsAny)
        for other in ProducerRunState.Resource.allCases {
            #expect(next.holds(other) == (other == resource || state.holds(other)))
        }
    }

    @Test(arguments: everyState)
    func `There is something to dispose of if the run holds a resource`(state: ProducerRunState) {
        #expect(state.holdsAny == ProducerRunState.Resource.allCases.contains(where: state.holds))
    }
}
