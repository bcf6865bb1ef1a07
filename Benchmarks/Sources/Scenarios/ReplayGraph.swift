import AccessLog
import BenchmarkKit
import Corinth
import Dispatch
import Synchronization

/// A line in flight.
private struct SentLine: Sendable {
    var line: Int
    var sentAt: UInt64
}

/// A parsed line; nil for a malformed one.
private struct ReadLine: Sendable {
    var record: AccessRecord?
    var sentAt: UInt64
}

/// A request with the start time of its latency.
private struct Request: Sendable {
    var record: AccessRecord
    var sentAt: UInt64
}

/// The newest time so far, and whether the latest request is older.
private struct Newest: Sendable {
    var time = Int.min
    var isLate = false

    func followed(by time: Int) -> Newest {
        Newest(time: max(self.time, time), isLate: time < self.time)
    }
}

/// The values that cross the hop.
private enum Update: Sendable {
    case malformed(sentAt: UInt64)
    case minute(Int)
    case serverError
    case late
    /// The last result of a request.
    case request(client: String, bytes: Int, sentAt: UInt64)
}

/// The end of the graph, on its own queue.
///
/// Unchecked: updates are serial, and a reader first waits for `complete`.
private final class ReplaySink: @unchecked Sendable {
    private(set) var traffic = Traffic()
    private(set) var latencies = Histogram()
    private let complete = DispatchSemaphore(value: 0)

    /// The number of updates. Relaxed, because a waiting thread only needs to see that it changes.
    private let received = Atomic<Int>(0)

    func add(_ update: Update) {
        received.store(received.load(ordering: .relaxed) + 1, ordering: .relaxed)
        switch update {
        case .malformed(let sentAt):
            traffic.malformed += 1
            latencies.record(Clock.now() - sentAt)
        case .minute(let minute): traffic.requestsPerMinute[minute, default: 0] += 1
        case .serverError: traffic.serverErrors += 1
        case .late: traffic.late += 1
        case .request(let client, let bytes, let sentAt):
            traffic.requests += 1
            traffic.add(bytes: bytes, of: client)
            latencies.record(Clock.now() - sentAt)
        }
    }

    func end() {
        complete.signal()
    }

    /// Waits for the end of the log or until progress stops. Returns whether the log has ended.
    func wait() -> Bool {
        ProgressWatchdog.wait(for: complete) { received.load(ordering: .relaxed) }
    }
}

final class ReplayCorinth: Scenario {
    private let source: ReplaySource
    private var traffic = Traffic()
    private var latencies = Histogram()
    private var incomplete = 0

    init(_ source: ReplaySource) {
        self.source = source
    }

    var granularity: Int { max(1, source.log.lines.count) }

    func run(events: Int) {
        for _ in 0..<source.rounds(events: events) {
            let sink = ReplaySink()
            let input = Self.graph(source.log, into: sink)
            source.play { line, sentAt in input.send(value: SentLine(line: line, sentAt: sentAt)) }
            input.sendCompleted()
            guard sink.wait() else {
                // Further updates may still arrive, so the sink must not be read.
                incomplete += 1
                return
            }
            traffic = sink.traffic
            latencies.merge(sink.latencies)
        }
    }

    func verify() throws {
        try CheckFailure.unless("replays that did not complete", is: 0, got: incomplete)
        try source.verify(traffic)
    }

    func takeLatencies() -> Histogram? {
        defer { latencies.reset() }
        return latencies
    }

    private static func graph(
        _ log: AccessLog,
        into sink: ReplaySink
    ) -> Signal<SentLine, Never>.Observer {
        let (lines, input) = Signal<SentLine, Never>.pipe()
        let read = lines.map { ReadLine(record: log.record(ofLine: $0.line), sentAt: $0.sentAt) }
        let malformed = read.filter { $0.record == nil }.map { Update.malformed(sentAt: $0.sentAt) }
        let requests = read.compactMap { line in
            line.record.map { Request(record: $0, sentAt: line.sentAt) }
        }
        let minutes = requests.map { Update.minute($0.record.minute) }
        let serverErrors = requests.filter { $0.record.status >= 500 }.map { _ in Update.serverError }
        let late =
            requests
            .scan(Newest()) { $0.followed(by: $1.record.time) }
            .filter { $0.isLate }
            .map { _ in Update.late }
        // Created last: a signal calls its observers in the order of their registration.
        let clients = requests.map {
            Update.request(client: $0.record.client, bytes: $0.record.bytes, sentAt: $0.sentAt)
        }
        Signal.merge([malformed, minutes, serverErrors, late, clients])
            .observe(on: QueueScheduler(qos: .userInitiated, name: "corinth-bench.replay"))
            .observe(Signal.Observer(value: { sink.add($0) }, completed: { sink.end() }))
        return input
    }
}
