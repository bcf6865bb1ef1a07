#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Seeded bugs in the parts of a property. The explorations must find each of them, otherwise the explorations prove
    /// nothing.
    @Suite("Property, seeded bugs", .serialized)
    struct PropertyMutantTests {
        @Test func `If the cell is held with a plain store, two changes notify in the wrong order`() {
            let mutation = Mutation(site: "acquire()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, oldReads: 0), settersOfOneProperty)
        }

        @Test func `If the cell is held with a plain store, a start misses a change or sees it twice`() {
            let mutation = Mutation(site: "acquire()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, oldReads: 0)) {
                startRacesSetters(setters: 1, each: 2, $0)
            }
        }

        @Test func `If a value is stored without a release, readers don't see the writes before it`() {
            let mutation = Mutation(site: "exchange(_:_:)", operation: .store, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 3), publication)
        }

        @Test func `If a value is read without an acquire, the reader doesn't see the writes before it`() {
            let mutation = Mutation(site: "value", operation: .load, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 3), publication)
        }

        @Test func `If a notification is queued with a plain store, one is lost`() {
            let mutation = Mutation(site: "push(_:by:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, oldReads: 0)) { scenario in
                let property = MutableProperty(0)
                let changes = Changes(scenario)
                property.signal.observeValues { changes.add($0) }
                scenario.keep(property)
                for index in 1...3 { scenario.thread("\(index)") { property.value = index } }
                scenario.finally {
                    scenario.expect(changes.values.count == 3, "changes: \(changes.values)")
                }
            }
        }

        @Test func `If a notification is queued without a release, the owner delivers it before it is written`() {
            let mutation = Mutation(site: "push(_:by:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 3, oldReads: 0), settersOfOneProperty)
        }

        @Test(arguments: [
            Mutation(site: "endUnobserved(_:_:)", operation: .lightBarrier, effect: .skipped),
            Mutation(site: "betweenChanges(_:)", operation: .heavyBarrier, effect: .skipped),
        ])
        func `Without a barrier or an order, the first observer misses a change that is later than the value it reads`(
            _ mutation: Mutation
        ) {
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, oldReads: 2, isBiased: true), firstObservation)
        }

        @Test func `If the first observer doesn't hold the cell by an update, it misses a change`() {
            let mutation = Mutation(site: "tryAcquire()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, oldReads: 2), firstObservation)
        }

        @Test func `If an execution begins with a plain store, two threads change the action's state at once`() {
            let mutation = Mutation(site: "acquire()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, oldReads: 0), twoApplications)
        }
    }
#endif
