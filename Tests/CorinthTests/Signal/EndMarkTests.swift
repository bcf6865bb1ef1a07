@testable import Corinth
import Testing

/// Every state of a stream's end, and each transition.
@Suite("EndMark")
struct EndMarkTests {
    private static let transitions: [Transition<EndMark>] = [
        { $0.queuingInterruption() }, { $0.queuingEnd() }, { _ in .ended },
    ]

    private static let everyState = reachable(from: .open, by: transitions)

    @Test("There are four states")
    func reachableStates() {
        #expect(Set(Self.everyState.map(\.bits)) == Set([EndMark.open, .ending, .interrupting, .ended].map(\.bits)))
    }

    @Test("The termination that is queued first stays, until the end is settled", arguments: everyState)
    func queuing(state: EndMark) {
        #expect(state.queuingInterruption() == (state == .open ? .interrupting : nil))
        #expect(state.queuingEnd() == (state == .open ? .ending : nil))
    }

    @Test("An end that is settled stays so")
    func end() {
        #expect(reachable(from: .ended, by: Self.transitions) == [.ended])
    }

    @Test("Queued values are dropped after an interruption and after the end", arguments: everyState)
    func queries(state: EndMark) {
        #expect(state.isEnded == (state == .ended))
        #expect(state.isInterrupting == (state == .interrupting))
        #expect(state.dropsQueued == (state == .ended || state == .interrupting))
    }
}
