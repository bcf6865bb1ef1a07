/// One sample, as the worker took it.
public struct Sample: Codable, Equatable, Sendable {
    /// How many events the run had.
    public var events: Int
    /// How long the run took.
    public var nanoseconds: UInt64
    /// The figure: nanoseconds per event, or a percentile of latencies.
    public var value: Double
    /// Context switches of the process during the run.
    public var contextSwitches: UInt64?
}

/// What is left to tell when the samples have been taken.
public struct Summary: Codable, Equatable, Sendable {
    /// Percentiles of all latencies, in nanoseconds, where there are any.
    public var percentiles: [String: UInt64]?
    /// What the scenario counted.
    public var counts: [String: Int]
}

/// Runs one scenario: warms it up, chooses how many events a run has, takes samples, checks every run.
final class Sampler {
    static let percentiles: [(name: String, percent: Double)] = [
        ("50", 50), ("90", 90), ("99", 99), ("99.9", 99.9), ("99.99", 99.99), ("100", 100),
    ]

    private let entry: ScenarioEntry
    private let scenario: any Scenario
    private var events: Int
    private var latencies: Histogram?

    init(_ entry: ScenarioEntry, _ scenario: any Scenario) {
        self.entry = entry
        self.scenario = scenario
        events = scenario.granularity
    }

    /// Doubles the events of a run until one takes long enough, then runs a little more to be warm.
    ///
    /// - Parameters:
    ///   - singly: A run is one unit of the granularity, however short, and isn't warmed up: for work that is as
    ///     long as it is, such as a log that is played at its own speed.
    ///   - share: How much of the entry's time a run should take.
    func prepare(singly: Bool = false, share: Double = 1) throws {
        guard !singly else { return }
        let target = UInt64(Double(entry.sampleMilliseconds) * share * 1_000_000)
        var taken = try timedRun()
        while taken < target / 2 {
            events *= 2
            taken = try timedRun()
        }
        let fitting = Double(events) * Double(target) / Double(max(1, taken))
        events = max(1, Int(fitting) / scenario.granularity) * scenario.granularity
        for _ in 0..<2 { _ = try timedRun() }
        _ = scenario.takeLatencies()
    }

    func sample() throws -> Sample {
        let before = ProcessCounters.contextSwitches()
        let taken = try timedRun()
        let after = ProcessCounters.contextSwitches()
        let recorded = scenario.takeLatencies()
        if let recorded {
            latencies = latencies ?? Histogram()
            latencies?.merge(recorded)
        }
        let value =
            switch entry.measure {
            case .timePerEvent: Double(taken) / Double(events)
            case .latency(let percentile): Double(recorded?.percentile(percentile) ?? 0)
            }
        var switches: UInt64?
        if let before, let after { switches = after - before }
        return Sample(events: events, nanoseconds: taken, value: value, contextSwitches: switches)
    }

    /// Allocation requests per event, all threads, in the median of three tries; nil where they can't be counted.
    ///
    /// What a run allocates more than the smallest run there is: waking threads for a run may allocate, too, and
    /// is no event.
    func allocationsPerEvent() throws -> Double? {
        let fewest = scenario.granularity
        let many = max(events, 2 * fewest)
        var counted: [Double] = []
        for _ in 0..<3 {
            guard let small = try allocations(fewest), let large = try allocations(many) else { return nil }
            counted.append(Double(max(small, large) - small) / Double(many - fewest))
        }
        return Statistics.median(counted)
    }

    private func allocations(_ events: Int) throws -> UInt64? {
        guard let before = ProcessCounters.allocationRequests() else { return nil }
        scenario.run(events: events)
        guard let after = ProcessCounters.allocationRequests() else { return nil }
        try scenario.verify()
        return after - before
    }

    func finish() -> Summary {
        let counts = scenario.counts
        scenario.tearDown()
        guard let latencies, latencies.count > 0 else { return Summary(percentiles: nil, counts: counts) }
        let read = Self.percentiles.map { ($0.name, latencies.percentile($0.percent) ?? 0) }
        return Summary(percentiles: Dictionary(uniqueKeysWithValues: read), counts: counts)
    }

    private func timedRun() throws -> UInt64 {
        let taken = Clock.measure { scenario.run(events: events) }
        try scenario.verify()
        return taken
    }
}
