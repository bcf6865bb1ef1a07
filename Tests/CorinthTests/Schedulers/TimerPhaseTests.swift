@testable import Corinth
import Testing

/// Every phase of a timer, and each transition.
@Suite("TimerPhase")
struct TimerPhaseTests {
    private static func transitions(isRepeated: Bool) -> [Transition<TimerPhase>] {
        [{ $0.beginning(isRepeated: isRepeated) }, { $0.finishing() }, { _ in .over }]
    }

    @Test func `A repeated action reaches every phase, and one that runs once is over when it begins`() {
        #expect(Set(reachable(from: .waiting, by: Self.transitions(isRepeated: true))) == Set(TimerPhase.allCases))
        #expect(Set(reachable(from: .waiting, by: Self.transitions(isRepeated: false))) == [.waiting, .over])
    }

    @Test(arguments: TimerPhase.allCases)
    func `An action begins only when it waits, and waits again only when it has run`(phase: TimerPhase) {
        #expect(phase.beginning(isRepeated: true) == (phase == .waiting ? .running : nil))
        #expect(phase.beginning(isRepeated: false) == (phase == .waiting ? .over : nil))
        #expect(phase.finishing() == (phase == .running ? .waiting : nil))
    }

    @Test(arguments: [false, true])
    func `What is over stays over`(isRepeated: Bool) {
        #expect(reachable(from: .over, by: Self.transitions(isRepeated: isRepeated)) == [.over])
    }
}
