/// Several runs as one report.
extension Report {
    /// The medians of several timed runs of one build on one machine, with all of their samples.
    ///
    /// - Throws: ``UsageError`` if the runs can't be combined.
    init(medianOf runs: [Report]) throws {
        guard let first = runs.first else { throw UsageError("there is no run") }
        guard runs.count > 1 else {
            self = first
            return
        }
        try Self.check(runs)
        var combined = first
        combined.scenarios = try Self.names(of: runs).map { name in
            let scenarios = runs.compactMap { run in run.scenarios.first { $0.name == name } }
            return try ScenarioReport(medianOf: scenarios, first.builds)
        }
        combined.calibration = Calibration(nanoseconds: runs.flatMap { $0.calibration?.nanoseconds ?? [] })
        combined.seconds = runs.compactMap(\.seconds).reduce(0, +)
        let failures = runs.flatMap { $0.failures ?? [] }
        combined.failures = failures.isEmpty ? nil : failures
        self = combined
    }

    private static func check(_ runs: [Report]) throws {
        guard !runs.contains(where: \.isCounted) else {
            throw UsageError("counts repeat exactly; one file of --mode counts is enough")
        }
        for run in runs {
            guard run.host.cpu == runs[0].host.cpu, run.host.swift == runs[0].host.swift else {
                throw UsageError(
                    "the runs are of different processors or versions of Swift; they have no common median")
            }
        }
        try checkDistinct(runs)
    }

    /// Fails if one run was given twice.
    static func checkDistinct(_ runs: [Report]) throws {
        for (index, run) in runs.enumerated() where runs[..<index].contains(where: { $0.scenarios == run.scenarios }) {
            throw UsageError("two files have the same run")
        }
    }

    /// The names of all scenarios of several runs, each once, in the order of the first run that has it.
    ///
    /// - Parameter withFailed: Whether those without figures are named, too.
    static func names(of runs: [Report], withFailed: Bool = false) -> [String] {
        var known: Set<String> = []
        return runs.flatMap { run in
            run.scenarios.map(\.name) + (withFailed ? run.failures ?? [] : []).map(\.scenario)
        }.filter { known.insert($0).inserted }
    }

    /// The scenarios that are selected, and the failures of these.
    func selecting(_ isSelected: (String) -> Bool) -> Report {
        var report = self
        report.scenarios = scenarios.filter { isSelected($0.name) }
        report.failures = failures?.filter { isSelected($0.scenario) }
        return report
    }

    /// How many runs the report has.
    var runs: Int { scenarios.flatMap(\.builds.values).compactMap(\.runs?.count).max() ?? 1 }
}

extension ScenarioReport {
    fileprivate init(medianOf runs: [ScenarioReport], _ names: BuildNames) throws {
        self = runs[0]
        guard Set(runs.map(\.unit)).count == 1 else { throw UsageError("the runs have different units of '\(name)'") }
        let all = Set(runs.flatMap(\.builds.keys))
        builds = Dictionary(
            uniqueKeysWithValues: all.map { build in
                (build, BuildReport(medianOf: runs.compactMap { $0.builds[build] }))
            })
        for ratio in names.ratios {
            let ratios = runs.compactMap { $0.ratios[ratio.name] }
            self.ratios[ratio.name] = RatioEstimate(medianOf: ratios)
        }
        let machines = runs.compactMap(\.machine)
        machine = machines.isEmpty ? nil : MachineReport(sumOf: machines)
        let known = runs.compactMap { run -> [[Int]]? in
            // Without disturbances, there is no report of the machine.
            let passes = run.builds.values.compactMap(\.passes?.count).max()
            return run.machine == nil ? passes.map { Array(repeating: [], count: $0) } : run.machine?.disturbedByPass
        }
        machine?.disturbedByPass = known.count == runs.count ? known.flatMap(\.self) : nil
    }
}

extension RatioEstimate {
    /// The median of several runs. The interval contains the intervals of all of them; nil if there are none.
    init?(medianOf runs: [RatioEstimate]) {
        guard let median = Statistics.median(runs.map(\.median)), let low = runs.map(\.low).min(),
            let high = runs.map(\.high).max()
        else { return nil }
        self.init(median: median, low: low, high: high)
    }
}

extension MachineReport {
    fileprivate init(sumOf runs: [MachineReport]) {
        self.init(
            rounds: runs.reduce(0) { $0 + $1.rounds }, repeated: runs.reduce(0) { $0 + $1.repeated },
            disturbed: runs.reduce(0) { $0 + $1.disturbed }, reasons: Set(runs.flatMap(\.reasons)).sorted(),
            unevenness: runs.map(\.widening).max())
    }
}

extension BuildReport {
    fileprivate init(medianOf runs: [BuildReport]) {
        self = runs[0]
        func median(_ path: KeyPath<BuildReport, Double?>) -> Double? {
            Statistics.median(runs.compactMap { $0[keyPath: path] })
        }
        self.median = Statistics.median(runs.map(\.median)) ?? 0
        min = runs.map(\.min).min() ?? 0
        max = runs.map(\.max).max() ?? 0
        samples = runs.reduce(0) { $0 + $1.samples }
        outliers = runs.compactMap(\.outliers).reduce(0, +)
        passes = runs.flatMap { $0.passes ?? [] }
        self.runs = runs.flatMap { $0.runs ?? [$0.passes?.count ?? 0] }
        let paths: [WritableKeyPath<BuildReport, Double?>] = [
            \.clockMedian, \.eventsPerSecond, \.throughputPerSecond, \.allocationsPerEvent, \.bytesPerEvent,
            \.contextSwitchesPerEvent,
            \.pageFaultsPerEvent,
            \.systemCallsPerEvent, \.retainsPerEvent, \.releasesPerEvent, \.instructionsPerEvent,
            \.lockedInstructionsPerEvent, \.cyclesPerEvent, \.cacheMissesPerEvent,
        ]
        for path in paths { self[keyPath: path] = median(path) }
        percentiles = Self.medians(runs.compactMap(\.percentiles))
        uncorrectedPercentiles = Self.medians(runs.compactMap(\.uncorrectedPercentiles))
        let each = runs.compactMap(\.passPercentiles)
        passPercentiles = each.count == runs.count ? each.flatMap(\.self) : nil
        let counts = runs.compactMap(\.passLatencies)
        passLatencies = counts.count == runs.count ? counts.flatMap(\.self) : nil
        // Curves have points of their own.
        curve = nil
        let own = runs.compactMap(\.counts).reduce(into: [:]) { $0.merge($1) { Swift.max($0, $1) } }
        self.counts = own.isEmpty ? nil : own
    }

    private static func medians(_ runs: [[String: UInt64]]) -> [String: UInt64]? {
        let names = Set(runs.flatMap(\.keys))
        guard !names.isEmpty else { return nil }
        return Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, UInt64(Statistics.median(runs.compactMap { $0[name].map { Double($0) } }) ?? 0))
            })
    }

    /// The samples by run and pass.
    var passesByRun: [[[Double]]]? { passes.map(byRun) }

    /// A percentile of each pass, by run; nil if a pass doesn't have it.
    func passes(ofPercentile name: String) -> [[[Double]]]? {
        guard let passPercentiles, !passPercentiles.isEmpty else { return nil }
        let values = passPercentiles.compactMap { $0[name].map { [Double($0)] } }
        return values.count == passPercentiles.count ? byRun(values) : nil
    }

    private func byRun<Pass>(_ passes: [Pass]) -> [[Pass]] {
        guard let runs, runs.reduce(0, +) == passes.count else { return [passes] }
        var rest = passes[...]
        return runs.map { count in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }
}
