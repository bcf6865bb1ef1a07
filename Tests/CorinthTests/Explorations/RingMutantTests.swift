#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Seeded bugs in the ring. The explorations must find each of them, otherwise the explorations prove nothing.
    @Suite("Ring, seeded bugs", .serialized)
    struct RingMutantTests {
        @Test(arguments: [
            Mutation(site: "publish(_:)", operation: .store, effect: .relaxed),
            Mutation(site: "take()", operation: .load, effect: .relaxed),
            Mutation(site: "free(_:)", operation: .store, effect: .relaxed),
            Mutation(site: "claim(_:)", operation: .load, effect: .relaxed),
        ])
        func `With a weaker ordering, the taker or the next post accesses a cell too early`(mutation: Mutation) {
            expectCaught(mutation, as: .race, Bounds(spinning: 0)) {
                posters(["A": 4], to: Ring(capacity: 2, isForOne: false, isParking: true), $0)
            }
        }

        @Test func `With a weaker ordering, a taker that never sleeps accesses a cell too early`() {
            let mutation = Mutation(site: "publish(_:)", operation: .store, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(), looks)
        }

        @Test func `With a weaker ordering, the taker of a single-producer ring accesses a cell too early`() {
            let mutation = Mutation(site: "claimAlone(_:)", operation: .load, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(spinning: 0)) {
                posters(["A": 4], to: Ring(capacity: 2, isForOne: true, isParking: true), $0)
            }
        }

        @Test func `If a position is claimed with a plain store, two threads claim it`() {
            let mutation = Mutation(site: "claim(_:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race, Bounds(preemptions: 1, spinning: 0)) {
                posters(["A": 1, "B": 1], to: Ring(capacity: 2, isForOne: false, isParking: true), $0)
            }
        }

        @Test func `If the producer role is taken with a plain store, two threads take it`() {
            let mutation = Mutation(site: "isProducer", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race, Bounds(preemptions: 1, spinning: 0)) {
                posters(["A": 1, "B": 1], to: Ring(capacity: 2, isForOne: true, isParking: true), $0)
            }
        }

        @Test(arguments: [
            Mutation(site: "wakeTaker()", operation: .lightBarrier, effect: .skipped),
            Mutation(site: "announceSleep()", operation: .heavyBarrier, effect: .skipped),
            Mutation(site: "wakeTaker()", operation: .wake, effect: .skipped),
        ])
        func `Without one of the barriers, the taker sleeps although an element is there`(mutation: Mutation) {
            expectCaught(mutation, as: .deadlock, Bounds(spinning: 0)) {
                posters(["A": 2], to: Ring(capacity: 4, isForOne: false, isParking: true), $0)
            }
        }

        @Test(arguments: [
            Mutation(site: "free(_:)", operation: .store, effect: .notSequential),
            Mutation(site: "free(_:)", operation: .load, effect: .notSequential),
            Mutation(site: "join(_:)", operation: .store, effect: .notSequential),
            Mutation(site: "claim(_:)", operation: .load, effect: .notSequential),
            Mutation(site: "serve()", operation: .wake, effect: .skipped),
        ])
        func
            `Unless freeing a cell and waiting are sequentially consistent, a thread sleeps although the ring is empty`(
                mutation: Mutation
            )
        {
            expectCaught(mutation, as: .deadlock, Bounds(spinning: 0), oneWaits)
        }

        @Test func `If closing wakes no thread, a thread waits for a free cell forever`() {
            let mutation = Mutation(site: "serve()", operation: .wake, effect: .skipped)
            expectCaught(mutation, as: .deadlock, Bounds(spinning: 0), closes)
        }

        @Test(arguments: [
            Mutation(site: "push(_:)", operation: .compareExchange, effect: .relaxed),
            Mutation(site: "collect()", operation: .update, effect: .relaxed),
        ])
        func `With a weaker ordering, late elements are seen before they are written`(mutation: Mutation) {
            expectCaught(mutation, as: .race, Bounds(spinning: 0)) {
                posters(["A": 1, "B": 1], to: Ring(capacity: 2, isForOne: true, isParking: true), $0)
            }
        }

        @Test func `Without the light barrier, the taker sleeps although a late element is there`() {
            let mutation = Mutation(site: "wakeTaker()", operation: .lightBarrier, effect: .skipped)
            expectCaught(mutation, as: .deadlock, Bounds(spinning: 0)) {
                posters(["A": 1, "B": 1], to: Ring(capacity: 2, isForOne: true, isParking: true), $0)
            }
        }

        @Test func `If a late element is pushed with a plain store, another one is lost`() {
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
