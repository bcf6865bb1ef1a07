#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every way into a strand, in every state of its word, beside everything that another thread may do. The scenarios are made
    /// from three lists. A new way, state or deed is a case of an enumeration, whose `switch` doesn't compile without it.
    ///
    /// The word's state at the moment of the arrival is that which the threads' histories have led to: idle, biased to either thread,
    /// being taken back, owned or edited by either, without a thread.
    @Suite("Strand, every way in", .serialized)
    struct StrandTableExplorationTests {
        @Test(arguments: WayIn.allCases)
        func `E2, E4, E5: every way in, in every state, beside every deed of a rival`(_ way: WayIn) {
            for before in History.allCases {
                for deed in Deed.allCases {
                    for isBiased in [true, false] where isBiased || before != .biased {
                        let bounds = Bounds(
                            preemptions: 2, oldReads: 0, delayedStores: 0, helping: 1, spinning: 0, isBiased: isBiased)
                        let title = "table(\(way), \(before), \(deed), \(isBiased ? "biased" : "unbiased"))"
                        expectSound(bounds, title: title) { arrive($0, way, before, deed) }
                    }
                }
            }
        }

        @Test func `Seeded bug: if a thread that comes to its own bias counts as inside, the strand has no owner`() {
            var found = 0
            for way in WayIn.allCases {
                for deed in Deed.allCases {
                    let bounds = Bounds(
                        preemptions: 2, oldReads: 0, delayedStores: 0, helping: 1, spinning: 0, isBiased: true,
                        forgetsOutsiders: true)
                    let outcome = explore(bounds) { arrive($0, way, .biased, deed) }
                    if outcome.failure != nil { found += 1 }
                }
            }
            #expect(found > 0)
        }

        private func arrive(_ scenario: Scenario, _ way: WayIn, _ before: History, _ deed: Deed) {
            let strand = Strand(capacity: 8)
            let deliveries = Deliveries(scenario)
            scenario.watch(strand)
            scenario.thread("A") {
                before.lead(strand, deliveries) { number in
                    way.enter(strand) { deliveries.deliver(Sent(sender: "A", number: number)) }
                }
            }
            scenario.thread("B") { deed.carryOut(on: strand, deliveries, as: "B") }
            scenario.finally {
                deliveries.expectAll(["A": before.events + 1, "B": deed.events])
                let taken = strand.state.taken(.relaxed)
                scenario.expect(taken == 0, "\(taken) permits are still taken")
            }
        }
    }

    /// How a thread comes to a strand with work.
    enum WayIn: CaseIterable {
        case perform, send, trySend, end, enqueue, enqueueAtOnce, push, edit, observing
        /// As a task that has waited for its permit.
        case withPermit

        func enter(_ strand: Strand, _ work: @escaping () -> Void) {
            let state = Work(work)
            switch self {
            case .perform: strand.perform(on: state, with: ()) { work, _ in work.run() }
            case .send: strand.send((), to: state, state.run()) { work, _ in work.run() }
            case .trySend:
                _ = strand.tryPerform(
                    .trying, state.run(), orQueue: InputNode((), for: state) { work, _ in work.run() })
            case .end: strand.performAtOnce(on: state, with: ()) { work, _ in work.run() }
            case .enqueue: strand.enqueue(WorkNode(takesPermit: true, work), .inTurn)
            case .enqueueAtOnce: strand.enqueue(WorkNode(work), .atOnce)
            case .push:
                if let owned = strand.enterOrPush(WorkNode(takesPermit: true, work)) {
                    work()
                    strand.leave(owned)
                }
            case .edit: strand.enqueueEdit(work)
            case .observing: strand.enqueueObserving(work)
            case .withPermit:
                _ = strand.tryTake()
                _ = strand.attempt(WorkNode(takesPermit: true, work), .taken, suspending: false)
            }
        }

        private final class Work {
            let run: () -> Void

            init(_ run: @escaping () -> Void) { self.run = run }
        }
    }

    /// What the arriving thread has done before.
    private enum History: CaseIterable {
        /// Nothing: the strand is as the other thread has left it.
        case none
        /// It has sent an event: it has the bias, unless the other thread takes it.
        case biased
        /// It delivers an event: it owns the strand.
        case inside
        /// It has queued an event from inside, so that it has given its bias up.
        case unclaimed

        /// How many events it sends before it arrives.
        var events: Int {
            switch self {
            case .none: 0
            case .biased, .inside: 1
            case .unclaimed: 2
            }
        }

        /// - Parameter arrive: Gets the number of the event.
        func lead(_ strand: Strand, _ deliveries: Deliveries, then arrive: @escaping (Int) -> Void) {
            let first = Sent(sender: "A", number: 1)
            switch self {
            case .none: arrive(1)
            case .biased:
                strand.send(first, to: deliveries)
                arrive(2)
            case .inside: strand.send(first, to: deliveries) { arrive(2) }
            case .unclaimed:
                strand.send(first, to: deliveries) {
                    strand.send(Sent(sender: "A", number: 2), to: deliveries)
                    arrive(3)
                }
            }
        }
    }

    /// What a thread does with a strand.
    enum Deed: CaseIterable {
        case sends, sendsTwice, sendsFromInside, edits, observes, ends, leavesAtOnce

        /// How many events it sends.
        var events: Int {
            switch self {
            case .sends, .ends, .observes, .leavesAtOnce: 1
            case .sendsTwice, .sendsFromInside: 2
            case .edits: 0
            }
        }

        /// - Parameter number: That of its first event.
        func carryOut(on strand: Strand, _ deliveries: Deliveries, as name: String, from number: Int = 1) {
            let (first, second) = (Sent(sender: name, number: number), Sent(sender: name, number: number + 1))
            switch self {
            case .sends: strand.send(first, to: deliveries)
            case .sendsTwice:
                strand.send(first, to: deliveries)
                strand.send(second, to: deliveries)
            case .sendsFromInside:
                strand.send(first, to: deliveries) { strand.send(second, to: deliveries) }
            case .edits: if let edit = strand.beginEdit() { strand.endEdit(edit) }
            case .observes: strand.enqueueObserving { deliveries.deliver(first) }
            case .ends: strand.performAtOnce(on: deliveries, with: first) { $0.deliver($1) }
            case .leavesAtOnce:
                if let owned = strand.enterAtOnce() {
                    let delivery = strand.setWaitsAside(owned)
                    deliveries.deliver(first)
                    _ = strand.leave(delivery, suspending: false)
                } else {
                    strand.enqueue(WorkNode { deliveries.deliver(first) }, .atOnce)
                }
            }
        }
    }
#endif
