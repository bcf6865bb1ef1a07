import BenchmarkKit

/// `overload/NAME/N`: N threads repeat one call for a given time. An event is a call.
enum Floods {
    static let entries: [ScenarioEntry] = all.flatMap { name, make in [4, 64].map { entry(name, make, $0) } }

    static func entries(threads: Int) -> [ScenarioEntry] { all.map { entry($0, $1, threads) } }

    private static func entry(
        _ name: String, _ make: @escaping @Sendable (Int) -> Flood, _ threads: Int
    ) -> ScenarioEntry {
        ScenarioEntry(
            "overload/\(name)/\(threads)",
            unit: "ns/call",
            sampleMilliseconds: 200,
            isThreaded: true,
            threads: threads,
            isOnRequest: true,
            direct: { _ in FloodScenario(plainFlood(), threads: threads, notesMemory: false) },
            library: { _ in FloodScenario(make(threads), threads: threads, notesMemory: true) })
    }

    /// The direct side of all of them: calls a closure under a pthread mutex.
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

/// The call that the threads repeat, and the check of its result.
struct Flood {
    /// One call. Gets the thread's number and the number of that thread's earlier calls.
    var call: @Sendable (_ thread: Int, _ number: Int) -> Void
    /// Waits for the calls' effects and throws unless they are complete. Gets the number of calls. No thread calls at that
    /// time.
    var verify: (_ calls: Int) throws -> Void
    /// Ends the streams.
    var end: () -> Void = {}
}

private final class FloodScenario: Scenario {
    private let flood: Flood
    private let team: FloodTeam
    /// The bytes allocated at first. nil on the direct side, which allocates nothing and shares a process with another side.
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
        try CheckFailure.unless(ended: timed)
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
