import BenchmarkKit
import Corinth
import Dispatch
import Synchronization

/// `hop/pingpong`: an event goes to one serial queue and back to another, and only then the next one.
/// `hop/pingpong/threads`: the same between two threads that spin.
enum PingPong {
    static let entry = ScenarioEntry(
        "hop/pingpong",
        unit: "ns/round trip",
        sampleMilliseconds: 20,
        isThreaded: true,
        direct: { _ in PingPongDirect() },
        corinth: { _ in
            PingPongCorinth(
                QueueScheduler(qos: .userInitiated, name: "corinth-bench.ping"),
                QueueScheduler(qos: .userInitiated, name: "corinth-bench.pong"))
        })

    static let threadsEntry = ScenarioEntry(
        "hop/pingpong/threads",
        unit: "ns/round trip",
        sampleMilliseconds: 20,
        isThreaded: true,
        direct: { _ in PingPongThreads() },
        corinth: { _ in
            PingPongCorinth(
                ThreadScheduler(name: "bench.ping", waiting: .spinThenYield),
                ThreadScheduler(name: "bench.pong", waiting: .spinThenYield))
        })
}

/// Where round trips end: times each, and says whether there is another.
///
/// Unchecked, because there is one event on its way, and who touches this has it.
private final class Rally: @unchecked Sendable {
    private var latencies = Histogram()
    private var misplaced = 0
    private var last = 0
    private var departure: UInt64 = 0
    private let complete = DispatchSemaphore(value: 0)

    /// The number of the event that should be on its way. Relaxed, because who waits only looks whether it changes.
    private let expected = Atomic<Int>(0)

    /// Takes back the event `number`; returns the number of the next one, or nil if that was the last.
    func returned(_ number: Int) -> Int? {
        let now = Clock.now()
        latencies.record(now - departure)
        if number != expected.load(ordering: .relaxed) { misplaced += 1 }
        expected.store(number + 1, ordering: .relaxed)
        guard number < last else {
            complete.signal()
            return nil
        }
        departure = now
        return number + 1
    }

    /// Has `serve` begin `events` round trips, and waits for their end, or until it is hopeless.
    func play(events: Int, serve: (Int) -> Void) {
        let first = expected.load(ordering: .relaxed)
        last = first + events - 1
        departure = Clock.now()
        serve(first)
        Patience.wait(for: complete) { expected.load(ordering: .relaxed) }
    }

    func verify() throws {
        try CheckFailure.unless("round trips", is: last + 1, got: expected.load(ordering: .relaxed))
        try CheckFailure.unless("events out of order", is: 0, got: misplaced)
    }

    func takeLatencies() -> Histogram {
        defer { latencies.reset() }
        return latencies
    }
}

private final class PingPongCorinth: Scenario {
    private let ping: Signal<Int, Never>.Observer
    private let pong: Signal<Int, Never>.Observer
    private let rally = Rally()

    init(_ first: any Scheduler, _ second: any Scheduler) {
        let (pings, ping) = Signal<Int, Never>.pipe()
        let (pongs, pong) = Signal<Int, Never>.pipe()
        self.ping = ping
        self.pong = pong
        pings.observe(on: first).observeValues { pong.send(value: $0) }
        pongs.observe(on: second).observeValues { [rally] number in
            if let next = rally.returned(number) { ping.send(value: next) }
        }
    }

    func run(events: Int) {
        rally.play(events: events) { ping.send(value: $0) }
    }

    func verify() throws {
        try rally.verify()
    }

    func takeLatencies() -> Histogram? {
        rally.takeLatencies()
    }

    func tearDown() {
        ping.sendCompleted()
        pong.sendCompleted()
    }
}

/// Two serial queues, and an `async` to the other one each time.
private final class PingPongDirect: Scenario {
    private let table: Table

    private final class Table: Sendable {
        let ping = DispatchQueue(label: "corinth-bench.ping", qos: .userInitiated)
        let pong = DispatchQueue(label: "corinth-bench.pong", qos: .userInitiated)
        let rally = Rally()

        func serve(_ number: Int) {
            ping.async { [self] in
                pong.async { [self] in
                    if let next = rally.returned(number) { serve(next) }
                }
            }
        }
    }

    init() {
        table = Table()
    }

    func run(events: Int) {
        table.rally.play(events: events) { table.serve($0) }
    }

    func verify() throws {
        try table.rally.verify()
    }

    func takeLatencies() -> Histogram? {
        table.rally.takeLatencies()
    }
}

/// Two threads that spin, each on a ring of its own.
private final class PingPongThreads: Scenario {
    private let ping = PlainRing(capacity: 1024)
    private let pong = PlainRing(capacity: 1024)
    private let rally = Rally()

    init() {
        PlainRing.serve(ping) { [pong] in pong.push($0) }
        PlainRing.serve(pong) { [ping, rally] number in
            if let next = rally.returned(number) { ping.push(next) }
        }
    }

    func run(events: Int) {
        rally.play(events: events) { ping.push($0) }
    }

    func verify() throws {
        try rally.verify()
    }

    func takeLatencies() -> Histogram? {
        rally.takeLatencies()
    }

    func tearDown() {
        ping.push(PlainRing.end)
        pong.push(PlainRing.end)
    }
}
