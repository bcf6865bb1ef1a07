import Corinth
import Testing

@Suite("Bag")
struct BagTests {
    @Test("Elements stay in insertion order, and a token removes its element once")
    func insertAndRemove() {
        let bag = Bag<String>()
        #expect(bag.isEmpty)
        let tokens = ["a", "b", "c"].map { bag.insert($0) }
        #expect(bag.elements == ["a", "b", "c"])
        #expect(bag.remove(using: tokens[1]) == "b")
        #expect(bag.remove(using: tokens[1]) == nil)
        #expect(Array(bag) == ["a", "c"])
        bag.insert("d")
        #expect(bag.elements == ["a", "c", "d"])
        #expect(tokens[0] != tokens[2])
    }

    @Test("An iteration uses one snapshot while other threads change the bag")
    func besideOthers() {
        let bag = Bag(0..<10)
        let isDone = Atomic(false)
        ThreadGroup.run(2) { thread in
            if thread == 0 {
                for _ in 0..<2000 { bag.remove(using: bag.insert(-1)) }
                isDone.value = true
                return
            }
            repeat {
                let seen = [
                    bag.map { $0 }, Array(bag), bag.filter { _ in true }, bag.reversed().reversed(), bag.elements,
                ]
                for elements in seen {
                    #expect(elements == Array(0..<10) || elements == Array(0..<10) + [-1])
                }
                #expect(bag.contains(9))
            } while !isDone.value
        }
    }

    @Test("A bag has a count and indices")
    func collection() {
        let bag = Bag([1, 2, 3])
        #expect(bag.count == 3)
        #expect(bag[1] == 2)
        #expect(bag.first == 1)
        #expect(bag.last == 3)
        #expect(bag.map { $0 * 2 } == [2, 4, 6])
        #expect((bag.startIndex..<bag.endIndex).map { bag[$0] } == [1, 2, 3])
        #expect(Bag<Int>().first == nil && Bag<Int>().isEmpty)
    }

    @Test("An iteration covers the elements that were present when it began")
    func snapshot() {
        let bag = Bag([1, 2, 3])
        var seen: [Int] = []
        for element in bag {
            seen.append(element)
            bag.insert(element * 10)
        }
        #expect(seen == [1, 2, 3])
        #expect(bag.count == 6)
    }

    @Test("Removed elements are released")
    func releases() {
        let leaks = LeakCounter()
        let bag = Bag<LeakCounter.Token>()
        let tokens = (0..<10).map { _ in bag.insert(leaks.token()) }
        for token in tokens.dropFirst(3) { _ = bag.remove(using: token) }
        #expect(leaks.count == 3)
    }

    @Test("Concurrent insertions and removals are all applied, and iterations see consistent snapshots")
    func contended() {
        let bag = Bag([-1])
        let mistakes = Counter()
        ThreadGroup.run(4) { thread in
            for round in 0..<500 {
                let first = bag.insert(thread * 1_000_000 + round)
                let second = bag.insert(thread * 1_000_000 + round)
                let mine = bag.elements.filter { $0 / 1_000_000 == thread && $0 >= 0 }
                if mine != [thread * 1_000_000 + round, thread * 1_000_000 + round] { mistakes.increment() }
                if bag.remove(using: first) == nil || bag.remove(using: second) == nil { mistakes.increment() }
            }
        }
        #expect(mistakes.value == 0)
        #expect(bag.elements == [-1])
    }
}
