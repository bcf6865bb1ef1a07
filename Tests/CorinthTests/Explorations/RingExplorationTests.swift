#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of a few posting threads and the taking thread: no element is lost, and no thread sleeps forever.
    @Suite("Ring, all interleavings", .serialized)
    struct RingExplorationTests {
        @Test func `One thread posts and wakes the sleeping taker`() {
            expectSound(Bounds(preemptions: 3, spinning: 0), reaching: [.sleep, .oldValue]) {
                posters(["A": 2], to: Ring(capacity: 4, isForOne: false, isParking: true), $0)
            }
        }

        @Test func `Two threads post to neighbouring cells`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep]) {
                posters(["A": 1, "B": 1], to: Ring(capacity: 4, isForOne: false, isParking: true), $0)
            }
        }

        @Test func `A thread that finds the ring full sleeps until a cell is free`() {
            expectSound(Bounds(preemptions: 2, spinning: 0), reaching: [.sleep, .oldValue]) {
                posters(["A": 3], to: Ring(capacity: 2, isForOne: false, isParking: true), $0)
            }
        }

        @Test func `The first take from a full ring wakes the thread that waits for a cell`() {
            expectSound(Bounds(preemptions: 3, spinning: 0), reaching: [.sleep, .oldValue], oneWaits)
        }

        @Test func `Two threads wait for a free cell`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep]) {
                posters(
                    ["A": 1, "B": 1], to: Ring(capacity: 2, isForOne: false, isParking: true), full: true, $0)
            }
        }

        @Test func `A single-producer ring wraps around`() {
            expectSound(Bounds(preemptions: 2, spinning: 0), reaching: [.sleep, .oldValue]) {
                posters(["A": 3], to: Ring(capacity: 2, isForOne: true, isParking: true), $0)
            }
        }

        @Test
        func `Elements that other threads post to a single-producer ring go to the late list and stay in FIFO order`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep]) {
                posters(["A": 1, "B": 2], to: Ring(capacity: 4, isForOne: true, isParking: true), $0)
            }
        }

        @Test func `Elements past the bound stay in FIFO order`() {
            expectSound(Bounds(preemptions: 2, spinning: 0), reaching: [.sleep, .oldValue]) {
                posters(["A": 4], to: Ring(capacity: 2, isForOne: false, isParking: true), mayWait: false, $0)
            }
        }

        @Test func `Two threads post past the bound`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), reaching: [.sleep]) {
                posters(["A": 2, "B": 2], to: Ring(capacity: 2, isForOne: false, isParking: true), mayWait: false, $0)
            }
        }

        @Test func `A taker that never sleeps sees the posted elements`() {
            expectSound(Bounds(preemptions: 3), reaching: [.oldValue], looks)
        }

        @Test func `A thread that waits for a cell continues when the ring is closed`() {
            expectSound(Bounds(preemptions: 3, spinning: 0), reaching: [.sleep, .oldValue], closes)
        }

        @Test func `Elements that a thread has seen precede the elements that it posts, past the bound or not`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, spinning: 0), knowing)
        }
    }

    /// An element with plain memory.
    final class Parcel: Sendable {
        let sent: Sent

        init(_ sent: Sent) {
            self.sent = sent
            PlainAccess.write(self)
        }
    }

    /// Threads that post some elements each, and one thread that takes all of them.
    ///
    /// - Parameter full: Whether the ring contains two elements at the beginning.
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

    /// The ring is full, and A waits for a free cell. The taker frees one, and then waits for A.
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
        scenario.finally { for _ in 1...2 { scenario.expect(ring.take() != nil, "an element was lost") } }
    }

    /// The ring is full, and A waits for a cell that never becomes free.
    func closes(_ scenario: Scenario) {
        let ring = Ring<Parcel>(capacity: 2, isForOne: false, isParking: true)
        unsafe scenario.watch(ring, and: UnsafeRawPointer(ring.cells))
        for number in 1...2 { ring.post(Parcel(Sent(sender: "early", number: number)), mayWait: false) }
        scenario.thread("A") {
            let isIn = ring.post(Parcel(Sent(sender: "A", number: 1)), mayWait: true)
            scenario.expect(!isIn, "A posted, but there was no free cell")
        }
        scenario.thread("taker") { ring.close() }
        scenario.finally { for _ in 1...2 { scenario.expect(ring.take() != nil, "an element was lost") } }
    }

    /// Two threads post, and the taker polls from time to time.
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

    /// A posts. B has seen that, and posts past the bound. The taker has seen an element of B, and posts itself.
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
            // It counts as the same sender's, because its order is defined.
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
