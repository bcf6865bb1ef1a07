@testable import Corinth
import Testing

/// Every phase of a thread's loop, and each transition.
@Suite("LoopPhase")
struct LoopPhaseTests {
    /// What threads ask for, and the end of the thread that runs the loop.
    private static let transitions: [Transition<LoopPhase>] = [
        { $0.advancing(to: .finishing) },
        { $0.advancing(to: .stopping) },
        { $0 != .ended && $0.mayEnd(hasTimers: true) ? .ended : nil },
        { $0 != .ended && $0.mayEnd(hasTimers: false) ? .ended : nil },
    ]

    @Test func `Every phase is reached, and there are no others`() {
        #expect(Set(reachable(from: .running, by: Self.transitions)) == Set(LoopPhase.allCases))
    }

    @Test(arguments: LoopPhase.allCases)
    func `The phase never goes back`(phase: LoopPhase) {
        for next in Self.transitions.compactMap({ $0(phase) }) { #expect(next.rawValue > phase.rawValue) }
    }

    @Test(arguments: LoopPhase.allCases)
    func `A loop takes work items until it is stopped, and ends only if that was asked for`(phase: LoopPhase) {
        #expect(phase.isOpen == (phase == .running || phase == .finishing))
        #expect(phase.mayEnd(hasTimers: false) == (phase != .running))
        #expect(phase.mayEnd(hasTimers: true) == (phase == .stopping || phase == .ended))
    }
}
