#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of a few threads on one atomic value, stored in a word or in a box.
    @Suite("Atomic, all interleavings", .serialized)
    struct AtomicExplorationTests {
        /// A counted value that is larger than a word.
        struct Large: Sendable {
            var left = 0
            var right = 0
            let token: LeakCounter.Token?

            var isWhole: Bool { left == right }
        }

        @Test(arguments: [0, 1])
        func `A small value: no modification is lost, and modifications don't overlap`(spinning: Int) {
            expectSound(Bounds(preemptions: nil, oldReads: 0, spinning: spinning)) { scenario in
                let atomic = Atomic(0)
                let inside = Tally()
                for name in ["A", "B"] {
                    scenario.thread(name) {
                        atomic.modify { value in
                            PlainAccess.write(inside)
                            value += 1
                        }
                    }
                }
                scenario.finally { scenario.expect(atomic.value == 2, "\(atomic.value) changes") }
            }
        }

        @Test(arguments: [0, 1])
        func `A value biased to one thread: no modification is lost, and modifications don't overlap`(spinning: Int) {
            expectSound(Bounds(preemptions: 3, spinning: spinning, isBiased: true), reaching: [.oldValue]) {
                modifiers(["A": 2, "B": 2], $0)
            }
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: spinning, isBiased: true)) {
                modifiers(["A": 2, "B": 1, "C": 1], $0)
            }
        }

        @Test func `A biased flag names its holder, whether that has the bias, has taken it, or has lost it meanwhile`()
        {
            final class Flagged: @unchecked Sendable { let flag = BiasedFlag() }
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0, isBiased: true)) { scenario in
                let flagged = Flagged()
                scenario.keep(flagged)
                for (name, count) in [("A", 2), ("B", 1)] {
                    scenario.thread(name) {
                        for _ in 1...count {
                            let held = flagged.flag.acquire(for: Never.self)
                            let holder = flagged.flag.flag.word.load(.relaxed).holder
                            scenario.expect(holder == ThreadState.current.token, "the flag names another holder")
                            flagged.flag.release(held)
                        }
                    }
                }
            }
        }

        @Test func `A thread that has slept and then takes a bias wakes the threads that still sleep`() {
            expectSound(
                Bounds(preemptions: 2, oldReads: 0, spinning: 0, isBiased: true, waking: 1), reaching: [.sleep]
            ) { modifiers(["A": 3, "B": 1, "C": 1], $0) }
        }

        @Test func `A large value biased to one thread`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0, isBiased: true), reaching: [.sleep]) {
                scenario in
                let atomic = Atomic([0])
                for (name, count) in [("A", 2), ("B", 1)] {
                    scenario.thread(name) { for _ in 1...count { atomic.modify { $0[0] += 1 } } }
                }
                scenario.finally { scenario.expect(atomic.value == [3], "\(atomic.value) changes") }
            }
        }

        @Test func `Three threads modify a value, and sleeping threads are woken one by one`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0)) { scenario in
                let atomic = Atomic(0)
                for name in ["A", "B", "C"] { scenario.thread(name) { atomic.modify { $0 += 1 } } }
                scenario.finally { scenario.expect(atomic.value == 3, "\(atomic.value) changes") }
            }
        }

        @Test func `A value that is set during another thread's modification stays, and swaps return each value once`()
        {
            expectSound(Bounds(preemptions: nil, oldReads: 0, spinning: 0)) { scenario in
                let atomic = Atomic(0)
                let swapped = Tally()
                scenario.thread("A") { atomic.modify { $0 += 1 } }
                scenario.thread("B") { atomic.value = 10 }
                scenario.thread("C") { swapped.count = atomic.swap(20) }
                scenario.finally {
                    let ends = [swapped.count, atomic.value]
                    // The result of the swap and the final value, for each order of +1, =10 and swap.
                    let possible = [[10, 20], [1, 10], [11, 20], [10, 21], [0, 10], [0, 11]]
                    scenario.expect(
                        possible.contains(ends), "the swap returned \(ends[0]), the final value is \(ends[1])")
                }
            }
        }

        @Test func `A large value: readers see complete values in order, and every box is released`() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { scenario in
                let leaks = LeakCounter()
                let holder = Holder(Atomic(Large(token: leaks.token())))
                scenario.thread("A") {
                    for _ in 0..<2 {
                        holder.held.modify { value in
                            let next = value.left + 1
                            value = Large(left: next, right: next, token: leaks.token())
                        }
                    }
                }
                scenario.thread("B") {
                    var last = 0
                    for _ in 0..<2 {
                        let value = holder.held.value
                        scenario.expect(value.isWhole, "a partial modification: \(value.left), \(value.right)")
                        scenario.expect(value.left >= last, "\(value.left) after \(last)")
                        last = value.left
                    }
                }
                scenario.finally {
                    scenario.expect(holder.held.value.left == 2, "\(holder.held.value.left) changes")
                    scenario.expect(leaks.count == 1, "\(leaks.count) values are alive")
                    holder.release()
                    scenario.expect(leaks.count == 0, "\(leaks.count) values are alive at the end")
                }
            }
        }

        @Test(arguments: [48, 0] as [UInt64])
        func `A cell: when two threads replace its value, each value is returned once`(addressBits: UInt64) {
            expectSound(Bounds(preemptions: addressBits == 0 ? 2 : nil, oldReads: 0)) { scenario in
                let cell = AtomicReference(0, addressBits: addressBits)
                scenario.watch(cell)
                let seen = [Tally(), Tally()]
                for index in 0..<2 { scenario.thread("\(index)") { seen[index].count = cell.exchange(index + 1) } }
                scenario.finally {
                    let all = [seen[0].count, seen[1].count, cell.load()].sorted()
                    scenario.expect(all == [0, 1, 2], "\(all)")
                }
            }
        }

        @Test func `A cell: when two threads update it, neither overwrites the other's change`() {
            expectSound(Bounds(preemptions: nil, oldReads: 0)) { scenario in
                let cell = AtomicReference(0)
                for name in ["A", "B"] { scenario.thread(name) { cell.update { $0 + 1 } } }
                scenario.finally { scenario.expect(cell.load() == 2, "\(cell.load()) changes") }
            }
        }

        @Test func `A bag: elements that two threads insert are present, removed elements are not`() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { scenario in
                let bag = Bag(["first"])
                let first = bag.insert("out")
                scenario.thread("A") { bag.insert("A") }
                scenario.thread("B") {
                    scenario.expect(bag.remove(using: first) == "out", "not found")
                    scenario.expect(bag.remove(using: first) == nil, "found twice")
                }
                scenario.finally { scenario.expect(bag.elements == ["first", "A"], "\(bag.elements)") }
            }
        }
    }

    /// Threads that add 1 to a value, some times each. The plain memory shows whether two of them overlap.
    func modifiers(_ counts: [String: Int], _ scenario: Scenario) {
        let atomic = Atomic(0)
        let inside = Tally()
        scenario.watch(atomic)
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            scenario.thread(name) {
                for _ in 1...count {
                    atomic.modify { value in
                        PlainAccess.write(inside)
                        value += 1
                    }
                }
            }
        }
        let sum = counts.values.reduce(0, +)
        scenario.finally { scenario.expect(atomic.value == sum, "\(atomic.value) changes") }
    }
#endif
