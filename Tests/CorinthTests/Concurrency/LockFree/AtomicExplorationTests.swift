#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of what a few threads do to one atomic value, word or box.
    @Suite("Atomic, all interleavings", .serialized)
    struct AtomicExplorationTests {
        /// A value that doesn't fit a word, and is counted.
        struct Large: Sendable {
            var left = 0
            var right = 0
            let token: Live.Token?

            var isWhole: Bool { left == right }
        }

        @Test("A small value: no change is lost, and changes don't overlap", arguments: [0, 1])
        func modifySmall(spinning: Int) {
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

        @Test("Three threads change a value, and the sleepers are woken one by one")
        func modifyThree() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0)) { scenario in
                let atomic = Atomic(0)
                for name in ["A", "B", "C"] { scenario.thread(name) { atomic.modify { $0 += 1 } } }
                scenario.finally { scenario.expect(atomic.value == 3, "\(atomic.value) changes") }
            }
        }

        @Test("A value set while another thread modifies stays, and swaps hand each value on once")
        func setRacesModify() {
            expectSound(Bounds(preemptions: nil, oldReads: 0, spinning: 0)) { scenario in
                let atomic = Atomic(0)
                let swapped = Tally()
                scenario.thread("A") { atomic.modify { $0 += 1 } }
                scenario.thread("B") { atomic.value = 10 }
                scenario.thread("C") { swapped.count = atomic.swap(20) }
                scenario.finally {
                    let ends = [swapped.count, atomic.value]
                    // Of the orders of +1, =10 and swap: what the swap returned, and what is there at the end.
                    let possible = [[10, 20], [1, 10], [11, 20], [10, 21], [0, 10], [0, 11]]
                    scenario.expect(possible.contains(ends), "the swap returned \(ends[0]), at the end \(ends[1])")
                }
            }
        }

        @Test("A large value: readers see whole values, in order, and every box is let go of")
        func readRacesModify() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { scenario in
                let live = Live()
                let holder = Holder(Atomic(Large(token: live.token())))
                scenario.thread("A") {
                    for _ in 0..<2 {
                        holder.held.modify { value in
                            let next = value.left + 1
                            value = Large(left: next, right: next, token: live.token())
                        }
                    }
                }
                scenario.thread("B") {
                    var last = 0
                    for _ in 0..<2 {
                        let value = holder.held.value
                        scenario.expect(value.isWhole, "half of a change: \(value.left), \(value.right)")
                        scenario.expect(value.left >= last, "\(value.left) after \(last)")
                        last = value.left
                    }
                }
                scenario.finally {
                    scenario.expect(holder.held.value.left == 2, "\(holder.held.value.left) changes")
                    scenario.expect(live.count == 1, "\(live.count) values are held")
                    holder.release()
                    scenario.expect(live.count == 0, "\(live.count) values are held at the end")
                }
            }
        }

        @Test("A cell: two threads that replace its value hand each value on once", arguments: [48, 0] as [UInt64])
        func exchange(addressBits: UInt64) {
            expectSound(Bounds(preemptions: addressBits == 0 ? 2 : nil)) { scenario in
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

        @Test("A cell: of two threads that update it, none overwrites the other's change")
        func update() {
            expectSound(Bounds(preemptions: nil, oldReads: 0)) { scenario in
                let cell = AtomicReference(0)
                for name in ["A", "B"] { scenario.thread(name) { cell.update { $0 + 1 } } }
                scenario.finally { scenario.expect(cell.load() == 2, "\(cell.load()) changes") }
            }
        }

        @Test("A bag: what two threads put in is there, what was taken out is not")
        func bag() {
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
#endif
