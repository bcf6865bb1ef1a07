#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Seeded bugs in the ring. The explorations must find each of them, otherwise the explorations prove nothing.
    @Suite("Ring, seeded bugs", .serialized)
    struct RingMutantTests {
        @Test(
            "With a weaker ordering, the taker or the next post accesses a cell too early",
            arguments: [
                Mutation(site: "publish(_:)", operation: .store, effect: .relaxed),
                Mutation(site: "take()", operation: .load, effect: .relaxed),
                Mutation(site: "free(_:)", operation: .store, effect: .relaxed),
                Mutation(site: "claim(_:)", operation: .load, effect: .relaxed),
            ])
        func cells(mutation: Mutation) {
            expectCaught(mutation, as: .race, Bounds(spinning: 0)) {
                posters(["A": 4], to: Ring(capacity: 2, isForOne: false, isParking: true), $0)
            }
        }

        @Test("With a weaker ordering, a taker that never sleeps accesses a cell too early")
        func cellsOfOneThatNeverSleeps() {
            let mutation = Mutation(site: "publish(_:)", operation: .store, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(), looks)
        }

        @Test("With a weaker ordering, the taker of a single-producer ring accesses a cell too early")
        func cellsForOne() {
            let mutation = Mutation(site: "claimAlone(_:)", operation: .load, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(spinning: 0)) {
                posters(["A": 4], to: Ring(capacity: 2, isForOne: true, isParking: true), $0)
            }
        }

        @Test("If a position is claimed with a plain store, two threads claim it")
        func claimByStore() {
            let mutation = Mutation(site: "claim(_:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race, Bounds(preemptions: 1, spinning: 0)) {
                posters(["A": 1, "B": 1], to: Ring(capacity: 2, isForOne: false, isParking: true), $0)
            }
        }

        @Test("If the producer role is taken with a plain store, two threads take it")
        func producerByStore() {
            let mutation = Mutation(site: "isProducer", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race, Bounds(preemptions: 1, spinning: 0)) {
                posters(["A": 1, "B": 1], to: Ring(capacity: 2, isForOne: true, isParking: true), $0)
            }
        }

        @Test(
            "Without one of the barriers, the taker sleeps although an element is there",
            arguments: [
                Mutation(site: "wakeTaker()", operation: .lightBarrier, effect: .skipped),
                Mutation(site: "announceSleep()", operation: .heavyBarrier, effect: .skipped),
                Mutation(site: "wakeTaker()", operation: .wake, effect: .skipped),
            ])
        func lostWakeUp(mutation: Mutation) {
            expectCaught(mutation, as: .deadlock, Bounds(spinning: 0)) {
                posters(["A": 2], to: Ring(capacity: 4, isForOne: false, isParking: true), $0)
            }
        }

        @Test(
            "Unless freeing a cell and waiting are sequentially consistent, a thread sleeps although the ring is empty",
            arguments: [
                Mutation(site: "free(_:)", operation: .store, effect: .notSequential),
                Mutation(site: "free(_:)", operation: .load, effect: .notSequential),
                Mutation(site: "join(_:)", operation: .store, effect: .notSequential),
                Mutation(site: "claim(_:)", operation: .load, effect: .notSequential),
                Mutation(site: "serve()", operation: .wake, effect: .skipped),
            ])
        func lostRoom(mutation: Mutation) {
            expectCaught(mutation, as: .deadlock, Bounds(spinning: 0), oneWaits)
        }

        @Test("If closing wakes no thread, a thread waits for a free cell forever")
        func lostClose() {
            let mutation = Mutation(site: "serve()", operation: .wake, effect: .skipped)
            expectCaught(mutation, as: .deadlock, Bounds(spinning: 0), closes)
        }

        @Test(
            "With a weaker ordering, late elements are seen before they are written",
            arguments: [
                Mutation(site: "push(_:)", operation: .compareExchange, effect: .relaxed),
                Mutation(site: "collect()", operation: .update, effect: .relaxed),
            ])
        func lateRelaxed(mutation: Mutation) {
            expectCaught(mutation, as: .race, Bounds(spinning: 0)) {
                posters(["A": 1, "B": 1], to: Ring(capacity: 2, isForOne: true, isParking: true), $0)
            }
        }

        @Test("Without the light barrier, the taker sleeps although a late element is there")
        func lateWithoutBarrier() {
            let mutation = Mutation(site: "wakeTaker()", operation: .lightBarrier, effect: .skipped)
            expectCaught(mutation, as: .deadlock, Bounds(spinning: 0)) {
                posters(["A": 1, "B": 1], to: Ring(capacity: 2, isForOne: true, isParking: true), $0)
            }
        }

        @Test("If a late element is pushed with a plain store, another one is lost")
        func lateByStore() {
            let mutation = Mutation(site: "push(_:)", operation: .compareExchange, effect: .storeInstead)
            // No thread takes meanwhile: with this bug, the taker could follow the address of a freed node.
            expectCaught(mutation, as: .broken, Bounds(preemptions: 1, spinning: 0)) { scenario in
                let ring = Ring<Parcel>(capacity: 2, isForOne: false, isParking: true)
                for number in 1...2 { ring.post(Parcel(Sent(sender: "early", number: number)), mayWait: false) }
                for name in ["A", "B"] {
                    scenario.thread(name) { ring.post(Parcel(Sent(sender: name, number: 1)), mayWait: false) }
                }
                scenario.finally {
                    for _ in 1...4 { scenario.expect(ring.take() != nil, "an element was lost") }
                }
            }
        }
    }
#endif
