import BenchmarkKit
import Corinth

/// `contend/64` and up: N threads send to one signal as fast as they can, for a given time. The observer works for 1 µs.
enum ContendMany {
    static let observerMicroseconds = 1

    static func entry(threads: Int) -> ScenarioEntry {
        // Thousands of threads need a while until each has run.
        let isLarge = threads > 64
        let milliseconds = isLarge ? 250 : 15
        return ScenarioEntry(
            "contend/\(threads)",
            sampleMilliseconds: 4 * milliseconds,
            isThreaded: true,
            threads: threads,
            isOnRequest: isLarge,
            direct: { ContendManyDirect(threads: threads, milliseconds: milliseconds, spin: $0.spin) },
            library: { ContendManyCorinth(threads: threads, milliseconds: milliseconds, spin: $0.spin) })
    }

    /// The observer of both sides.
    static func observer(_ arrivals: CountedArrivals, _ spin: Spin) -> @Sendable (Int) -> Void {
        { value in
            arrivals.add(value)
            spin.burn(microseconds: observerMicroseconds)
        }
    }
}

/// The threads, and the events that they sent and that arrived.
private final class ManySenders {
    let arrivals: CountedArrivals
    private let team: FloodTeam
    private(set) var timed: TimedRun?

    init(_ threads: Int) {
        arrivals = CountedArrivals(senders: threads)
        team = FloodTeam(threads: threads)
    }

    func run(milliseconds: Int, _ send: @escaping @Sendable (Int) -> Void) {
        timed = team.run(milliseconds: milliseconds) { [arrivals] in
            arrivals.count
        } _: { sender, number in
            send(Stamped.value(sender: sender, number: number))
        }
    }

    func verify() throws {
        try CheckFailure.unless(ended: timed)
        try arrivals.verify(sentByEach: team.callsByThread)
    }

    var counts: [String: Int] { ["longest send in µs": team.longestCallMicroseconds] }

    func end() { team.end() }
}

private final class ContendManyCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let senders: ManySenders
    let granularity: Int

    init(threads: Int, milliseconds: Int, spin: Spin) {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        granularity = milliseconds
        senders = ManySenders(threads)
        output.observeValues(ContendMany.observer(senders.arrivals, spin))
    }

    func run(events: Int) {
        senders.run(milliseconds: events) { [input] in input.send(value: $0) }
    }

    func takeTimedRun() -> TimedRun? { senders.timed }

    func verify() throws { try senders.verify() }

    var counts: [String: Int] { senders.counts }

    func tearDown() {
        senders.end()
        input.sendCompleted()
    }
}

/// The same threads call the observer under a pthread mutex.
private final class ContendManyDirect: Scenario {
    private let observe: @Sendable (Int) -> Void
    private let senders: ManySenders
    let granularity: Int

    init(threads: Int, milliseconds: Int, spin: Spin) {
        granularity = milliseconds
        senders = ManySenders(threads)
        observe = opaqueObserver(ContendMany.observer(senders.arrivals, spin))
    }

    func run(events: Int) {
        senders.run(milliseconds: events) { [observe] value in PlainMutex.withLock { observe(value) } }
    }

    func takeTimedRun() -> TimedRun? { senders.timed }

    func verify() throws { try senders.verify() }

    var counts: [String: Int] { senders.counts }

    func tearDown() { senders.end() }
}
