/// The changes from one report to another.
///
/// Times are compared as multiples of `direct`, which the same run measured. That cancels most of what slows down the whole
/// machine, but not all of it. So if the machine's speed differs between the runs, differences in times are inconclusive.
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
        /// The reason if more samples don't help an inconclusive row.
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
    /// The smallest change that matters, of scenarios without a threshold of their own: 0.1 is 10 %.
    public let threshold: Double

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

    /// The exit status: 1 if there is a regression; 3 if a row is inconclusive and that isn't allowed.
    public func status(requiringConclusions: Bool) -> Int32 {
        if !regressions.isEmpty { return 1 }
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
        rows = []
        warnings = Self.warnings(before, after)
        if isCounted {
            for pair in pairs { rows += Self.countRows(pair, threshold.share(of: pair.scenario, self.threshold)) }
            return
        }
        if before.scenarios == after.scenarios { warnings.append("both files have the figures of the same run") }
        let changes = pairs.map(\.change)
        let usual = self.threshold
        let judge = Judge(
            changes, { threshold.share(of: $0, usual) }, unseen: UnseenVariance(of: changes.compactMap(\.self)))
        let otherMachine = Self.otherMachine(before, after)
        for (pair, change) in zip(pairs, changes) {
            var row = Self.row(pair, pair.unit, pair.figuresBefore?.median, pair.figuresAfter?.median)
            if before.scenarios == after.scenarios {
                row.change = RatioEstimate(median: 1, low: 1, high: 1)
                row.verdict = .same
            } else {
                judge.judge(change, &row)
            }
            let reason = otherMachine ?? Self.disturbance(pair.before) ?? Self.disturbance(pair.after)
            if let reason { Self.withdraw(&row, reason) }
            rows.append(row)
            rows += Self.allocationRows(pair)
        }
        if let otherMachine {
            warnings.append("\(otherMachine), so differences in times are inconclusive; measure both again")
        }
    }

    /// The changes from the executable of `--against` to the run's own. One run measured both in turn, so the machine
    /// influenced both alike.
    public init(within report: Report, threshold: Threshold = Threshold()) {
        isCounted = false
        isPaired = true
        runsBefore = 1
        self.threshold = threshold.usual ?? Self.defaultThreshold(isCounted: false)
        let scenarios = report.scenarios.filter { $0.builds[Build.earlier.rawValue] != nil }
        let main = report.builds.main.rawValue
        let changes = scenarios.map { TimeChange(within: $0, main: main) }
        let usual = self.threshold
        let judge = Judge(changes, { threshold.share(of: $0, usual) }, unseen: .none)
        rows = zip(scenarios, changes).map { scenario, change in
            let pair = Pair(scenario: scenario.name, build: main, unit: scenario.unit)
            let (before, after) = (scenario.builds[Build.earlier.rawValue]?.median, scenario.builds[main]?.median)
            var row = Self.row(pair, pair.unit, before, after)
            judge.judge(change, &row)
            if let reason = Self.disturbance(scenario) { Self.withdraw(&row, reason) }
            return row
        }
        warnings = []
    }

    /// Makes a change inconclusive.
    private static func withdraw(_ row: inout Row, _ reason: String) {
        guard row.verdict == .more || row.verdict == .less else { return }
        row.verdict = .inconclusive
        row.isRegression = false
        row.samplesNeeded = nil
        row.reason = reason
    }

    /// Why no change is concluded from a scenario; nil if the machine disturbed few rounds or none.
    private static func disturbance(_ scenario: ScenarioReport?) -> String? {
        guard let machine = scenario?.machine, machine.isMarked else { return nil }
        return machine.text + "; measure again"
    }

    /// Gives the rows of times their verdicts.
    private struct Judge {
        var unseen: UnseenVariance
        var confidence: Double
        /// The threshold of a scenario.
        var threshold: (String) -> Double

        init(_ changes: [TimeChange?], _ threshold: @escaping (String) -> Double, unseen: UnseenVariance) {
            self.unseen = unseen
            self.threshold = threshold
            // Many comparisons find differences by chance. So each has a higher confidence (Bonferroni).
            confidence = 1 - 0.05 / Double(max(1, changes.count))
        }

        func judge(_ change: TimeChange?, _ row: inout Row) {
            guard let change else {
                if row.verdict == .inconclusive { row.reason = "too few samples" }
                return
            }
            let threshold = threshold(row.scenario)
            row.threshold = threshold
            let interval = change.interval(unseen: unseen)
            let estimate = interval.estimate(confidence: confidence)
            row.change = estimate
            row.verdict = estimate.verdict(threshold: threshold)
            row.isRegression = row.verdict == .more && estimate.median > 1 + threshold
            row.smallestFound = interval.smallestFound(confidence: confidence)
            guard row.verdict == .inconclusive else { return }
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

        var change: TimeChange? {
            guard let before, let after else { return nil }
            return TimeChange(of: build, from: before, to: after)
        }
    }

    /// Every scenario and build of the library in either report.
    private static func pairs(_ before: Report, _ after: Report) -> [Pair] {
        let names = before.scenarios.map(\.name)
        let added = after.scenarios.map(\.name).filter { !names.contains($0) }
        return (names + added).flatMap { name -> [Pair] in
            let first = before.scenarios.first { $0.name == name }
            let second = after.scenarios.first { $0.name == name }
            let unit = (second ?? first)?.unit ?? ""
            return [after.builds.main, after.builds.alternative].map(\.rawValue).compactMap { build in
                let pair = Pair(scenario: name, build: build, unit: unit, before: first, after: second)
                return pair.figuresBefore == nil && pair.figuresAfter == nil ? nil : pair
            }
        }
    }

    private static func row(_ pair: Pair, _ unit: String, _ before: Double?, _ after: Double?) -> Row {
        let verdict: Verdict = before == nil ? .added : after == nil ? .removed : .inconclusive
        return Row(
            scenario: pair.scenario, build: pair.build, unit: unit, before: before, after: after, change: nil,
            verdict: verdict, isRegression: false)
    }

    private static func countRows(_ pair: Pair, _ threshold: Double) -> [Row] {
        countFigures.compactMap { figure in
            let before = pair.figuresBefore?[keyPath: figure.path]
            let after = pair.figuresAfter?[keyPath: figure.path]
            guard before != nil || after != nil else { return nil }
            var row = row(pair, figure.unit, before, after)
            guard let before, let after else { return row }
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

    /// The allocations of a timed run, if they changed. Scenarios with threads are left out: theirs depend on timing.
    private static func allocationRows(_ pair: Pair) -> [Row] {
        guard let before = pair.figuresBefore, let after = pair.figuresAfter,
            before.contextSwitchesPerEvent == nil, after.contextSwitchesPerEvent == nil,
            let first = before.allocationsPerEvent, let second = after.allocationsPerEvent,
            abs(second - first) > max(0.01, 0.01 * first)
        else { return [] }
        var row = row(pair, "allocations", first, second)
        row.verdict = second > first ? .more : .less
        row.isRegression = second > first
        return [row]
    }

    /// The reason why the times of two runs can't be compared; nil if they can.
    private static func otherMachine(_ before: Report, _ after: Report) -> String? {
        if before.host.cpu != after.host.cpu { return "the processors differ" }
        guard let first = before.calibration, let second = after.calibration else { return nil }
        return first.change(to: second).map { change in
            let which = change > 1 ? "second" : "first"
            return "the calibration took \(Figures.number(max(change, 1 / change))) times as long in the \(which) run"
        }
    }

    private static func warnings(_ before: Report, _ after: Report) -> [String] {
        var warnings: [String] = []
        for (report, which) in [(before, "first"), (after, "second")] {
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
