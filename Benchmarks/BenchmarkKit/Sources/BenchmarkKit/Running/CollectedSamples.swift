import Foundation

/// The samples of one scenario so far.
struct CollectedSamples {
    /// What one pass has measured, so that it is kept or replaced as a whole.
    private struct Pass {
        var samples: [Build: [Sample]]
        /// How the machine disturbed each round, and how long it made the samples.
        var disturbances: [(kind: Disturbance, slowdowns: [Build: Double])?] = []
        var latencies: [Build: Latencies] = [:]
    }

    /// The latencies of a pass.
    private struct Latencies {
        var percentiles: [String: UInt64]
        /// The percentile that is the scenario's figure.
        var figure: Double
        var counts: BuildReport.LatencyCounts
    }

    private var passes: [Pass] = []
    private var counts: [Build: [String: Int]] = [:]
    private var uncorrected: [Build: Histogram] = [:]
    private(set) var latencies: [Build: Histogram] = [:]
    var allocations: [Build: AllocationsPerEvent] = [:]
    /// How many rounds were measured again, alone or with their pass.
    private(set) var repeated = 0
    /// How many rounds were taken, also those of passes that were replaced.
    private(set) var rounds = 0

    static let percentiles: [(name: String, percent: Double)] = [
        ("50", 50), ("90", 90), ("99", 99), ("99.9", 99.9), ("99.99", 99.99), ("100", 100),
    ]

    /// The number of passes that have begun.
    private(set) var passesBegun = 0

    mutating func beginPass(of builds: [Build]) {
        passesBegun += 1
        passes.append(Pass(samples: Dictionary(uniqueKeysWithValues: builds.map { ($0, []) })))
    }

    mutating func add(_ sample: Sample, of build: Build) {
        guard let last = passes.indices.last else { return }
        passes[last].samples[build]?.append(sample)
    }

    mutating func add(_ round: Round) {
        for (build, sample) in round.samples { add(sample, of: build) }
        rounds += 1
        repeated += round.repeats
        guard let last = passes.indices.last else { return }
        passes[last].disturbances.append(round.disturbance.map { ($0, round.slowdowns) })
    }

    /// Whether the machine disturbed so many rounds that a reader should know.
    var isMarked: Bool { machine([])?.isMarked ?? false }

    /// - Parameter pairs: The builds that are compared with each other.
    private func machine(_ pairs: [(Build, Build)]) -> MachineReport? {
        let all = passes.flatMap(\.disturbances)
        let found = all.compactMap(\.self)
        guard repeated + found.count > 0 else { return nil }
        var report = MachineReport(
            rounds: all.count, repeated: repeated, disturbed: found.count,
            reasons: Set(found.map(\.kind.rawValue)).sorted(),
            unevenness: exp(
                pairs.map { above, below in
                    // Not the size of single disturbances, which the samples show, but what they have in common.
                    let sum = found.reduce(0) { $0 + ($1.slowdowns[above] ?? 0) - ($1.slowdowns[below] ?? 0) }
                    return abs(sum) / Double(max(1, all.count))
                }.max() ?? 0))
        report.disturbedByPass = passes.map { pass in
            pass.disturbances.indices.filter { pass.disturbances[$0] != nil }
        }
        return report
    }

    /// Keeps the last pass instead of the one that the machine disturbed most, or drops it if it isn't better. The decision
    /// doesn't look at the figures.
    ///
    /// - Returns: Whether it was better.
    mutating func replaceWorstPass() -> Bool {
        let counts = passes.map { pass in pass.disturbances.count { $0 != nil } }
        guard let last = counts.last, let most = counts.dropLast().max(), let worst = counts.firstIndex(of: most) else {
            return false
        }
        repeated += passes[passes.count - 1].disturbances.count
        let isBetter = last < most
        if isBetter { passes.swapAt(worst, passes.count - 1) }
        passes.removeLast()
        return isBetter
    }

    /// Adds the summary of a pass. Of each count, the largest of all passes remains.
    mutating func add(_ summary: Summary, of build: Build, _ measure: ScenarioEntry.Measure = .timePerEvent) {
        counts[build, default: [:]].merge(summary.counts) { max($0, $1) }
        if let recorded = summary.latencies {
            latencies[build, default: Histogram()].merge(recorded)
            if let last = passes.indices.last {
                passes[last].latencies[build] = Latencies(
                    percentiles: Self.percentiles(of: recorded) ?? [:], figure: measure.figure(of: recorded) ?? 0,
                    counts: recorded.halfOctaves)
            }
        }
        if let recorded = summary.uncorrectedLatencies { uncorrected[build, default: Histogram()].merge(recorded) }
    }

    func report(_ entry: ScenarioEntry, _ names: BuildNames) -> ScenarioReport {
        let measured = Set(passes.flatMap(\.samples.keys))
        var builds: [String: BuildReport] = [:]
        for build in measured { builds[build.rawValue] = report(of: build, entry) }
        var ratios: [String: RatioEstimate] = [:]
        for ratio in names.ratios + [BuildNames.Ratio(above: names.main, below: .earlier)] {
            guard let numerators = figures(of: ratio.above, entry), let denominators = figures(of: ratio.below, entry)
            else { continue }
            ratios[ratio.name] = Statistics.ratio(ofPasses: numerators, to: denominators)
        }
        var report = ScenarioReport(name: entry.name, unit: entry.unit, builds: builds, ratios: ratios)
        report.threads = entry.threads
        report.throughput = entry.throughput
        let compared = [(names.main, Build.direct), (names.alternative, .direct), (names.main, .earlier)]
        report.machine = machine(compared.filter { measured.contains($0.0) && measured.contains($0.1) })
        return report
    }

    /// The figures of each pass: those of its samples, or, of a percentile, that of all latencies of the pass. The percentiles of
    /// samples are none of all events.
    private func figures(of build: Build, _ entry: ScenarioEntry) -> [[Double]]? {
        let samples = passes.compactMap { $0.samples[build] }
        if samples.isEmpty { return nil }
        guard case .latency = entry.measure, let ofPasses = latenciesOfPasses(build) else {
            return samples.map { $0.map(\.value) }
        }
        return ofPasses.map { [$0.figure] }
    }

    /// The latencies of each pass; nil if one has none.
    private func latenciesOfPasses(_ build: Build) -> [Latencies]? {
        let found = passes.compactMap { $0.latencies[build] }
        return !found.isEmpty && found.count == passes.count ? found : nil
    }

    private func report(of build: Build, _ entry: ScenarioEntry) -> BuildReport {
        let all = passes.flatMap { $0.samples[build] ?? [] }
        let events = Double(all.reduce(0) { $0 + $1.events })
        func perEvent(_ count: (Sample) -> UInt64?) -> Double? {
            let counted = all.compactMap(count)
            guard counted.count == all.count, events > 0 else { return nil }
            return Double(counted.reduce(0, +)) / events
        }
        var report = BuildReport(passes: figures(of: build, entry) ?? [])
        if let pooled = latencies[build].flatMap({ entry.measure.figure(of: $0) }) {
            report.median = pooled
            report.samples = all.count
        }
        report.throughputPerSecond = entry.throughput?.perSecond(nanosecondsPerEvent: report.median)
        let counts = counts[build] ?? [:]
        report.counts = counts.isEmpty ? nil : counts
        let nanoseconds = all.reduce(0) { $0 + Double($1.nanoseconds) }
        if all.allSatisfy({ $0.isTimed == true }), nanoseconds > 0 {
            report.eventsPerSecond = events / nanoseconds * 1e9
        }
        report.contextSwitchesPerEvent = entry.isThreaded ? perEvent(\.contextSwitches) : nil
        report.pageFaultsPerEvent = perEvent(\.pageFaults)
        report.instructionsPerEvent = perEvent(\.hardware.instructions)
        report.cyclesPerEvent = perEvent(\.hardware.cycles)
        report.cacheMissesPerEvent = perEvent(\.hardware.cacheMisses)
        report.allocationsPerEvent = allocations[build]?.requests
        report.bytesPerEvent = allocations[build]?.bytes
        report.systemCallsPerEvent = allocations[build]?.systemCalls
        report.percentiles = latencies[build].flatMap(Self.percentiles)
        let ofPasses = latenciesOfPasses(build)
        report.passPercentiles = ofPasses?.map(\.percentiles)
        report.passLatencies = ofPasses?.map(\.counts)
        let clock = all.filter { $0.processorNanoseconds != nil }.map {
            Double($0.nanoseconds) / Double(max(1, $0.events))
        }
        report.clockMedian = Statistics.median(clock)
        report.uncorrectedPercentiles = uncorrected[build].flatMap(Self.percentiles)
        report.curve = latencies[build].flatMap(Self.curve)
        return report
    }

    static func percentiles(of histogram: Histogram) -> [String: UInt64]? {
        guard histogram.count > 0 else { return nil }
        let read = percentiles.map { ($0.name, histogram.percentile($0.percent) ?? 0) }
        return Dictionary(uniqueKeysWithValues: read)
    }

    /// Points that approach 100 % by ever smaller steps, as far as the values distinguish them.
    static func curve(of histogram: Histogram) -> [BuildReport.CurvePoint]? {
        guard histogram.count > 0 else { return nil }
        return HistogramText.rows(of: histogram, ticks: 2).map { row in
            BuildReport.CurvePoint(percentile: 100 * row.share, nanoseconds: row.value)
        }
    }
}
