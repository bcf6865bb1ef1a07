#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Seeded bugs in what a property is made of: each must be found, or the explorations prove nothing.
    @Suite("Property, seeded bugs", .serialized)
    struct PropertyMutantTests {
        @Test("Holding the cell by a plain store lets two changes notify in the wrong order")
        func holdByStore() {
            let mutation = Mutation(site: "acquire()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, oldReads: 0), settersOfOneProperty)
        }

        @Test("Holding the cell by a plain store lets a start miss a change, or see it twice")
        func startByStore() {
            let mutation = Mutation(site: "acquire()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, oldReads: 0)) {
                startRacesSetters(setters: 1, each: 2, $0)
            }
        }

        @Test("Storing without a release hides what led to the value")
        func storeRelaxed() {
            let mutation = Mutation(site: "exchangeWhileHeld(_:)", operation: .store, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 3), publication)
        }

        @Test("Reading without an acquire doesn't see what led to the value")
        func readRelaxed() {
            let mutation = Mutation(site: "value", operation: .load, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 3), publication)
        }

        @Test("Queueing a notification by a plain store loses one")
        func queueByStore() {
            let mutation = Mutation(site: "place(_:by:)", operation: .compareExchange, effect: .storeInstead)
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

        @Test("Queueing a notification without a release lets the owner deliver what isn't written yet")
        func queueRelaxed() {
            let mutation = Mutation(site: "place(_:by:)", operation: .compareExchange, effect: .relaxed)
            expectCaught(mutation, as: .race, Bounds(preemptions: 3, oldReads: 0), settersOfOneProperty)
        }

        @Test("Two threads that begin to execute by a plain store both do")
        func executeByStore() {
            let mutation = Mutation(site: "acquire()", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, oldReads: 0), twoApplications)
        }
    }
#endif
