@testable import Corinth
import Testing

struct DequeTests {
    /// Appends `appends` elements and removes `removals`, again and again.
    @Test(arguments: [(1, 1), (2, 1), (3, 2), (7, 5), (100, 99), (1, 3)])
    func queuesAndForgets(appends: Int, removals: Int) {
        let leaks = LeakCounter()
        var deque = Deque<(number: Int, token: LeakCounter.Token)>()
        var (appended, removed) = (0, 0)
        for _ in 0..<200 {
            for _ in 0..<appends {
                deque.append((appended, leaks.token()))
                appended += 1
            }
            for _ in 0..<removals {
                let element = deque.popFirst()
                #expect(element?.number == (removed < appended ? removed : nil))
                if element != nil { removed += 1 }
            }
            #expect(deque.count == appended - removed)
            #expect(deque.isEmpty == (appended == removed))
            #expect(leaks.count == deque.count)
            // The places of removed elements are at most about half of all.
            #expect(deque.elements.count <= max(2 * deque.count, deque.count + 32))
        }
    }

    /// A removal moves the others only after as many removals: O(1) amortised.
    @Test func movesRarely() {
        var deque = Deque<Int>()
        for number in 0..<10_000 { deque.append(number) }
        var moves = 0
        for number in 0..<10_000 {
            let before = deque.elements.count
            #expect(deque.popFirst() == number)
            if deque.elements.count < before { moves += deque.count }
        }
        #expect(moves <= 10_000)
    }

    @Test(arguments: [false, true])
    func capacity(dropsOldest: Bool) {
        var deque = Deque<Int>()
        for number in 0..<3 {
            let result = deque.append(number, capacity: 3, dropsOldest: dropsOldest)
            #expect(result.isAccepted && result.dropped == nil)
        }
        let result = deque.append(3, capacity: 3, dropsOldest: dropsOldest)
        #expect(result.isAccepted == dropsOldest && result.dropped == (dropsOldest ? 0 : nil))
        #expect(deque.count == 3)
        #expect(deque.popFirst() == (dropsOldest ? 1 : 0))
    }
}
