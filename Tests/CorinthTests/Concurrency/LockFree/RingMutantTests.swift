#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Seeded bugs in the ring: each must be found, or the explorations prove nothing.
    @Suite("Ring, seeded bugs", .serialized)
    struct RingMutantTests {
        @Test(
            "One order less lets the taking thread, or the next post, touch a cell too early",
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

        @Test("So it does where the taking thread never sleeps")
        func cellsOfOneThatNeverSleeps() {
            let mutation = Mutation(site: "publish(_:)", operation: .store, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(), looks)
        }

        @Test("So it does where one thread posts")
        func cellsForOne() {
            let mutation = Mutation(site: "claimAlone(_:)", operation: .load, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(spinning: 0)) {
                posters(["A": 4], to: Ring(capacity: 2, isForOne: true, isParking: true), $0)
            }
        }

        @Test("Claiming a position by a plain store gives it to two threads")
        func claimByStore() {
            let mutation = Mutation(site: "claim(_:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race, Bounds(preemptions: 1, spinning: 0)) {
                posters(["A": 1, "B": 1], to: Ring(capacity: 2, isForOne: false, isParking: true), $0)
            }
        }

        @Test("Becoming the one that posts by a plain store makes two")
        func producerByStore() {
            let mutation = Mutation(site: "isProducer", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race, Bounds(preemptions: 1, spinning: 0)) {
                posters(["A": 1, "B": 1], to: Ring(capacity: 2, isForOne: true, isParking: true), $0)
            }
        }

        @Test(
            "Without the one order of posting and falling asleep, the taking thread sleeps beside an element",
            arguments: [
                Mutation(site: "publish(_:)", operation: .store, effect: .notSequential),
                Mutation(site: "wakeTaker()", operation: .load, effect: .notSequential),
                Mutation(site: "announceSleep()", operation: .store, effect: .notSequential),
                Mutation(site: "hasNews(since:)", operation: .load, effect: .notSequential),
                Mutation(site: "wakeTaker()", operation: .wake, effect: .skipped),
            ])
        func lostWakeUp(mutation: Mutation) {
            expectCaught(mutation, as: .deadlock, Bounds(spinning: 0)) {
                posters(["A": 2], to: Ring(capacity: 4, isForOne: false, isParking: true), $0)
            }
        }

        @Test(
            "Without the one order of giving room and waiting for it, a thread sleeps beside an empty ring",
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

        @Test("A close that wakes nobody leaves a thread waiting for room")
        func lostClose() {
            let mutation = Mutation(site: "serve()", operation: .wake, effect: .skipped)
            expectCaught(mutation, as: .deadlock, Bounds(spinning: 0), closes)
        }

        @Test(
            "Late elements with one order less are seen before they are written",
            arguments: [
                Mutation(site: "push(_:)", operation: .compareExchange, effect: .relaxed),
                Mutation(site: "collect()", operation: .update, effect: .relaxed),
            ])
        func lateRelaxed(mutation: Mutation) {
            expectCaught(mutation, as: .race, Bounds(spinning: 0)) {
                posters(["A": 1, "B": 1], to: Ring(capacity: 2, isForOne: true, isParking: true), $0)
            }
        }

        @Test("A late element that isn't in the one order lets the taking thread sleep beside it")
        func lateNotSequential() {
            let mutation = Mutation(site: "push(_:)", operation: .compareExchange, effect: .notSequential)
            expectCaught(mutation, as: .deadlock, Bounds(spinning: 0)) {
                posters(["A": 1, "B": 1], to: Ring(capacity: 2, isForOne: true, isParking: true), $0)
            }
        }

        @Test("Pushing a late element by a plain store loses another")
        func lateByStore() {
            let mutation = Mutation(site: "push(_:)", operation: .compareExchange, effect: .storeInstead)
            // Nobody takes meanwhile: with this bug, that might follow the address of a node that is gone.
            expectCaught(mutation, as: .broken, Bounds(preemptions: 1, spinning: 0)) { scenario in
                let ring = Ring<Parcel>(capacity: 2, isForOne: false, isParking: true)
                for number in 1...2 { ring.post(Parcel(Sent(sender: "early", number: number)), mayWait: false) }
                for name in ["A", "B"] {
                    scenario.thread(name) { ring.post(Parcel(Sent(sender: name, number: 1)), mayWait: false) }
                }
                scenario.finally {
                    for _ in 1...4 { scenario.expect(ring.take() != nil, "an element is lost") }
                }
            }
        }
    }
#endif
