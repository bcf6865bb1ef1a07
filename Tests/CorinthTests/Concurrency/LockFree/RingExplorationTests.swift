#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of a few threads that post and the one that takes: nothing is lost, and nobody sleeps for ever.
    @Suite("Ring, all interleavings", .serialized)
    struct RingExplorationTests {
        @Test("One thread posts, and wakes up the one that sleeps")
        func oneProducer() {
            expectSound(Bounds(preemptions: 3, spinning: 0), reaching: [.sleep, .oldValue]) {
                posters(["A": 2], to: Ring(capacity: 4, isForOne: false, isParking: true), $0)
            }
        }

        @Test("Two threads post to each other's cells")
        func twoProducers() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep]) {
                posters(["A": 1, "B": 1], to: Ring(capacity: 4, isForOne: false, isParking: true), $0)
            }
        }

        @Test("Who finds the ring full sleeps until there is room")
        func full() {
            expectSound(Bounds(preemptions: 2, spinning: 0), reaching: [.sleep, .oldValue]) {
                posters(["A": 3], to: Ring(capacity: 2, isForOne: false, isParking: true), $0)
            }
        }

        @Test("The first who gives room wakes the one that waits for it")
        func oneWaitsForRoom() {
            expectSound(Bounds(preemptions: 3, spinning: 0), reaching: [.sleep, .oldValue], oneWaits)
        }

        @Test("Two threads wait for room")
        func twoWait() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep]) {
                posters(
                    ["A": 1, "B": 1], to: Ring(capacity: 2, isForOne: false, isParking: true), full: true, $0)
            }
        }

        @Test("A ring for one wraps around")
        func forOne() {
            expectSound(Bounds(preemptions: 2, spinning: 0), reaching: [.sleep, .oldValue]) {
                posters(["A": 3], to: Ring(capacity: 2, isForOne: true, isParking: true), $0)
            }
        }

        @Test("What others post to a ring for one is late, and in order")
        func forOneAndOthers() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep]) {
                posters(["A": 1, "B": 2], to: Ring(capacity: 4, isForOne: true, isParking: true), $0)
            }
        }

        @Test("What goes past the bound stays in order")
        func pastTheBound() {
            expectSound(Bounds(preemptions: 2, spinning: 0), reaching: [.sleep, .oldValue]) {
                posters(["A": 4], to: Ring(capacity: 2, isForOne: false, isParking: true), mayWait: false, $0)
            }
        }

        @Test("Two threads go past the bound")
        func bothPastTheBound() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep]) {
                posters(["A": 2, "B": 2], to: Ring(capacity: 2, isForOne: false, isParking: true), mayWait: false, $0)
            }
        }

        @Test("A thread that never sleeps sees what is there")
        func neverSleeping() {
            expectSound(Bounds(preemptions: 3), reaching: [.oldValue], looks)
        }

        @Test("Who waits for room in a ring that is closed goes on without")
        func closing() {
            expectSound(Bounds(preemptions: 3, spinning: 0), reaching: [.sleep, .oldValue], closes)
        }

        @Test("What a thread knows of comes before what it posts itself, past the bound or not")
        func causality() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), knowing)
        }
    }

    /// An element, with plain memory.
    final class Parcel: Sendable {
        let sent: Sent

        init(_ sent: Sent) {
            self.sent = sent
            PlainAccess.write(self)
        }
    }

    /// Threads that post so many elements each, and one that takes all of them.
    ///
    /// - Parameter full: Whether two elements are there before anything begins.
    func posters(
        _ counts: [String: Int], to ring: Ring<Parcel>, mayWait: Bool = true, full: Bool = false, _ scenario: Scenario
    ) {
        let taken = Deliveries(scenario)
        var counts = counts
        unsafe scenario.watch(ring, and: UnsafeRawPointer(ring.cells))
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            scenario.thread(name) {
                for number in 1...count { ring.post(Parcel(Sent(sender: name, number: number)), mayWait: mayWait) }
            }
        }
        if full {
            counts["early"] = 2
            for number in 1...2 { ring.post(Parcel(Sent(sender: "early", number: number)), mayWait: false) }
        }
        let total = counts.values.reduce(0, +)
        scenario.thread("taker") { take(total, from: ring, taken) }
        scenario.finally { [counts] in taken.expectAll(counts) }
    }

    /// The ring is full, and A waits for room. The taker makes some, and waits for what A does then.
    func oneWaits(_ scenario: Scenario) {
        let ring = Ring<Parcel>(capacity: 2, isForOne: false, isParking: true)
        let flag = SharedWord()
        unsafe scenario.watch(ring, and: UnsafeRawPointer(ring.cells))
        for number in 1...2 { ring.post(Parcel(Sent(sender: "early", number: number)), mayWait: false) }
        scenario.thread("A") {
            ring.post(Parcel(Sent(sender: "A", number: 1)), mayWait: true)
            flag.raise()
        }
        scenario.thread("taker") {
            _ = ring.take()
            flag.blockingWaitUntilRaised()
        }
        scenario.finally { for _ in 1...2 { scenario.expect(ring.take() != nil, "an element is lost") } }
    }

    /// The ring is full, and A waits for room, which it doesn't get any more.
    func closes(_ scenario: Scenario) {
        let ring = Ring<Parcel>(capacity: 2, isForOne: false, isParking: true)
        unsafe scenario.watch(ring, and: UnsafeRawPointer(ring.cells))
        for number in 1...2 { ring.post(Parcel(Sent(sender: "early", number: number)), mayWait: false) }
        scenario.thread("A") {
            let isIn = ring.post(Parcel(Sent(sender: "A", number: 1)), mayWait: true)
            scenario.expect(!isIn, "there was no room")
        }
        scenario.thread("taker") { ring.close() }
        scenario.finally { for _ in 1...2 { scenario.expect(ring.take() != nil, "an element is lost") } }
    }

    /// Two threads post, and the taker looks now and then.
    func looks(_ scenario: Scenario) {
        let ring = Ring<Parcel>(capacity: 4, isForOne: false, isParking: false)
        let taken = Deliveries(scenario)
        unsafe scenario.watch(ring, and: UnsafeRawPointer(ring.cells))
        func look() {
            guard let parcel = ring.take() else { return }
            PlainAccess.read(parcel)
            taken.note(parcel.sent)
        }
        for name in ["A", "B"] {
            scenario.thread(name) { ring.post(Parcel(Sent(sender: name, number: 1)), mayWait: false) }
        }
        scenario.thread("taker") { for _ in 1...2 { look() } }
        scenario.finally {
            for _ in 1...2 { look() }
            taken.expectAll(["A": 1, "B": 1])
        }
    }

    /// A posts, and B, who knows of that, posts past the bound; the taker, who knows of something that B posted, posts itself.
    private func knowing(_ scenario: Scenario) {
        let ring = Ring<Parcel>(capacity: 2, isForOne: false, isParking: true)
        let taken = Deliveries(scenario)
        let flag = SharedWord()
        unsafe scenario.watch(ring, and: UnsafeRawPointer(ring.cells))
        scenario.thread("A") {
            for number in 1...2 { ring.post(Parcel(Sent(sender: "A", number: number)), mayWait: false) }
            flag.raise()
        }
        scenario.thread("B") {
            flag.blockingWaitUntilRaised()
            // The same sender's, as far as the order goes.
            ring.post(Parcel(Sent(sender: "A", number: 3)), mayWait: false)
        }
        scenario.thread("taker") {
            take(2, from: ring, taken)
            ring.postByTaker(Parcel(Sent(sender: "T", number: 1)))
            take(2, from: ring, taken)
        }
        scenario.finally { taken.expectAll(["A": 3, "T": 1]) }
    }

    private func take(_ count: Int, from ring: Ring<Parcel>, _ taken: Deliveries) {
        var left = count
        while left > 0 {
            let signals = ring.signals
            if let parcel = ring.take() {
                PlainAccess.read(parcel)
                taken.note(parcel.sent)
                left -= 1
            } else {
                ring.blockingWait(unlessSignalledSince: signals, until: nil)
            }
        }
    }
#endif
