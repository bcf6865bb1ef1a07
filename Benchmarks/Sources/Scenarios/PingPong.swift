import BenchmarkKit
import Corinth
import Dispatch
import Synchronization

/// `hop/pingpong`: an event goes to one serial queue and returns on another. Then the next event is sent.
/// `hop/pingpong/threads`: the same between two threads that spin.
enum PingPong {
    static let entry = ScenarioEntry(
        "hop/pingpong",
        unit: "ns/round trip",
        sampleMilliseconds: 20,
        isThreaded: true,
        direct: { _ in PingPongDirect() },
        library: { _ in
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
        library: { _ in
            PingPongCorinth(
                ThreadScheduler(name: "bench.ping", waiting: .spinThenYield),
                ThreadScheduler(name: "bench.pong", waiting: .spinThenYield))
        })
}

/// The end of the round trips: measures each, and tells whether there is another.
///
/// Unchecked: there is one event in flight, and only its thread accesses this.
private final class Rally: @unchecked Sendable {
    private var latencies = Histogram()
    private var misplaced = 0
    private var last = 0
    private var departure: UInt64 = 0
    private let complete = DispatchSemaphore(value: 0)

    /// The number of the event in flight. Relaxed, because a waiting thread only needs to see that it changes.
    private let expected = Atomic<Int>(0)

    /// Receives the event `number`. Returns the number of the next one, or nil if it was the last.
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

    /// Begins `events` round trips with `serve` and waits until they have ended or progress stops.
    func play(events: Int, serve: (Int) -> Void) {
        let first = expected.load(ordering: .relaxed)
        last = first + events - 1
        departure = Clock.now()
        serve(first)
        ProgressWatchdog.wait(for: complete) { expected.load(ordering: .relaxed) }
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

/// Two serial queues, with an `async` to the other one each time.
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
