import CorinthTesting
import Testing

@testable import CorinthServices

struct PriorityQueueTests {
    /// What it should do, in linear time.
    private struct Model {
        var elements: [(priority: Int, number: Int, slot: Int)] = []

        var sorted: [Int] {
            elements.indices.sorted { left, right in
                (-elements[left].priority, elements[left].number) < (-elements[right].priority, elements[right].number)
            }
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `It does what a sorted list does`(seed: UInt64) {
        var (dice, model, queue) = (SeededGenerator(seed: seed), Model(), PriorityQueue<Int>())
        for number in 0..<1000 {
            // It grows, and is emptied now and then.
            let isGrowing = number / 125 % 2 == 0
            switch Int.random(in: 0..<6, using: &dice) {
            case 0..<(isGrowing ? 4 : 1):
                let priority = Int.random(in: -2...2, using: &dice)
                model.elements.append((priority, number, queue.insert(number, priority)))
            case 4:
                #expect(queue.popLast() == model.sorted.last.map { model.elements.remove(at: $0).number })
            case 3:
                guard let chosen = model.elements.indices.randomElement(using: &dice) else { continue }
                let removed = model.elements.remove(at: chosen)
                #expect(queue.remove(removed.slot) { $0 == removed.number } == removed.number)
                #expect(queue.remove(removed.slot) { $0 == removed.number } == nil)
            default:
                #expect(queue.popFirst() == model.sorted.first.map { model.elements.remove(at: $0).number })
            }
            #expect(queue.count == model.elements.count)
            #expect(queue.leastPriority == model.elements.map(\.priority).min())
        }
        while let last = queue.popFirst() {
            #expect(last == model.sorted.first.map { model.elements.remove(at: $0).number })
        }
        #expect(model.elements.isEmpty && queue.count == 0)
    }

    @Test func `What is taken out is released`() {
        final class Token {}
        var queue = PriorityQueue<Token>()
        weak var weakToken: Token?
        do {
            let token = Token()
            weakToken = token
            queue.insert(token, 1)
            queue.insert(Token(), 1)
        }
        #expect(weakToken != nil)
        _ = queue.popFirst()
        #expect(weakToken == nil)
        #expect(queue.count == 1)
    }
}
