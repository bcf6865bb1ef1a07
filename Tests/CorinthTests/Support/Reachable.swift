@testable import Corinth

/// A transition of a state; nil if it leaves the state as it is.
typealias Transition<State> = @Sendable (State) -> State?

/// Every state to which transitions lead from an initial one, which is the first.
func reachable<State: WordState>(
    from initial: State, by transitions: [Transition<State>], atMost most: Int = 10_000
) -> [State] {
    var states = [initial]
    var known: Set<UInt64> = [initial.bits]
    var index = 0
    while index < states.count, states.count <= most {
        for transition in transitions {
            if let next = transition(states[index]), known.insert(next.bits).inserted { states.append(next) }
        }
        index += 1
    }
    precondition(states.count <= most, "more than \(most) states are reachable: bound the transitions")
    return states
}
