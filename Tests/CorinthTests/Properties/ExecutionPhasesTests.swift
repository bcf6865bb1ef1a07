@testable import Corinth
import Testing

/// Every combination of an execution's phases, and each transition.
@Suite("ExecutionPhases")
struct ExecutionPhasesTests {
    /// With the step that the execution adds in one operation.
    private static let transitions: [(step: ExecutionPhases, next: Transition<ExecutionPhases>)] = [
        (.started, { $0.starting() }), (.ended, { $0.ending() }), (.endDelivered, { $0.deliveringEnd() }),
    ]

    private static let everyState = reachable(from: .none, by: transitions.map(\.next))

    @Test func `The start and the end are independent, and an end is decided before it is delivered`() {
        #expect(Self.everyState.count == 6)
        for state in Self.everyState { #expect(!state.contains(.endDelivered) || state.contains(.ended)) }
    }

    @Test(arguments: everyState)
    func `Each phase is reached once, by the addition of its bit`(state: ExecutionPhases) {
        for (step, transition) in Self.transitions {
            guard let next = transition(state) else { continue }
            #expect(!state.contains(step) && next.contains(step))
            #expect(next.bits == state.bits &+ step.bits)
        }
    }

    @Test func `In every order, one of the two sequences finds that the other is through`() {
        let orders: [[Int]] = [[0, 1, 2], [1, 0, 2], [1, 2, 0]]
        for order in orders {
            var state = ExecutionPhases.none
            var finishes = 0
            for index in order {
                let (step, transition) = Self.transitions[index]
                if step == .started, state.contains(.endDelivered) { finishes += 1 }
                if step == .endDelivered, state.contains(.started) { finishes += 1 }
                guard let next = transition(state) else {
                    Issue.record("\(step) is refused in \(state)")
                    continue
                }
                state = next
            }
            #expect(finishes == 1)
        }
    }
}
