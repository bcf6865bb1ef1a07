import BenchmarkKit
import Corinth
import Dispatch
import Synchronization

/// `paced/R`: R events per second through pipe → map → filter → map → hop → observer.
///
/// The loop is open: each event has a due time, whether or not the earlier ones have arrived, and its latency starts at that
/// time. If earlier events delay the sender, the latency contains the delay.
enum Paced {
    static func entry(_ name: String, perSecond: Int) -> ScenarioEntry {
        ScenarioEntry(
            "paced/\(name)",
            unit: "ns, p99",
            measure: .latency(percentile: 99),
            sampleMilliseconds: 80,
            isThreaded: true,
            direct: { _ in PacedDirect(perSecond: perSecond) },
            library: { _ in PacedCorinth(perSecond: perSecond) })
    }

    static let entries = [
        entry("100k", perSecond: 100_000), entry("500k", perSecond: 500_000), entry("1M", perSecond: 1_000_000),
    ]
}

/// The destination: records the latency of each event and checks the order.
///
/// Unchecked: events are serial, and a reader first waits for `complete`.
@safe final class PacedSink: @unchecked Sendable {
    private var latencies = Histogram()
    /// From when an event was sent, and not from when it was due.
    private var uncorrected = Histogram()
    /// When each event of the run was sent. The sender writes before it sends, and the sink reads when the event has arrived.
    private var sent = unsafe UnsafeMutableBufferPointer<UInt64>(start: nil, count: 0)
    private var base = 0
    private var last = 0
    private var misplaced = 0
    private var expected = 0
    private let complete = DispatchSemaphore(value: 0)

    /// The number of events that have arrived. Relaxed, because a waiting thread only needs to see that it changes.
    private let received = Atomic<Int>(0)

    deinit { unsafe sent.deallocate() }

    /// Receives an event that was due at `time`, in nanoseconds.
    @inline(__always)
    func add(_ time: Int) {
        let now = Clock.now()
        latencies.record(now - UInt64(time))
        uncorrected.record(unsafe now - sent[received.load(ordering: .relaxed) - base])
        if time <= last { misplaced += 1 }
        last = time
        let count = received.load(ordering: .relaxed) + 1
        received.store(count, ordering: .relaxed)
        if count == expected { complete.signal() }
    }

    /// Calls `send` for each of `events` events when it is due. Waits until the last one has arrived or progress stops.
    @inline(__always)
    func play(events: Int, every nanoseconds: Int, _ send: (Int) -> Void) {
        base = received.load(ordering: .relaxed)
        expected = base + events
        if unsafe sent.count < events {
            unsafe sent.deallocate()
            unsafe sent = .allocate(capacity: events)
        }
        OpenLoop(eventsPerSecond: 1e9 / Double(nanoseconds)).run(events: events) { number, due, now in
            unsafe sent[number] = now
            send(Int(due))
        }
        ProgressWatchdog.wait(for: complete) { received.load(ordering: .relaxed) }
    }

    func verify() throws {
        try CheckFailure.unless("events that arrived", is: expected, got: received.load(ordering: .relaxed))
        try CheckFailure.unless("events out of order", is: 0, got: misplaced)
    }

    func takeLatencies() -> Histogram {
        defer { latencies.reset() }
        return latencies
    }

    func takeUncorrectedLatencies() -> Histogram {
        defer { uncorrected.reset() }
        return uncorrected
    }
}

private final class PacedCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let sink = PacedSink()
    private let interval: Int

    init(perSecond: Int) {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        interval = 1_000_000_000 / perSecond
        output.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 &- 1 }
            .observe(on: QueueScheduler(qos: .userInitiated, name: "corinth-bench.paced"))
            .observeValues { [sink] in sink.add($0) }
    }

    func run(events: Int) {
        let input = input
        sink.play(events: events, every: interval) { input.send(value: $0) }
    }

    func verify() throws { try sink.verify() }

    func takeLatencies() -> Histogram? { sink.takeLatencies() }

    func takeUncorrectedLatencies() -> Histogram? { sink.takeUncorrectedLatencies() }

    func tearDown() { input.sendCompleted() }
}

/// The same closures, and one `async` on a serial queue for each event.
private final class PacedDirect: Scenario {
    private let queue = DispatchQueue(label: "corinth-bench.paced", qos: .userInitiated)
    private let sink = PacedSink()
    private let interval: Int

    init(perSecond: Int) {
        interval = 1_000_000_000 / perSecond
    }

    func run(events: Int) {
        let first = opaqueMap { $0 &+ 1 }
        let second = opaqueFilter { $0 > 0 }
        let third = opaqueMap { $0 &- 1 }
        let observe = opaqueObserver { [sink] in sink.add($0) }
        let queue = queue
        sink.play(events: events, every: interval) { time in
            let value = first(time)
            if !second(value) { return }
            let result = third(value)
            queue.async { observe(result) }
        }
    }

    func verify() throws { try sink.verify() }

    func takeLatencies() -> Histogram? { sink.takeLatencies() }

    func takeUncorrectedLatencies() -> Histogram? { sink.takeUncorrectedLatencies() }
}
