import Corinth
import CorinthTesting
import Testing

@Suite("Bag")
struct BagTests {
    @Test func `Elements stay in insertion order, and a token removes its element once`() {
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

    @Test func `An iteration uses one snapshot while other threads change the bag`() {
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

    @Test func `A bag has a count and indices`() {
        let bag = Bag([1, 2, 3])
        #expect(bag.count == 3)
        #expect(bag[1] == 2)
        #expect(bag.first == 1)
        #expect(bag.last == 3)
        #expect(bag.map { $0 * 2 } == [2, 4, 6])
        #expect((bag.startIndex..<bag.endIndex).map { bag[$0] } == [1, 2, 3])
        #expect(Bag<Int>().first == nil && Bag<Int>().isEmpty)
    }

    @Test func `An iteration covers the elements that were present when it began`() {
        let bag = Bag([1, 2, 3])
        var seen: [Int] = []
        for element in bag {
            seen.append(element)
            bag.insert(element * 10)
        }
        #expect(seen == [1, 2, 3])
        #expect(bag.count == 6)
    }

    /// With up to 1,500 elements, the tree has three levels. Few elements are left at times, so that levels are given up again.
    @Test(arguments: 1...10)
    func `A bag of many elements equals a list, and snapshots stay as they were`(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let bag = Bag<Int>()
        var list: [(element: Int, token: Bag<Int>.Token)] = []
        var snapshots: [(iterator: Bag<Int>.Iterator, elements: [Int])] = []
        var removed: Bag<Int>.Token?
        for round in 0..<6_000 {
            let grows = round / 1_500 % 2 == 0
            if list.isEmpty || Int.random(in: 0..<20, using: &dice) < (grows ? 19 : 1) {
                list.append((round, bag.insert(round)))
            } else {
                let index = Bool.random(using: &dice) ? 0 : Int.random(in: 0..<list.count, using: &dice)
                let (element, token) = list.remove(at: index)
                #expect(bag.remove(using: token) == element)
                removed = token
            }
            if let removed, round % 64 == 0 { #expect(bag.remove(using: removed) == nil) }
            guard round % 128 == 0 else { continue }
            let elements = list.map(\.element)
            #expect(bag.elements == elements)
            #expect(bag.count == elements.count && bag.isEmpty == elements.isEmpty)
            #expect(bag.first == elements.first && bag.last == elements.last)
            #expect(elements.indices.allSatisfy { bag[$0] == elements[$0] })
            snapshots.append((bag.makeIterator(), elements))
        }
        for (iterator, elements) in snapshots {
            #expect(Array(IteratorSequence(iterator)) == elements)
        }
    }

    @Test(arguments: [0, 1, 16, 17, 256, 257, 5_000])
    func `A bag of a sequence has its elements`(count: Int) {
        let bag = Bag(0..<count)
        #expect(bag.elements == Array(0..<count))
        #expect(Array(bag) == Array(0..<count))
        let token = bag.insert(-1)
        #expect(bag.count == count + 1 && bag.last == -1)
        #expect(bag.remove(using: token) == -1)
        #expect(bag.elements == Array(0..<count))
    }

    @Test func `Removed elements are released`() {
        let leaks = LeakCounter()
        let bag = Bag<LeakCounter.Token>()
        let tokens = (0..<10).map { _ in bag.insert(leaks.token()) }
        for token in tokens.dropFirst(3) { _ = bag.remove(using: token) }
        #expect(leaks.count == 3)
    }

    @Test func `Concurrent insertions and removals are all applied, and iterations see consistent snapshots`() {
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
