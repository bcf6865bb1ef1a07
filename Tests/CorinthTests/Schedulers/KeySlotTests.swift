@testable import Corinth
import Testing

/// A key's slot, and its transition.
@Suite("KeySlot")
struct KeySlotTests {
    private static let transitions: [Transition<KeySlot>] = [0, 1, 1023].map { index in { $0.assigning(to: index) } }

    @Test func `A slot is free, or has one scheduler for ever`() {
        let slots = reachable(from: .free, by: Self.transitions)
        #expect(slots.map(\.index) == [nil, 0, 1, 1023])
        for slot in slots.dropFirst() { #expect(reachable(from: slot, by: Self.transitions) == [slot]) }
    }
}
