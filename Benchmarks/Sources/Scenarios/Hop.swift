import BenchmarkKit
import Corinth
import Dispatch
import Synchronization

/// `hop/burst`: sends 200,000 events at once through `observe(on:)` to a serial queue.
enum Hop {
    static let burst = 200_000

    static let entry = ScenarioEntry(
        "hop/burst",
        isThreaded: true,
        direct: { _ in HopDirect() },
        library: { _ in HopCorinth() })
}

/// The destination of the hop: checks the order and signals the end of a burst.
///
/// Unchecked: events are serial, and the sender reads only after `complete` was signalled.
private final class BurstSink: @unchecked Sendable {
    private var misplaced = 0
    private var bursts = 0
    private let complete = DispatchSemaphore(value: 0)

    /// The expected next value. Relaxed, because a waiting thread only needs to see that it changes.
    private let next = Atomic<Int>(0)

    @inline(__always)
    func add(_ value: Int) {
        if value != next.load(ordering: .relaxed) { misplaced += 1 }
        guard value + 1 == Hop.burst else {
            next.store(value + 1, ordering: .relaxed)
            return
        }
        next.store(0, ordering: .relaxed)
        bursts += 1
        complete.signal()
    }

    /// Waits until the burst has ended or progress stops.
    func wait() {
        ProgressWatchdog.wait(for: complete) { next.load(ordering: .relaxed) }
    }

    func verify(bursts expected: Int) throws {
        try CheckFailure.unless("bursts that arrived", is: expected, got: bursts)
        try CheckFailure.unless("events out of order", is: 0, got: misplaced)
        try CheckFailure.unless("events after the last burst", is: 0, got: next.load(ordering: .relaxed))
    }
}

private final class HopCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let sink = BurstSink()
    private var bursts = 0

    init() {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        let scheduler = QueueScheduler(qos: .userInitiated, name: "corinth-bench.hop")
        output.observe(on: scheduler).observeValues { [sink] in sink.add($0) }
    }

    var granularity: Int { Hop.burst }

    func run(events: Int) {
        let input = input
        for _ in 0..<events / Hop.burst {
            for value in 0..<Hop.burst { input.send(value: value) }
            sink.wait()
            bursts += 1
        }
    }

    func verify() throws {
        try sink.verify(bursts: bursts)
    }

    func tearDown() {
        input.sendCompleted()
    }
}

/// One `async` on a serial queue for each event.
private final class HopDirect: Scenario {
    private let queue = DispatchQueue(label: "corinth-bench.hop", qos: .userInitiated)
    private let sink = BurstSink()
    private var bursts = 0

    var granularity: Int { Hop.burst }

    func run(events: Int) {
        let observe = opaqueObserver { [sink] in sink.add($0) }
        for _ in 0..<events / Hop.burst {
            for value in 0..<Hop.burst {
                queue.async { observe(value) }
            }
            sink.wait()
            bursts += 1
        }
    }

    func verify() throws {
        try sink.verify(bursts: bursts)
    }
}
