#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Seeded bugs in atomic values. The explorations must find each of them, otherwise the explorations prove nothing.
    @Suite("Atomic, seeded bugs", .serialized)
    struct AtomicMutantTests {
        @Test
        func `If the flag is acquired or released without ordering, a holder misses the previous holder's changes`() {
            let acquire = Mutation(site: "acquire()", operation: .compareExchange, effect: .relaxed)
            expectCaught(acquire, as: .race, Bounds(), holders)
            let release = Mutation(site: "release(_:)", operation: .update, effect: .relaxed)
            expectCaught(release, as: .race, Bounds(), holders)
        }

        @Test func `If the flag is acquired with a plain store, two threads hold it`() {
            let mutation = Mutation(site: "acquire()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race, Bounds(), holders)
        }

        @Test func `If the flag is released without a wake-up, a sleeping thread never wakes`() {
            let mutation = Mutation(site: "release(_:)", operation: .wake, effect: .skipped)
            expectCaught(mutation, as: .deadlock, Bounds(spinning: 0), holders)
        }

        @Test(arguments: [
            Mutation(site: "enter()", operation: .update, effect: .relaxed),
            Mutation(site: "exchange(_:)", operation: .update, effect: .relaxed),
            Mutation(site: "signOff(from:)", operation: .compareExchange, effect: .relaxed),
            Mutation(site: "readersCame(_:)", operation: .update, effect: .relaxed),
            Mutation(site: "readersLeft(_:)", operation: .update, effect: .relaxed),
        ])
        func `If a cell's ordering is weaker, a reader sees a box before it is written or after it is freed`(
            mutation: Mutation
        ) {
            expectCaught(mutation, as: .race, Bounds(preemptions: 3)) { scenario in
                let cell = AtomicReference(0)
                scenario.thread("A") { for value in 1...2 { cell.exchange(value) } }
                scenario.thread("B") { _ = cell.load() }
                scenario.thread("C") { _ = cell.load() }
            }
        }

        @Test func `If a cell is updated with a plain store, a change is lost`() {
            let mutation = Mutation(site: "update(_:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken) { scenario in
                let cell = AtomicReference(0)
                for name in ["A", "B"] { scenario.thread(name) { cell.update { $0 + 1 } } }
                scenario.finally { scenario.expect(cell.load() == 2, "\(cell.load()) changes") }
            }
        }

        @Test(arguments: [
            Mutation(site: "tryEnterByBias(_:namesOwner:)", operation: .lightBarrier, effect: .skipped),
            Mutation(site: "tryEnterByBias(_:namesOwner:)", operation: .store, effect: .skipped),
            Mutation(site: "takeBias(_:namesOwner:)", operation: .load, effect: .relaxed),
            Mutation(site: "takeBias(_:namesOwner:)", operation: .compareExchange, effect: .relaxed),
            Mutation(site: "leaveByBias(_:namesOwner:)", operation: .store, effect: .relaxed),
            Mutation(site: "releaseWithoutBias(_:)", operation: .compareExchange, effect: .relaxed),
        ])
        func `Without a barrier, a mark or an order, two threads hold a biased flag at the same time`(
            _ mutation: Mutation
        ) {
            expectCaught(mutation, as: .race, Bounds(preemptions: 3, spinning: 0, isBiased: true), biasedHolders)
        }

        @Test func `If a thread that takes a bias forgets that it has slept, threads that still sleep are never woken`()
        {
            let mutation = Mutation(site: "noteSleepers(_:)", operation: .update, effect: .skipped)
            let bounds = Bounds(preemptions: 2, oldReads: 0, spinning: 0, isBiased: true, waking: 1)
            expectCaught(mutation, as: .deadlock, bounds) { modifiers(["A": 3, "B": 1, "C": 1], $0) }
        }

        @Test(arguments: [
            Mutation(site: "leaveByBias(_:namesOwner:)", operation: .lightBarrier, effect: .skipped),
            Mutation(site: "takeBias(_:namesOwner:)", operation: .heavyBarrier, effect: .skipped),
        ])
        func
            `If one of two threads looks at the other's word before it has written its own, the flag is never released`(
                _ mutation: Mutation
            )
        {
            expectCaught(mutation, as: .deadlock, Bounds(preemptions: 3, spinning: 0, isBiased: true)) {
                modifiers(["A": 2, "B": 1], $0)
            }
        }

        @Test func `A biased flag has one holder at a time, which sees what the last one wrote`() {
            expectSound(Bounds(preemptions: 3, spinning: 0, isBiased: true), biasedHolders)
        }

        private func biasedHolders(_ scenario: Scenario) {
            final class Flagged: @unchecked Sendable { let flag = BiasedFlag() }
            let flagged = Flagged()
            let inside = Tally()
            scenario.watch(flagged)
            for (name, count) in [("A", 2), ("B", 1)] {
                scenario.thread(name) {
                    for _ in 1...count {
                        let held = flagged.flag.acquire(for: Never.self)
                        PlainAccess.write(inside)
                        flagged.flag.release(held)
                    }
                }
            }
        }

        private func holders(_ scenario: Scenario) {
            final class Flagged: @unchecked Sendable { let flag = OwnerFlag() }
            let flagged = Flagged()
            let inside = Tally()
            for name in ["A", "B"] {
                scenario.thread(name) {
                    let held = flagged.flag.acquire()
                    PlainAccess.write(inside)
                    flagged.flag.release(held)
                }
            }
        }
    }
#endif
