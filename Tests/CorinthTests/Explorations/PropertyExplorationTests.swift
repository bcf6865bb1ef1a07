#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of a few threads that set, read and observe one property.
    @Suite("Property, all interleavings", .serialized)
    struct PropertyExplorationTests {
        @Test func `R1, R3: two setters: no change is lost, and the last notification is the final value`() {
            expectSound(Bounds(preemptions: 4, oldReads: 0), settersOfOneProperty)
        }

        @Test
        func
            `R1, R3: two setters that sleep while they wait: no change is lost, and the last notification is the final value`()
        {
            expectSound(
                Bounds(preemptions: 3, oldReads: 0, spinning: 0), reaching: [.sleep],
                settersOfOneProperty)
        }

        @Test func `R3: three setters, one of which modifies: changes don't overlap, and none is lost`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let property = MutableProperty(0)
                let changes = Changes(scenario)
                property.signal.observeValues { changes.add($0) }
                scenario.watch(property)
                scenario.thread("A") { property.modify { $0 += 1 } }
                scenario.thread("B") { property.modify { $0 += 10 } }
                scenario.thread("C") { property.value = 100 }
                scenario.finally {
                    scenario.expect(changes.values.count == 3, "changes: \(changes.values)")
                    scenario.expect(changes.values.last == property.value, "\(changes.values), \(property.value)")
                    let possible = [111, 110, 101, 100]
                    scenario.expect(possible.contains(property.value), "the final value is \(property.value)")
                }
            }
        }

        @Test func `R1: a thread that reads a value also sees the writes before it`() {
            expectSound(Bounds(preemptions: nil), reaching: [.oldValue], publication)
        }

        @Test func `R2: a start receives the current value first, then every change once`() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) {
                startRacesSetters(setters: 1, each: 2, $0)
            }
        }

        @Test func `R2: a start that is concurrent with two setters receives every change once`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) {
                startRacesSetters(setters: 2, each: 1, $0)
            }
        }

        @Test func `R2: two starts that are concurrent with a setter receive every change once`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let property = MutableProperty(0)
                scenario.watch(property)
                scenario.thread("setter") { property.value = 1 }
                let seen = [Changes(scenario), Changes(scenario)]
                for changes in seen {
                    scenario.thread("starter") { property.producer.startWithValues { changes.add($0) } }
                }
                scenario.finally {
                    for changes in seen {
                        scenario.expect([[0, 1], [1]].contains(changes.values), "seen: \(changes.values)")
                    }
                }
            }
        }

        @Test func `R2, E7: a start can be disposed of while another thread sets the property`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let property = MutableProperty(0)
                let seen = Changes(scenario)
                let ends = Tally()
                scenario.watch(property)
                scenario.thread("setter") { property.value = 1 }
                scenario.thread("starter") {
                    let disposable = property.producer.start { event in
                        if let value = event.value {
                            scenario.expect(ends.count == 0, "\(value) was delivered after the end")
                            seen.add(value)
                        } else {
                            ends.count += 1
                        }
                    }
                    disposable.dispose()
                }
                scenario.finally {
                    scenario.expect([[0, 1], [0], [1]].contains(seen.values), "seen: \(seen.values)")
                    scenario.expect(ends.count == 1, "\(ends.count) ends")
                }
            }
        }

        @Test func `R2: a start while the property is deallocated receives a value and the completion`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let holder = Holder<MutableProperty<Int>?>(MutableProperty(7))
                let producer = holder.held?.producer
                let events = Holder([String]())
                scenario.thread("owner") { holder.held = nil }
                scenario.thread("starter") { producer?.start { events.held.append("\($0)") } }
                scenario.finally {
                    scenario.expect(events.held == ["VALUE 7", "COMPLETED"], "\(events.held)")
                }
            }
        }

        @Test
        func `R2: a composed property follows its source, even if other threads set the source while it is created`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let property = MutableProperty(0)
                let view = Holder<Property<Int>?>(nil)
                scenario.watch(property)
                scenario.thread("setter") { property.value = 1 }
                scenario.thread("maker") { view.held = property.map { $0 * 10 } }
                scenario.finally {
                    scenario.expect(view.held?.value == 10, "\(String(describing: view.held?.value))")
                }
            }
        }

        @Test func `R2: a property composed of two waits for its first value while one of them is set`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0)) { scenario in
                let a = MutableProperty(0)
                let b = MutableProperty(5)
                let view = Holder<Property<(Int, Int)>?>(nil)
                scenario.watch(a, b)
                scenario.thread("setter") { a.value = 1 }
                scenario.thread("maker") { view.held = a.combineLatest(with: b) }
                scenario.finally {
                    guard let value = view.held?.value else { return scenario.expect(false, "there is no value") }
                    scenario.expect(value == (1, 5), "\(value)")
                }
            }
        }

        @Test func `R1, R3: the first observer misses no change that is later than the value it reads`() {
            expectSound(Bounds(preemptions: 2, oldReads: 2, isBiased: true), firstObservation)
        }

        @Test func `R3: two threads that observe a property for the first time get the same signal`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let property = MutableProperty(0)
                let observers = [(Changes(scenario), Tally()), (Changes(scenario), Tally())]
                scenario.watch(property)
                scenario.thread("setter") { property.value = 1 }
                for (changes, read) in observers {
                    scenario.thread("observer") {
                        property.signal.observeValues { changes.add($0) }
                        read.count = property.value
                    }
                }
                scenario.finally {
                    for (changes, read) in observers {
                        let isComplete = changes.values == [1] || read.count == 1 && changes.values.isEmpty
                        scenario.expect(isComplete, "\(read.count) was read, then came \(changes.values)")
                    }
                }
            }
        }

        @Test func `R2: the first start receives the current value, then every later change once`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, isBiased: true)) { scenario in
                let property = MutableProperty(0)
                let changes = Changes(scenario)
                scenario.watch(property)
                scenario.thread("setter") { for value in 1...2 { property.value = value } }
                scenario.thread("starter") { property.producer.startWithValues { changes.add($0) } }
                scenario.finally {
                    scenario.expect([[0, 1, 2], [1, 2], [2]].contains(changes.values), "seen: \(changes.values)")
                }
            }
        }

        @Test func `R4: the first observer of a property that is being modified doesn't wait, even inside the change`()
        {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0)) { scenario in
                let properties = [MutableProperty(0), MutableProperty(0)]
                let changes = [Changes(scenario), Changes(scenario)]
                for property in properties { scenario.watch(property) }
                for (mine, other) in [(0, 1), (1, 0)] {
                    scenario.thread("\(mine)") {
                        properties[mine].modify {
                            properties[other].signal.observeValues { changes[other].add($0) }
                            $0 = 1
                        }
                    }
                }
                scenario.finally {
                    for (property, changes) in zip(properties, changes) {
                        scenario.expect(property.value == 1, "\(property.value)")
                        scenario.expect([[1], []].contains(changes.values), "seen: \(changes.values)")
                    }
                    // Whoever observed second did so inside its own change, before it was delivered.
                    scenario.expect(changes.contains { !$0.values.isEmpty }, "both changes were missed")
                }
            }
        }

        @Test func `R4: two properties that set each other from two threads don't deadlock`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let a = MutableProperty(0)
                let b = MutableProperty(0)
                scenario.watch(a, b)
                a.signal.observeValues { if b.value < $0 { b.value = $0 } }
                b.signal.observeValues { if a.value < $0 { a.value = $0 } }
                scenario.thread("A") { a.value = 1 }
                scenario.thread("B") { b.value = 2 }
                scenario.finally {
                    scenario.expect(a.value == b.value || a.value == 2 || b.value == 2, "\(a.value), \(b.value)")
                }
            }
        }
    }

    /// Two threads set a property that has an observer.
    func settersOfOneProperty(_ scenario: Scenario) {
        let property = MutableProperty(0)
        let changes = Changes(scenario)
        property.signal.observeValues { changes.add($0) }
        scenario.watch(property)
        scenario.thread("A") { property.value = 1 }
        scenario.thread("B") { property.value = 2 }
        scenario.finally {
            scenario.expect(changes.values.sorted() == [1, 2], "changes: \(changes.values)")
            scenario.expect(
                changes.values.last == property.value, "\(property.value) after changes to \(changes.values)")
        }
    }

    /// A thread sets a property while another one observes it for the first time, and then reads it.
    func firstObservation(_ scenario: Scenario) {
        let property = MutableProperty(0)
        let changes = Changes(scenario)
        let seen = Tally()
        // Not the value: a thread whose observer waits for a delivery may read an older one on some processors.
        scenario.watch(property)
        scenario.thread("setter") { for value in 1...2 { property.value = value } }
        scenario.thread("observer") {
            property.signal.observeValues { changes.add($0) }
            seen.count = property.value
        }
        scenario.finally {
            let possible = [[1, 2], [2], []].filter { $0.count >= 2 - seen.count }
            scenario.expect(possible.contains(changes.values), "\(seen.count) was read, then came \(changes.values)")
        }
    }

    /// A thread writes plain memory and sets a property. A thread that reads the new value then reads that memory.
    func publication(_ scenario: Scenario) {
        let property = MutableProperty(0)
        let payload = Tally()
        scenario.watch(property, property.engine.cell.atomic)
        scenario.thread("writer") {
            PlainAccess.write(payload)
            payload.count = 5
            property.value = 1
        }
        scenario.thread("reader") {
            if property.value == 1 {
                PlainAccess.read(payload)
                scenario.expect(payload.count == 5, "read \(payload.count)")
            }
        }
    }

    /// Some threads set a property several times each, and another one starts its producer. The start receives a suffix of what
    /// an earlier observer receives.
    func startRacesSetters(setters: Int, each: Int, _ scenario: Scenario) {
        let property = MutableProperty(0)
        let changes = Changes(scenario)
        let seen = Changes(scenario)
        property.signal.observeValues { changes.add($0) }
        scenario.watch(property)
        for setter in 1...setters {
            scenario.thread("setter \(setter)") {
                for number in 1...each { property.value = setter * 10 + number }
            }
        }
        scenario.thread("starter") { property.producer.startWithValues { seen.add($0) } }
        scenario.finally {
            let all = [0] + changes.values
            scenario.expect(changes.values.count == setters * each, "changes: \(changes.values)")
            scenario.expect(changes.values.last == property.value, "\(property.value) after \(changes.values)")
            scenario.expect(!seen.values.isEmpty, "the start received no value")
            scenario.expect(
                Array(all.suffix(seen.values.count)) == seen.values, "the start received \(seen.values) of \(all)")
        }
    }

    /// The values that an observer received. It is plain memory on purpose: only the property keeps deliveries from
    /// overlapping.
    final class Changes: @unchecked Sendable {  // See above.
        private let scenario: Scenario
        private let between = SharedWord()
        private var isAdding = false
        private(set) var values: [Int] = []

        init(_ scenario: Scenario) {
            self.scenario = scenario
        }

        func add(_ value: Int) {
            PlainAccess.write(self)
            scenario.expect(!isAdding, "\(value) is delivered during another delivery")
            isAdding = true
            values.append(value)
            between.pass()
            isAdding = false
            PlainAccess.write(self)
        }
    }
#endif
