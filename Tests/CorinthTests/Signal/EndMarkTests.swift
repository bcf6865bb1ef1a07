@testable import Corinth
import Testing

/// Every state of a stream's end, and each transition.
@Suite("EndMark")
struct EndMarkTests {
    private static let transitions: [Transition<EndMark>] = [
        { $0.queuingInterruption() }, { $0.queuingEnd() }, { _ in .ended }, { $0 == .holding ? .open : nil },
    ]

    private static let everyState = reachable(from: .holding, by: transitions)

    @Test("There are five states, and a stream that is open doesn't hold values again")
    func reachableStates() {
        let open = Set([EndMark.open, .ending, .interrupting, .ended].map(\.bits))
        #expect(Set(reachable(from: .open, by: Self.transitions).map(\.bits)) == open)
        #expect(Set(Self.everyState.map(\.bits)) == open.union([EndMark.holding.bits]))
    }

    @Test("A derived signal holds if its source does; what has ended or holds is rare", arguments: everyState)
    func holding(state: EndMark) {
        #expect(state.derived == (state == .holding ? .holding : .open))
        #expect(state.isRareToObserve == (state == .holding || state == .ended))
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
