import BenchmarkKit
import Corinth
import Dispatch
import Synchronization

/// `overload/merge-hop`: a hop is merged with three pipes. Three threads send to one pipe each, as fast as they can; a fourth
/// one sends to the hop. An event is a delivery from the hop. The observer works for 5 µs.
enum MergeHop {
    static let rivals = 3
    static let observerMicroseconds = 5

    static let entry = ScenarioEntry(
        "overload/merge-hop",
        unit: "ns/delivery from the hop",
        sampleMilliseconds: 500,
        isThreaded: true,
        direct: { MergeHopDirect(spin: $0.spin) },
        library: { MergeHopCorinth(spin: $0.spin) })
}

/// The threads, of which number 0 sends to the hop, and the events that arrived.
private final class HopAndRivals: Sendable {
    private let team = FloodTeam(threads: 1 + MergeHop.rivals)
    private let arrivals = CountedArrivals(senders: 1 + MergeHop.rivals)
    private let fromHop = Atomic<Int>(0)
    private let lastFromHop = Atomic<UInt64>(0)
    private let longestPause = Atomic<UInt64>(0)
    private let spin: Spin

    init(_ spin: Spin) {
        self.spin = spin
    }

    /// The observer: one delivery at a time.
    func add(_ value: Int) {
        arrivals.add(value)
        if Stamped.sender(of: value) == 0 {
            notePause()
            fromHop.add(1, ordering: .relaxed)
        }
        spin.burn(microseconds: MergeHop.observerMicroseconds)
    }

    private func notePause() {
        let now = Clock.now()
        let pause = now - lastFromHop.exchange(now, ordering: .relaxed)
        if pause > longestPause.load(ordering: .relaxed) { longestPause.store(pause, ordering: .relaxed) }
    }

    func run(
        milliseconds: Int, hop: @escaping @Sendable (Int) -> Void, rival: @escaping @Sendable (Int, Int) -> Void
    ) -> TimedRun? {
        lastFromHop.store(Clock.now(), ordering: .relaxed)
        return team.run(milliseconds: milliseconds) { [self] in
            fromHop.load(ordering: .relaxed)
        } atEnd: {
            // A pause that lasts until now counts, too.
            let pause = Clock.now() - lastFromHop.load(ordering: .relaxed)
            if pause < 1 << 62, pause > longestPause.load(ordering: .relaxed) {
                longestPause.store(pause, ordering: .relaxed)
            }
        } _: { thread, number in
            let value = Stamped.value(sender: thread, number: number)
            if thread == 0 { hop(value) } else { rival(thread - 1, value) }
        }
    }

    func verify() throws { try arrivals.verify(sentByEach: team.callsByThread) }

    var counts: [String: Int] {
        ["longest pause of the hop in µs": Int(longestPause.load(ordering: .relaxed) / 1000)]
    }

    func end() { team.end() }
}

private final class MergeHopCorinth: Scenario {
    private let hop: Signal<Int, Never>.Observer
    private let rivals: [Signal<Int, Never>.Observer]
    private let sides: HopAndRivals
    private var timed: TimedRun?

    init(spin: Spin) {
        let sides = HopAndRivals(spin)
        let (output, hop) = Signal<Int, Never>.pipe()
        let pipes = (0..<MergeHop.rivals).map { _ in Signal<Int, Never>.pipe() }
        let scheduler = QueueScheduler(qos: .userInitiated, name: "corinth-bench.merge-hop")
        Signal.merge([output.observe(on: scheduler)] + pipes.map(\.output)).observeValues { sides.add($0) }
        self.sides = sides
        self.hop = hop
        rivals = pipes.map(\.input)
    }

    var granularity: Int { 250 }

    func run(events: Int) {
        timed = sides.run(
            milliseconds: events, hop: { [hop] in hop.send(value: $0) },
            rival: { [rivals] in rivals[$0].send(value: $1) })
    }

    func takeTimedRun() -> TimedRun? { timed }

    func verify() throws {
        try CheckFailure.unless(ended: timed)
        try sides.verify()
    }

    var counts: [String: Int] { sides.counts }

    func tearDown() {
        sides.end()
        hop.sendCompleted()
        for rival in rivals { rival.sendCompleted() }
    }
}

/// One `async` for each value of the hop, bounded by a semaphore; a pthread mutex around the observer.
private final class MergeHopDirect: Scenario {
    private let queue = DispatchQueue(label: "corinth-bench.merge-hop", qos: .userInitiated)
    private let permits = DispatchSemaphore(value: Stall.capacity)
    private let sides: HopAndRivals
    private var timed: TimedRun?

    init(spin: Spin) {
        sides = HopAndRivals(spin)
    }

    var granularity: Int { 250 }

    func run(events: Int) {
        let observe = opaqueObserver { [sides] in sides.add($0) }
        timed = sides.run(
            milliseconds: events,
            hop: { [queue, permits] value in
                permits.wait()
                queue.async {
                    permits.signal()
                    PlainMutex.withLock { observe(value) }
                }
            },
            rival: { _, value in PlainMutex.withLock { observe(value) } })
    }

    func takeTimedRun() -> TimedRun? { timed }

    func verify() throws {
        try CheckFailure.unless(ended: timed)
        try sides.verify()
    }

    var counts: [String: Int] { sides.counts }

    func tearDown() { sides.end() }
}
