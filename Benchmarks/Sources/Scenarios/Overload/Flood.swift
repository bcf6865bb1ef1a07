import BenchmarkKit

/// `overload/NAME/N`: N threads do one thing as often as they can, for a time. An event is a call.
enum Floods {
    static let entries: [ScenarioEntry] = all.flatMap { name, make in
        [4, 64].map { threads in
            ScenarioEntry(
                "overload/\(name)/\(threads)",
                unit: "ns/call",
                sampleMilliseconds: 200,
                isThreaded: true,
                isOnRequest: true,
                direct: { _ in FloodScenario(plainFlood(), threads: threads, notesMemory: false) },
                corinth: { _ in FloodScenario(make(threads), threads: threads, notesMemory: true) })
        }
    }

    /// What stands beside all of them: a call of a closure under a pthread mutex.
    private static func plainFlood() -> Flood {
        let seen = Tally()
        let observe = opaqueObserver { seen.add($0) }
        return Flood {
            _, number in
            PlainMutex.withLock { observe(number) }
        } verify: { calls in
            try CheckFailure.unless("calls under the mutex", is: calls, got: seen.count)
        }
    }
}

/// What the threads do, and whether it came about.
struct Flood {
    /// One call, by a thread, and how many of its own it made before.
    var call: @Sendable (_ thread: Int, _ number: Int) -> Void
    /// Waits for what has been begun, and throws unless it came about; gets how many calls there have been. No thread is
    /// calling meanwhile.
    var verify: (_ calls: Int) throws -> Void
    /// Ends streams.
    var end: () -> Void = {}
}

private final class FloodScenario: Scenario {
    private let flood: Flood
    private let team: FloodTeam
    /// What was allocated at first. Nil on the side that allocates nothing: it takes turns with another one in its process.
    private let before: UInt64?
    private var grown = 0
    private var timed: TimedRun?

    init(_ flood: Flood, threads: Int, notesMemory: Bool) {
        self.flood = flood
        team = FloodTeam(threads: threads)
        before = notesMemory ? ProcessCounters.allocatedBytes() : nil
    }

    var granularity: Int { 25 }

    func run(events: Int) {
        timed = team.run(milliseconds: events, atEnd: { noteMemory() }, flood.call)
    }

    private func noteMemory() {
        guard let before, let now = ProcessCounters.allocatedBytes() else { return }
        grown = max(grown, Int(now) - Int(before))
    }

    func takeTimedRun() -> TimedRun? { timed }

    func verify() throws {
        try CheckFailure.unless(cameBack: timed)
        try flood.verify(team.calls)
    }

    var counts: [String: Int] {
        ["longest call in µs": team.longestCallMicroseconds].merging(
            before == nil ? [:] : ["kB grown at most": grown / 1000]
        ) { $1 }
    }

    func tearDown() {
        team.end()
        flood.end()
    }
}
