@testable import Corinth
import Testing

/// Every state of a stream's end, and each transition.
@Suite("EndMark")
struct EndMarkTests {
    private static let transitions: [Transition<EndMark>] = [
        { $0.queuingInterruption() }, { $0.queuingEnd() }, { _ in .ended }, { $0 == .holding ? .open : nil },
    ]

    private static let everyState = reachable(from: .holding, by: transitions)

    @Test func `There are five states, and a stream that is open doesn't hold values again`() {
        let open = Set([EndMark.open, .ending, .interrupting, .ended].map(\.bits))
        #expect(Set(reachable(from: .open, by: Self.transitions).map(\.bits)) == open)
        #expect(Set(Self.everyState.map(\.bits)) == open.union([EndMark.holding.bits]))
    }

    @Test(arguments: everyState)
    func `A derived signal holds if its source does; what has ended or holds is rare`(state: EndMark) {
        #expect(state.derived == (state == .holding ? .holding : .open))
        #expect(state.isRareToObserve == (state == .holding || state == .ended))
    }

    @Test(arguments: everyState)
    func `The termination that is queued first stays, until the end is settled`(state: EndMark) {
        #expect(state.queuingInterruption() == (state == .open ? .interrupting : nil))
        #expect(state.queuingEnd() == (state == .open ? .ending : nil))
    }

    @Test func `An end that is settled stays so`() {
        #expect(reachable(from: .ended, by: Self.transitions) == [.ended])
    }

    @Test(arguments: everyState)
    func `Queued values are dropped after an interruption and after the end`(state: EndMark) {
        #expect(state.isEnded == (state == .ended))
        #expect(state.isInterrupting == (state == .interrupting))
        #expect(state.dropsQueued == (state == .ended || state == .interrupting))
    }
}
