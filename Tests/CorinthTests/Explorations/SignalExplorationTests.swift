#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of a few threads on one signal.
    @Suite("Signal, all interleavings", .serialized)
    struct SignalExplorationTests {
        @Test
        func `E7: after dispose() has returned, an observer receives no later event; the other observers receive all`()
        {
            expectSound(Bounds(preemptions: 2), reaching: [.oldValue]) { scenario in
                let (output, input) = Signal<Sent, Never>.pipe()
                scenario.keep(input)
                let disposed = SharedWord()
                let all = Deliveries(scenario)
                let observation = output.observeValues { event in
                    scenario.expect(event.sender != "late", "\(event) was delivered after dispose()")
                }
                output.observeValues { all.deliver($0) }
                scenario.watch(observation as AnyObject, output.core, output.core.strand)
                scenario.thread("A") {
                    observation?.dispose()
                    disposed.raise()
                }
                scenario.thread("B") {
                    for number in 1...2 {
                        input.send(value: Sent(sender: disposed.isRaised ? "late" : "B", number: number))
                    }
                }
                scenario.finally { scenario.expect(all.events.map(\.number) == [1, 2], "delivered: \(all.events)") }
            }
        }

        @Test
        func `E7: observers of a signal and of one derived from it, disposed of during a delivery, are all removed`() {
            expectSound(Bounds(preemptions: 2), reaching: [.oldValue]) { scenario in
                let (output, input) = Signal<Int, Never>.pipe()
                scenario.keep(input)
                let leaks = LeakCounter()
                let derived = output.map { $0 + 1 }
                let observations = [output, derived].map { signal in
                    signal.observeValues { [token = leaks.token()] _ in token.touch() }
                }
                scenario.watch(output.core, derived.core, output.core.strand)
                for (index, observation) in observations.enumerated() {
                    scenario.thread("disposes of \(index)") { observation?.dispose() }
                }
                scenario.thread("sends") { input.send(value: 1) }
                scenario.finally {
                    scenario.expect(leaks.count == 0, "\(leaks.count) observers are still held")
                    scenario.expect(output.core.strand.removals.isEmpty, "an observation is left over")
                }
            }
        }

        /// What another thread does to the source while one of its derived signals ends in a delivery.
        enum Meanwhile: CaseIterable {
            case sends, ends, disposes, observes, alsoEndsOne
        }

        @Test(arguments: Meanwhile.allCases)
        func `S3: a derived signal that ends in a delivery leaves its source once`(meanwhile: Meanwhile) {
            expectSound(Bounds(preemptions: 2, oldReads: 1)) { scenario in
                let (output, input) = Signal<Int, Never>.pipe()
                scenario.keep(input)
                scenario.keep(output)
                let leaks = LeakCounter()
                let (values, ends) = (Tally(), Tally())
                let derived = output.take(first: 1)
                let observation = derived.observe { [token = leaks.token()] event in
                    token.touch()
                    scenario.expect(ends.count == 0, "\(event) was delivered after the end")
                    if event.isTerminating { ends.count += 1 } else { values.count += 1 }
                }
                scenario.watch(output.core, derived.core, output.core.strand)
                scenario.thread("sends") { input.send(value: 1) }
                scenario.thread("meanwhile") {
                    switch meanwhile {
                    case .sends: input.send(value: 2)
                    case .ends: input.sendCompleted()
                    case .disposes: observation?.dispose()
                    case .observes: output.observeValues { _ in }?.dispose()
                    case .alsoEndsOne:
                        output.take(first: 1).observeValues { [token = leaks.token()] _ in token.touch() }
                        input.send(value: 2)
                    }
                }
                scenario.finally {
                    if meanwhile != .disposes {
                        scenario.expect(ends.count == 1, "\(ends.count) ends")
                        scenario.expect(values.count <= 1, "\(values.count) values")
                        if meanwhile != .ends { scenario.expect(values.count == 1, "the value is missing") }
                    }
                    scenario.expect(leaks.count == 0, "\(leaks.count) observers are still held")
                    scenario.expect(output.core.withState { output.core.observers.isEmpty }, "the source still has it")
                }
            }
        }

        @Test func `E1: if two threads end a signal, one end is delivered, and nothing follows it`() {
            expectSound(Bounds(preemptions: 2), reaching: [.oldValue]) { scenario in
                let disposal = Tally()
                let (output, input) = Signal<Int, Never>.pipe(disposable: AnyDisposable { disposal.count += 1 })
                scenario.keep(input)
                scenario.watch(output.core, output.core.strand)
                let ends = Tally()
                output.observe { event in
                    scenario.expect(ends.count == 0, "\(event) was delivered after the end")
                    if event.isTerminating { ends.count += 1 }
                }
                scenario.thread("A") {
                    input.send(value: 1)
                    input.sendCompleted()
                }
                scenario.thread("B") {
                    input.send(value: 2)
                    input.sendInterrupted()
                }
                scenario.finally {
                    scenario.expect(ends.count == 1, "\(ends.count) ends")
                    scenario.expect(disposal.count == 1, "the resources were disposed of \(disposal.count) times")
                }
            }
        }

        @Test
        func
            `E3, E5: an observer that is added during another thread's send receives its own thread's sends from then on`()
        {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { scenario in
                let (output, input) = Signal<Sent, Never>.pipe()
                scenario.keep(input)
                let all = Deliveries(scenario)
                let some = Deliveries(scenario)
                output.observeValues { all.deliver($0) }
                scenario.thread("A") { for number in 1...2 { input.send(value: Sent(sender: "A", number: number)) } }
                scenario.thread("B") {
                    output.observeValues { some.deliver($0) }
                    input.send(value: Sent(sender: "B", number: 1))
                }
                scenario.finally {
                    all.expectAll(["A": 2, "B": 1])
                    let seen = Array(all.events.suffix(some.events.count))
                    scenario.expect(some.events == seen, "one observer: \(all.events), the other: \(some.events)")
                    scenario.expect(
                        some.events.contains { $0.sender == "B" }, "the event that its own thread sent is missing")
                }
            }
        }

        @Test func `S4: an observer that is added while another thread ends the signal receives one end`() {
            expectSound(Bounds(preemptions: nil)) { scenario in
                let (output, input) = Signal<Int, Never>.pipe()
                scenario.keep(input)
                scenario.watch(output.core)
                let ends = Tally()
                scenario.thread("A") { input.sendCompleted() }
                scenario.thread("B") { output.observe { if $0.isTerminating { ends.count += 1 } } }
                scenario.finally { scenario.expect(ends.count == 1, "\(ends.count) ends") }
            }
        }

        @Test func `S3: an observation that is disposed of before it is added leaves nothing behind`() {
            expectSound(Bounds(preemptions: 4, oldReads: 0)) { scenario in
                let (output, input) = Signal<Int, Never>.pipe()
                scenario.keep(input)
                scenario.keep(output)
                let leaks = LeakCounter()
                scenario.thread("A") { input.send(value: 1) }
                scenario.thread("B") {
                    let token = leaks.token()
                    output.observeValues { _ in token.touch() }?.dispose()
                }
                scenario.finally { scenario.expect(leaks.count == 0, "the observer's closure is still held") }
            }
        }

        @Test func `E7: two threads dispose of an observation; the observer that is added next receives all`() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { scenario in
                let (output, input) = Signal<Int, Never>.pipe()
                scenario.keep(input)
                let observation = output.observeValues { _ in }
                let later = Tally()
                scenario.watch(observation as AnyObject, output.core, output.core.strand)
                scenario.thread("A") {
                    observation?.dispose()
                    output.observeValues { later.count += $0 }
                }
                scenario.thread("B") { observation?.dispose() }
                scenario.finally {
                    input.send(value: 1)
                    scenario.expect(later.count == 1, "the later observer received \(later.count) values")
                }
            }
        }

        @Test func `An observation that is disposed of while its signal ends lets the signal go`() {
            expectSound(Bounds(preemptions: 2)) { scenario in
                let core = endWhileDisposing(scenario)
                scenario.finally { scenario.expect(core.object == nil, "the signal is still held") }
            }
        }

        /// One thread ends a signal, and two dispose of its observation, which is kept.
        private func endWhileDisposing(_ scenario: Scenario) -> WeakObject {
            let (output, input) = Signal<Int, Never>.pipe()
            let inputs = Holder(input)
            let observation = output.observeValues { _ in }
            scenario.watch(observation as AnyObject)
            scenario.thread("ends") {
                inputs.held.sendCompleted()
                inputs.release()
            }
            for name in ["A", "B"] {
                scenario.thread(name) {
                    observation?.dispose()
                    scenario.expect(observation?.isDisposed == true, "not disposed after dispose()")
                }
            }
            return WeakObject(output.core)
        }

        @Test func `S6: values that are kept for the first observer reach it once, before those that come meanwhile`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, delayedStores: 0)) { hold($0) }
        }

        @Test func `So is it with every older value that a thread may read`() {
            expectSound(Bounds(preemptions: 1)) { hold($0) }
        }

        @Test func `Seeded bug: if the first observer doesn't end the holding, later values and the end never come`() {
            let mutation = Mutation(site: "endHolding(for:)", operation: .store, effect: .skipped)
            expectCaught(mutation, as: .broken) { hold($0) }
        }

        /// One thread sends and ends the stream, one observes first, and one observes a derived signal.
        private func hold(_ scenario: Scenario) {
            let statistics = BufferStatistics()
            let core = HoldingCore<Int, Never>(
                BufferBound(capacity: .max), counting: statistics, overflow: nil, left: nil)
            let signal = Signal(core)
            let derived = signal.map { $0 + 10 }
            core.accept(0)
            scenario.watch(core)
            let (plain, mapped) = (Received(), Received())
            scenario.thread("sends") {
                core.accept(1)
                core.finish(.completed)
            }
            scenario.thread("observes") { signal.observe(plain.receive) }
            scenario.thread("observes the derived signal") { derived.observe(mapped.receive) }
            scenario.finally {
                let (first, second) = (plain.values, mapped.values.map { $0 - 10 })
                for values in [first, second] {
                    scenario.expect([[], [1], [0, 1]].contains(values), "received: \(values)")
                }
                scenario.expect([first, second].filter { $0.first == 0 }.count == 1, "\(first), \(second)")
                scenario.expect(plain.ends == 1 && mapped.ends == 1, "ends: \(plain.ends), \(mapped.ends)")
                scenario.expect(statistics.sent == 2 && statistics.delivered == 2, "\(statistics.delivered) delivered")
            }
        }

        @Test
        func `S6: a signal with kept values that is released, or whose observer leaves, accounts for all of them`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { scenario in
                let statistics = BufferStatistics()
                let left = Tally()
                let core = HoldingCore<Int, Never>(
                    BufferBound(capacity: .max), counting: statistics, overflow: nil, left: { left.count += 1 })
                let handle = Holder(Signal(core))
                core.accept(0)
                scenario.watch(core)
                scenario.thread("sends") { core.accept(1) }
                scenario.thread("observes and leaves") { handle.held.observeValues { _ in }?.dispose() }
                scenario.finally {
                    handle.release()
                    core.accept(2)
                    scenario.expect(core.isTerminated && left.count == 1, "left \(left.count) times")
                    let (sent, delivered, dropped) = (statistics.sent, statistics.delivered, statistics.dropped)
                    scenario.expect(sent == 3 && delivered + dropped == 3, "\(sent), \(delivered), \(dropped)")
                }
            }
        }

        @Test func `S3: a signal that loses its last reference and its last observer at the same time ends once`() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { scenario in
                let disposal = Tally()
                let (output, input) = Signal<Int, Never>.pipe(disposable: AnyDisposable { disposal.count += 1 })
                scenario.keep(input)
                let observation = output.observeValues { _ in }
                let handle = Holder(output)
                scenario.thread("A") { handle.release() }
                scenario.thread("B") { observation?.dispose() }
                scenario.thread("C") { input.send(value: 1) }
                scenario.finally {
                    scenario.expect(disposal.count == 1, "the resources were disposed of \(disposal.count) times")
                }
            }
        }

        @Test func `E5: two signals that send to each other from two threads don't deadlock, and lose no event`() {
            expectSound(Bounds(preemptions: nil, oldReads: 0, spinning: 0)) { scenario in
                let first = Signal<Sent, Never>.pipe(inboxCapacity: 1)
                let second = Signal<Sent, Never>.pipe(inboxCapacity: 1)
                scenario.keep(first.input, second.input)
                let toFirst = Deliveries(scenario)
                let toSecond = Deliveries(scenario)
                first.output.observeValues { event in
                    toFirst.deliver(event) { if event.sender == "A" { second.input.send(value: event) } }
                }
                second.output.observeValues { event in
                    toSecond.deliver(event) { if event.sender == "B" { first.input.send(value: event) } }
                }
                scenario.thread("A") { first.input.send(value: Sent(sender: "A", number: 1)) }
                scenario.thread("B") { second.input.send(value: Sent(sender: "B", number: 1)) }
                scenario.finally { for deliveries in [toFirst, toSecond] { deliveries.expectAll(["A": 1, "B": 1]) } }
            }
        }

        @Test func `E2: a derived signal is serialised, like its source`() {
            expectSound(Bounds(preemptions: nil, oldReads: 0)) { scenario in
                let (output, input) = Signal<Int, Never>.pipe()
                scenario.keep(input)
                let deliveries = Deliveries(scenario)
                output.map { Sent(sender: $0 < 0 ? "A" : "B", number: abs($0)) }.filter { $0.number > 0 }
                    .observeValues { deliveries.deliver($0) }
                scenario.thread("A") { input.send(value: -1) }
                scenario.thread("B") { input.send(value: 1) }
                scenario.finally { deliveries.expectAll(["A": 1, "B": 1]) }
            }
        }

        /// A signal gets its last observer and then loses its last reference, while another thread disposes of the observation
        /// before that one, during a delivery.
        private static func arrangeLastObserver(_ scenario: Scenario, derived isDerived: Bool) {
            let disposal = Tally()
            let (output, input) = Signal<Int, Never>.pipe(disposable: AnyDisposable { disposal.count += 1 })
            scenario.keep(input)
            let signal = isDerived ? output.map { $0 } : output
            let observation = signal.observeValues { _ in }
            let later = Tally()
            scenario.watch(observation as AnyObject, signal.core, output.core, output.core.strand)
            let handle = Holder(signal)
            scenario.thread("A") {
                handle.held.observeValues { later.count += $0 }
                handle.release()
            }
            scenario.thread("B") { observation?.dispose() }
            scenario.thread("C") { input.send(value: 1) }
            scenario.finally {
                later.count = 0
                input.send(value: 2)
                scenario.expect(later.count == 2 && disposal.count == 0, "the stream ends before its last observer")
            }
        }

        @Test(arguments: [false, true])
        func `E7: whoever is observed goes on, although another observation ends during a delivery`(isDerived: Bool) {
            expectSound(Bounds(preemptions: 2, oldReads: 1)) { Self.arrangeLastObserver($0, derived: isDerived) }
        }

        @Test(arguments: [false, true])
        func `Seeded bug: if a signal forgets that it has a second observer, its stream ends before that one`(
            isDerived: Bool
        ) {
            let mutation = Mutation(site: "noteInsertion(_:)", operation: .store, effect: .skipped)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 2, oldReads: 0)) {
                Self.arrangeLastObserver($0, derived: isDerived)
            }
        }

        /// One thread sends through a stage, and another disposes of the stage's only observation, which releases the stage's
        /// closure.
        private static func arrangeStage(_ scenario: Scenario) {
            let (output, input) = Signal<Int, Never>.pipe()
            scenario.keep(input)
            let leaks = LeakCounter()
            let token = leaks.token()
            let stage = output.core.map { value in
                token.touch()
                return value
            }
            // Wrapped and released at once: the stage exists only for its observation.
            let observation = Signal(stage).observeValues { _ in }
            scenario.watch(stage, output.core, output.core.strand, observation as AnyObject)
            scenario.thread("A") { observation?.dispose() }
            scenario.thread("B") { input.send(value: 1) }
            scenario.finally {
                scenario.expect(stage.isTerminated, "the stage goes on without an observer")
                withExtendedLifetime(token) {}
            }
        }

        @Test func `The closure of a stage isn't released while it is called`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0)) { Self.arrangeStage($0) }
        }

        @Test(arguments: [
            Mutation(site: "beginEditWithoutBias()", operation: .compareExchange, effect: .relaxed),
            Mutation(site: "tryRelease(_:as:bias:)", operation: .compareExchange, effect: .relaxed),
        ])
        func `Seeded bug: with a weaker ordering, the closure of a stage is released while it is called`(
            mutation: Mutation
        ) {
            expectCaught(mutation, as: .race, Bounds(preemptions: 2, oldReads: 0)) { Self.arrangeStage($0) }
        }
    }

    /// A counter in plain memory.
    final class Tally: @unchecked Sendable {  // The code under test serialises access.
        var count = 0
    }

    private final class WeakObject: @unchecked Sendable {  // Read when the threads have ended.
        weak var object: AnyObject?

        init(_ object: AnyObject?) { self.object = object }
    }

    /// What an observer has received.
    private final class Received: @unchecked Sendable {  // Controlled threads run one at a time.
        var values: [Int] = []
        var ends = 0

        func receive(_ event: Signal<Int, Never>.Event) {
            if let value = event.value { values.append(value) } else { ends += 1 }
        }
    }
#endif
