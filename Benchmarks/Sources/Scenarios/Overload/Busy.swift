import BenchmarkKit
import Corinth

/// `overload/busy-N`: N threads send to one signal without a pause for two seconds, so that its inbox is full all the time. The
/// observer only counts. Each call's duration is recorded, and how much each thread has sent.
enum Busy {
    static let entries: [ScenarioEntry] = [2, 8, 64, 512].map { entry(threads: $0) }

    private static let milliseconds = 2_000

    private static func entry(threads: Int) -> ScenarioEntry {
        ScenarioEntry(
            "overload/busy-\(threads)",
            sampleMilliseconds: milliseconds,
            isThreaded: true,
            threads: threads,
            direct: { _ in BusyDirect(threads: threads, milliseconds: milliseconds) },
            library: { _ in BusyCorinth(threads: threads, milliseconds: milliseconds) })
    }
}

/// The threads, and the events that they sent and that arrived.
private final class BusySenders {
    let arrivals: CountedArrivals
    private let team: FloodTeam
    private var sentBefore: [Int]
    private(set) var timed: TimedRun?

    /// How much the thread that has sent least, and the one that has sent most, sent in the last run.
    private var range = 0...0

    init(_ threads: Int) {
        arrivals = CountedArrivals(senders: threads)
        team = FloodTeam(threads: threads, recordsDurations: true)
        sentBefore = team.callsByThread
    }

    func run(milliseconds: Int, _ send: @escaping @Sendable (Int) -> Void) {
        timed = team.run(milliseconds: milliseconds) { [arrivals] in
            arrivals.count
        } _: { sender, number in
            send(Stamped.value(sender: sender, number: number))
        }
        let sent = team.callsByThread
        let sentNow = zip(sent, sentBefore).map { $0 - $1 }
        range = (sentNow.min() ?? 0)...(sentNow.max() ?? 0)
        sentBefore = sent
    }

    func verify() throws {
        try CheckFailure.unless(ended: timed)
        try arrivals.verify(sentByEach: team.callsByThread)
    }

    func takeLatencies() -> Histogram? { team.takeDurations() }

    var counts: [String: Int] {
        [
            "longest send in µs": team.longestCallMicroseconds, "least sent by a thread": range.lowerBound,
            "most sent by a thread": range.upperBound,
        ]
    }

    func end() { team.end() }
}

private final class BusyCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let senders: BusySenders
    let granularity: Int

    init(threads: Int, milliseconds: Int) {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        granularity = milliseconds
        senders = BusySenders(threads)
        output.observeValues { [arrivals = senders.arrivals] in arrivals.add($0) }
    }

    func run(events: Int) { senders.run(milliseconds: events) { [input] in input.send(value: $0) } }

    func takeTimedRun() -> TimedRun? { senders.timed }

    func takeLatencies() -> Histogram? { senders.takeLatencies() }

    func verify() throws { try senders.verify() }

    var counts: [String: Int] { senders.counts }

    func tearDown() {
        senders.end()
        input.sendCompleted()
    }
}

/// The same threads call the observer under a pthread mutex.
private final class BusyDirect: Scenario {
    private let observe: @Sendable (Int) -> Void
    private let senders: BusySenders
    let granularity: Int

    init(threads: Int, milliseconds: Int) {
        granularity = milliseconds
        senders = BusySenders(threads)
        observe = opaqueObserver { [arrivals = senders.arrivals] in arrivals.add($0) }
    }

    func run(events: Int) {
        senders.run(milliseconds: events) { [observe] value in PlainMutex.withLock { observe(value) } }
    }

    func takeTimedRun() -> TimedRun? { senders.timed }

    func takeLatencies() -> Histogram? { senders.takeLatencies() }

    func verify() throws { try senders.verify() }

    var counts: [String: Int] { senders.counts }

    func tearDown() { senders.end() }
}
