/// The changes from one report to another.
///
/// Times are compared as multiples of `direct`, which the same run measured. That cancels most of what slows down the whole
/// machine, but not all of it. So if the machine's speed differs between the runs, their intervals are wider. Without `direct`,
/// times are compared as they are, and any difference in speed makes the intervals wider.
/// Counts are compared directly.
public struct Comparison: Equatable, Sendable {
    /// One figure of one build of one scenario.
    public struct Row: Codable, Equatable, Sendable {
        public var scenario: String
        public var build: String
        public var unit: String
        public var before: Double?
        public var after: Double?
        /// After divided by before. The intervals of all rows together contain the true values with 95 % confidence.
        public var change: RatioEstimate?
        public var verdict: Verdict
        public var isRegression: Bool
        /// The smallest change that matters: 0.1 is 10 %. nil for counts.
        public var threshold: Double?
        /// The smallest change that this comparison would have found with a probability of 80 %: 0.2 is 20 %. nil for counts.
        public var smallestFound: Double?
        /// If inconclusive, the number of samples that would find a change of the threshold with a probability of 80 %. nil if
        /// that can't be said, or if it is more than a thousand.
        public var samplesNeeded: Int?
        /// The reason if more samples don't help an inconclusive row, or why the figure couldn't be compared.
        public var reason: String?
    }

    public var rows: [Row]
    /// Warnings about the rows.
    public var warnings: [String]
    public let isCounted: Bool
    /// How many runs the figures before are the medians of.
    public let runsBefore: Int
    /// Whether one run measured both in turn.
    public let isPaired: Bool
    /// The scenarios whose times were compared as they are, because a report has no `direct` of them. None if one run measured both
    /// in turn.
    public let withoutDirect: [String]
    /// The smallest change that matters, of scenarios without a threshold of their own: 0.1 is 10 %.
    public let threshold: Double
    /// Whether the second report needn't have all that the first one has. What it hasn't is named in any case.
    public var allowsMissing = false

    /// The smallest changes that matter.
    public struct Threshold: Sendable {
        /// Of all scenarios; nil for the default: 10 % for times, 1 % for counts.
        public var usual: Double?
        /// Of scenarios whose names begin with `prefix`. The last one applies.
        public var byPrefix: [(prefix: String, share: Double)] = []

        public init(_ usual: Double? = nil) {
            self.usual = usual
        }

        func share(of scenario: String, _ otherwise: Double) -> Double {
            byPrefix.last { scenario.hasPrefix($0.prefix) }?.share ?? otherwise
        }
    }

    public var regressions: [Row] { rows.filter(\.isRegression) }

    public var inconclusive: [Row] { rows.filter { $0.verdict == .inconclusive } }

    /// The figures that were expected and couldn't be compared.
    public var lost: [Row] { rows.filter { $0.verdict.isLost && !(allowsMissing && $0.verdict == .missing) } }

    /// Whether no figure was compared, so that nothing is known.
    public var isEmpty: Bool { rows.allSatisfy { $0.verdict.isLost || $0.verdict == .added } }

    /// The exit status: 2 if nothing was compared; 1 if there is a regression, or if a figure that was expected couldn't be
    /// compared; 3 if a row is inconclusive and that isn't allowed.
    public func status(requiringConclusions: Bool) -> Int32 {
        if isEmpty { return 2 }
        if !regressions.isEmpty || !lost.isEmpty { return 1 }
        return requiringConclusions && !inconclusive.isEmpty ? 3 : 0
    }

    /// The default threshold: 10 % for times, 1 % for counts.
    public static func defaultThreshold(isCounted: Bool) -> Double { isCounted ? 0.01 : 0.1 }

    /// - Parameter threshold: The smallest change that matters: 0.1 is 10 %. A larger increase is a regression.
    /// - Throws: ``UsageError`` if one report was timed and the other one counted.
    public init(from before: Report, to after: Report, threshold: Threshold = Threshold()) throws {
        guard before.isCounted == after.isCounted else {
            throw UsageError("one file has times and the other one counts (--mode counts); they can't be compared")
        }
        isCounted = before.isCounted
        isPaired = false
        runsBefore = before.runs
        self.threshold = threshold.usual ?? Self.defaultThreshold(isCounted: isCounted)
        let pairs = Self.pairs(before, after)
        withoutDirect = isCounted ? [] : Self.withoutDirect(pairs)
        rows = []
        warnings = Self.warnings(before, after)
        if isCounted {
            for pair in pairs { rows += Self.countRows(pair, threshold.share(of: pair.scenario, self.threshold)) }
            addFailures(before, after)
            return
        }
        if before.scenarios == after.scenarios { warnings.append("both files have the figures of the same run") }
        let changes = pairs.map(\.change)
        let usual = self.threshold
        let figures = pairs.count + pairs.reduce(0) { $0 + $1.percentiles.count }
        let judge = Judge(
            figures, { threshold.share(of: $0, usual) }, unseen: UnseenVariance(of: changes.compactMap(\.self)))
        let isSame = before.scenarios == after.scenarios
        let otherProcessor = before.host.cpu == after.host.cpu ? nil : "the processors differ"
        let speed = Self.changeOfSpeed(before, after)
        let anySpeed = Self.anyChangeOfSpeed(before, after)
        for (pair, change) in zip(pairs, changes) {
            let disturbances =
                [pair.isRelative ? speed : anySpeed] + [pair.before, pair.after].map { Disturbances($0?.machine) }
            rows += Self.timeRows(pair, pair.figuresBefore, pair.figuresAfter, pair.percentiles) { row, percentile in
                // What is lost has nothing to judge.
                if row.verdict.isLost { return }
                if isSame {
                    row.change = RatioEstimate(median: 1, low: 1, high: 1)
                    row.verdict = .same
                    return
                }
                let change = if let percentile { pair.change(ofPercentile: percentile.name) } else { change }
                judge.judge(change, disturbances, times: percentile?.factor ?? 1, &row)
                if let otherProcessor { Self.withdraw(&row, otherProcessor) }
            }
            rows += Self.allocationRows(pair)
        }
        addFailures(before, after)
        if let otherProcessor {
            warnings.append("\(otherProcessor), so differences in times are inconclusive; measure both again")
        } else if let reason = speed.reason {
            warnings.append("\(reason), so intervals of times are wider by as much; measure both again")
        }
    }

    /// The changes from the executable of `--against` to the run's own. One run measured both in turn, so the machine
    /// influenced both alike.
    public init(within report: Report, threshold: Threshold = Threshold()) {
        isCounted = false
        isPaired = true
        withoutDirect = []
        runsBefore = 1
        self.threshold = threshold.usual ?? Self.defaultThreshold(isCounted: false)
        let scenarios = report.scenarios.filter { $0.builds[Build.earlier.rawValue] != nil }
        let main = report.builds.main.rawValue
        let usual = self.threshold
        let builds = scenarios.map { (before: $0.builds[Build.earlier.rawValue], after: $0.builds[main]) }
        let percentiles = zip(scenarios, builds).map { Percentile.those(of: [$1.before, $1.after], unit: $0.unit) }
        let figures = percentiles.reduce(scenarios.count) { $0 + $1.count }
        let judge = Judge(figures, { threshold.share(of: $0, usual) }, unseen: .none)
        rows = scenarios.indices.flatMap { index in
            let scenario = scenarios[index]
            let pair = Pair(scenario: scenario.name, build: main, unit: scenario.unit)
            let disturbances = [Disturbances(scenario.machine)]
            return Self.timeRows(pair, builds[index].before, builds[index].after, percentiles[index]) {
                row, percentile in
                let change =
                    if let percentile {
                        TimeChange(ofPercentile: percentile.name, within: scenario, main: main)
                    } else {
                        TimeChange(within: scenario, main: main)
                    }
                judge.judge(change, disturbances, times: percentile?.factor ?? 1, &row)
            }
        }
        warnings = []
    }

    /// The rows of the times of one build: its figure, and the percentiles.
    ///
    /// - Parameter judge: Gives a row its verdict. The percentile is nil for the figure.
    private static func timeRows(
        _ pair: Pair, _ before: BuildReport?, _ after: BuildReport?, _ percentiles: [Percentile],
        judge: (inout Row, Percentile?) -> Void
    ) -> [Row] {
        var figure = row(pair, pair.unit, before?.median, after?.median)
        judge(&figure, nil)
        return [figure]
            + percentiles.map { percentile in
                func value(_ build: BuildReport?) -> Double? { build?.percentiles?[percentile.name].map { Double($0) } }
                var row = row(pair, percentile.unit, value(before), value(after))
                judge(&row, percentile)
                return row
            }
    }

    /// A percentile of all latencies that is compared.
    struct Percentile {
        var name: String
        var unit: String
        /// How many times the threshold of the scenario its own is: the further out, the fewer events decide it.
        var factor: Double

        private static let all = [
            Percentile(name: "50", unit: "ns, p50 overall", factor: 1),
            Percentile(name: "99", unit: "ns, p99 overall", factor: 2),
            Percentile(name: "99.9", unit: "ns, p99.9 overall", factor: 5),
            Percentile(name: "100", unit: "ns, max overall", factor: 10),
        ]

        /// Those that one of the builds has, without the one that is the scenario's figure: its unit says which.
        static func those(of builds: [BuildReport?], unit: String) -> [Percentile] {
            all.filter { percentile in
                !unit.hasSuffix(", p" + percentile.name) && builds.contains { $0?.percentiles?[percentile.name] != nil }
            }
        }
    }

    /// By what factor a machine may have changed a ratio, and why.
    private struct Disturbances {
        var factor: Double
        var reason: String?

        init(factor: Double, reason: String?) {
            self.factor = factor
            self.reason = reason
        }

        init(_ machine: MachineReport?) {
            factor = machine?.widening ?? 1
            reason = machine.map { "\($0.text); measure again" }
        }
    }

    /// Says of the rows of a scenario that failed in one of the reports why they have no figures. Adds one if there are none.
    private mutating func addFailures(_ before: Report, _ after: Report) {
        for (report, which) in [(before, "first"), (after, "second")] {
            for failure in report.failures ?? [] {
                let reason = "in the \(which) run, \(failure.message)"
                let places = rows.indices.filter { index in
                    rows[index].scenario == failure.scenario && (rows[index].before == nil || rows[index].after == nil)
                }
                for index in places {
                    rows[index].verdict = .failed
                    rows[index].reason = reason
                }
                if places.isEmpty {
                    rows.append(
                        Row(
                            scenario: failure.scenario, build: failure.build, unit: "", before: nil, after: nil,
                            change: nil,
                            verdict: .failed, isRegression: false, reason: reason))
                }
            }
        }
    }

    /// Makes a change inconclusive.
    private static func withdraw(_ row: inout Row, _ reason: String) {
        guard row.verdict == .more || row.verdict == .less else { return }
        row.verdict = .inconclusive
        row.isRegression = false
        row.samplesNeeded = nil
        row.reason = reason
    }

    /// Gives the rows of times their verdicts.
    private struct Judge {
        var unseen: UnseenVariance
        var confidence: Double
        /// The threshold of a scenario.
        var threshold: (String) -> Double

        init(_ figures: Int, _ threshold: @escaping (String) -> Double, unseen: UnseenVariance) {
            self.unseen = unseen
            self.threshold = threshold
            // Many comparisons find differences by chance. So each has a higher confidence (Bonferroni).
            confidence = 1 - 0.05 / Double(max(1, figures))
        }

        /// - Parameters:
        ///   - disturbances: They make the interval wider, by as much as they may have changed the figures.
        ///   - factor: How many times the scenario's threshold is that of the row.
        func judge(_ change: TimeChange?, _ disturbances: [Disturbances], times factor: Double = 1, _ row: inout Row) {
            guard let change else {
                if row.verdict == .inconclusive { row.reason = "too few samples" }
                return
            }
            let threshold = factor * threshold(row.scenario)
            row.threshold = threshold
            let interval = change.interval(unseen: unseen)
            var estimate = interval.estimate(confidence: confidence)
            let undisturbed = estimate.verdict(threshold: threshold)
            let widening = disturbances.reduce(1) { $0 * $1.factor }
            (estimate.low, estimate.high) = (estimate.low / widening, estimate.high * widening)
            row.change = estimate
            row.verdict = estimate.verdict(threshold: threshold)
            row.isRegression = row.verdict == .more && estimate.median > 1 + threshold
            row.smallestFound = widening * (1 + interval.smallestFound(confidence: confidence)) - 1
            guard row.verdict == .inconclusive else { return }
            if undisturbed != .inconclusive {
                row.reason = disturbances.max { $0.factor < $1.factor }?.reason
                return
            }
            row.samplesNeeded = change.samples(toFind: threshold, confidence: confidence, unseen: unseen)
        }
    }

    private struct Pair {
        var scenario: String
        var build: String
        var unit: String
        var before: ScenarioReport?
        var after: ScenarioReport?

        var figuresBefore: BuildReport? { before?.builds[build] }
        var figuresAfter: BuildReport? { after?.builds[build] }

        /// Whether both reports have times of `direct`.
        var isRelative: Bool {
            [before, after].allSatisfy { $0?.builds[Build.direct.rawValue]?.passes != nil }
        }

        /// The units of both reports, if they differ.
        var units: String? {
            guard let before, let after, before.unit != after.unit else { return nil }
            return "\(before.unit), then \(after.unit)"
        }

        /// The percentiles that one of the reports has.
        var percentiles: [Percentile] {
            units == nil ? Percentile.those(of: [figuresBefore, figuresAfter], unit: unit) : []
        }

        func change(ofPercentile name: String) -> TimeChange? {
            guard let before, let after, units == nil else { return nil }
            return TimeChange(ofPercentile: name, of: build, from: before, to: after)
        }

        var change: TimeChange? {
            guard let before, let after, units == nil else { return nil }
            return TimeChange(of: build, from: before, to: after)
        }
    }

    private static func withoutDirect(_ pairs: [Pair]) -> [String] {
        var known: Set<String> = []
        let found = pairs.filter { !$0.isRelative && $0.figuresBefore != nil && $0.figuresAfter != nil }.map(\.scenario)
        return found.filter { known.insert($0).inserted }
    }

    /// Every scenario and build of the library in either report.
    private static func pairs(_ before: Report, _ after: Report) -> [Pair] {
        let names = before.scenarios.map(\.name)
        let added = after.scenarios.map(\.name).filter { !names.contains($0) }
        return (names + added).flatMap { name -> [Pair] in
            let first = before.scenarios.first { $0.name == name }
            let second = after.scenarios.first { $0.name == name }
            let unit = (second ?? first)?.unit ?? ""
            // Times are multiples of direct, which the second run must have if the first one has it.
            let isLost = first?.builds[Build.direct.rawValue] != nil && second?.builds[Build.direct.rawValue] == nil
            let direct: [Build] = isLost && second != nil && !after.isCounted ? [.direct] : []
            return ([after.builds.main, after.builds.alternative] + direct).map(\.rawValue).compactMap { build in
                let pair = Pair(scenario: name, build: build, unit: unit, before: first, after: second)
                return pair.figuresBefore == nil && pair.figuresAfter == nil ? nil : pair
            }
        }
    }

    private static func row(_ pair: Pair, _ unit: String, _ before: Double?, _ after: Double?) -> Row {
        let units = pair.units
        let verdict: Verdict =
            before == nil ? .added : after == nil ? .missing : units == nil ? .inconclusive : .otherUnit
        return Row(
            scenario: pair.scenario, build: pair.build, unit: unit, before: before, after: after, change: nil,
            verdict: verdict, isRegression: false, reason: verdict == .otherUnit ? units : nil)
    }

    private static func countRows(_ pair: Pair, _ threshold: Double) -> [Row] {
        countFigures.compactMap { figure in
            let before = pair.figuresBefore?[keyPath: figure.path]
            let after = pair.figuresAfter?[keyPath: figure.path]
            guard before != nil || after != nil else { return nil }
            var row = row(pair, figure.unit, before, after)
            guard let before, let after, !row.verdict.isLost else { return row }
            if before > 0 {
                let ratio = after / before
                row.change = RatioEstimate(median: ratio, low: ratio, high: ratio)
            }
            row.verdict = after > before ? .more : after < before ? .less : .same
            row.isRegression = after > before * (1 + threshold) + 1e-9
            return row
        }
    }

    /// The counts and their names.
    static let countFigures: [(unit: String, path: any KeyPath<BuildReport, Double?> & Sendable)] = [
        ("instructions", \.instructionsPerEvent), ("locked instructions", \.lockedInstructionsPerEvent),
        ("allocations", \.allocationsPerEvent),
        ("bytes", \.bytesPerEvent), ("system calls", \.systemCallsPerEvent),
        ("retains", \.retainsPerEvent), ("releases", \.releasesPerEvent),
    ]

    /// The allocations of a timed run, if they changed or weren't counted any more. Scenarios with threads are left out: theirs
    /// depend on timing.
    private static func allocationRows(_ pair: Pair) -> [Row] {
        guard let before = pair.figuresBefore, let after = pair.figuresAfter, pair.units == nil,
            before.contextSwitchesPerEvent == nil, after.contextSwitchesPerEvent == nil,
            let first = before.allocationsPerEvent
        else { return [] }
        var row = row(pair, "allocations", first, after.allocationsPerEvent)
        guard let second = after.allocationsPerEvent else { return [row] }
        guard abs(second - first) > max(0.01, 0.01 * first) else { return [] }
        row.verdict = second > first ? .more : .less
        row.isRegression = second > first
        return [row]
    }

    /// How far the machine's speed differs between two runs.
    private static func changeOfSpeed(_ before: Report, _ after: Report) -> Disturbances {
        guard let first = before.calibration, let second = after.calibration, let change = first.change(to: second)
        else {
            return Disturbances(factor: 1, reason: nil)
        }
        let factor = max(change, 1 / change)
        let which = change > 1 ? "second" : "first"
        return Disturbances(
            factor: factor, reason: "the calibration took \(Figures.number(factor)) times as long in the \(which) run")
    }

    /// The same for times that aren't multiples of anything: each difference counts, however small.
    private static func anyChangeOfSpeed(_ before: Report, _ after: Report) -> Disturbances {
        let factor = before.calibration.flatMap { first in after.calibration.flatMap { first.factor(to: $0) } }
        guard let factor else { return Disturbances(factor: 1, reason: nil) }
        return Disturbances(
            factor: factor,
            reason: "without direct, and the calibrations differ by \(Figures.number((factor - 1) * 100)) %")
    }

    private static func warnings(_ before: Report, _ after: Report) -> [String] {
        var warnings: [String] = []
        for (report, which) in [(before, "first"), (after, "second")] {
            if let done = report.incomplete { warnings.append("the \(which) run ended after \(done)") }
            if let warning = report.calibration?.warning { warnings.append("in the \(which) run, \(warning)") }
        }
        let facts: [(String, (Host) -> String)] = [
            ("processor", \.cpu), ("Swift", \.swift),
            ("architecture", { $0.architecture ?? before.host.architecture ?? "" }),
        ]
        for (what, fact) in facts where fact(before.host) != fact(after.host) {
            warnings.append("the \(what) differs: \(fact(before.host)), then \(fact(after.host))")
        }
        return warnings
    }
}
