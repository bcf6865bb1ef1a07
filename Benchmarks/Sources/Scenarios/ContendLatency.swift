import BenchmarkKit
import Corinth

/// `contend-latency/N`: the duration of a `send` while N threads send to one signal. The observer works for 1 µs, and each
/// thread pauses for 2 µs between two sends.
enum ContendLatency {
    static let observerMicroseconds = 1
    static let pauseMicroseconds = 2

    /// The number of events of other senders that a `send` delivers at most before it passes the rest on.
    static let helpingBound = 256

    static func entry(threads: Int) -> ScenarioEntry {
        ScenarioEntry(
            "contend-latency/\(threads)",
            unit: "ns/send, p99.9",
            measure: .latency(percentile: 99.9),
            sampleMilliseconds: 100,
            isThreaded: true,
            threads: threads,
            direct: { ContendLatencyDirect(threads: threads, spin: $0.spin) },
            library: { ContendLatencyCorinth(threads: threads, spin: $0.spin) })
    }

    /// The observer of each side.
    static func observer(_ arrivals: Arrivals, _ spin: Spin) -> @Sendable (Int) -> Void {
        { value in
            arrivals.add(value)
            ForeignDeliveries.delivered(from: Stamped.sender(of: value))
            spin.burn(microseconds: observerMicroseconds)
        }
    }
}

/// The latencies of one sending thread.
///
/// Unchecked: during a run only that thread uses it, and between runs only the worker.
private final class SenderRecord: @unchecked Sendable {
    private(set) var latencies = Histogram()
    private(set) var mostForeign = 0

    /// Sends the values of `numbers`. Records the duration of each `send` and the events of others that it delivers.
    @inline(__always)
    func record(sender: Int, _ numbers: Range<Int>, _ spin: Spin, _ send: (Int) -> Void) {
        for number in numbers {
            let value = Stamped.value(sender: sender, number: number)
            ForeignDeliveries.begin(sender: sender)
            latencies.record(Clock.measure { send(value) })
            mostForeign = max(mostForeign, ForeignDeliveries.count)
            ForeignDeliveries.end()
            spin.burn(microseconds: ContendLatency.pauseMicroseconds)
        }
    }

    func takeLatencies() -> Histogram {
        defer { latencies.reset() }
        return latencies
    }
}

extension [SenderRecord] {
    fileprivate var mostForeign: Int { map(\.mostForeign).max() ?? 0 }

    fileprivate func takeLatencies() -> Histogram {
        reduce(into: Histogram()) { $0.merge($1.takeLatencies()) }
    }
}

private final class ContendLatencyCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let arrivals = Arrivals()
    private let team: ThreadTeam
    private let records: [SenderRecord]
    private let spin: Spin
    private var sentByEach = 0

    init(threads: Int, spin: Spin) {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        self.spin = spin
        team = ThreadTeam(count: threads)
        records = (0..<threads).map { _ in SenderRecord() }
        output.observeValues(ContendLatency.observer(arrivals, spin))
    }

    var granularity: Int { records.count }

    func run(events: Int) {
        let numbers = sentByEach..<sentByEach + events / records.count
        team.run { [input, records, spin] sender in
            records[sender].record(sender: sender, numbers, spin) { input.send(value: $0) }
        }
        sentByEach = numbers.upperBound
        arrivals.wait(for: sentByEach * records.count)
    }

    func verify() throws {
        try arrivals.verify(sentByEach: sentByEach, senders: records.count)
        guard records.mostForeign <= ContendLatency.helpingBound else {
            throw CheckFailure(
                "events of other threads that one send delivered",
                expected: "at most \(ContendLatency.helpingBound)", got: records.mostForeign)
        }
    }

    func takeLatencies() -> Histogram? {
        records.takeLatencies()
    }

    var counts: [String: Int] { ["most foreign events in one send": records.mostForeign] }

    func tearDown() {
        team.end()
        input.sendCompleted()
    }
}

/// The same threads call the observer under a pthread mutex.
private final class ContendLatencyDirect: Scenario {
    private let observe: @Sendable (Int) -> Void
    private let arrivals = Arrivals()
    private let team: ThreadTeam
    private let records: [SenderRecord]
    private let spin: Spin
    private var sentByEach = 0

    init(threads: Int, spin: Spin) {
        self.spin = spin
        team = ThreadTeam(count: threads)
        records = (0..<threads).map { _ in SenderRecord() }
        observe = opaqueObserver(ContendLatency.observer(arrivals, spin))
    }

    var granularity: Int { records.count }

    func run(events: Int) {
        let numbers = sentByEach..<sentByEach + events / records.count
        team.run { [observe, records, spin] sender in
            records[sender].record(sender: sender, numbers, spin) { value in
                PlainMutex.withLock { observe(value) }
            }
        }
        sentByEach = numbers.upperBound
    }

    func verify() throws {
        try arrivals.verify(sentByEach: sentByEach, senders: records.count)
    }

    func takeLatencies() -> Histogram? {
        records.takeLatencies()
    }

    func tearDown() {
        team.end()
    }
}
