/// What changed from one report to another.
///
/// Times are compared as multiples of `direct`, which was measured beside them: what made the whole machine slower
/// between the runs drops out, if not entirely. So where the machine itself says that it was another one, no
/// difference in times is claimed. Counts are compared as they are.
public struct Comparison: Equatable, Sendable {
    public enum Verdict: String, Codable, Sendable {
        case same = "no difference"
        case more
        case less
        /// Only in the second report.
        case added
        /// Only in the first one.
        case removed
        /// Too few samples, or none kept, or the machine was as if another one.
        case unknown = "can't be told"
    }

    /// One figure of one build of one scenario.
    public struct Row: Codable, Equatable, Sendable {
        public var scenario: String
        public var build: String
        public var unit: String
        public var before: Double?
        public var after: Double?
        /// After divided by before.
        public var change: RatioEstimate?
        public var verdict: Verdict
        public var isRegression: Bool
    }

    public var rows: [Row]
    /// What to keep in mind when reading them.
    public var warnings: [String]
    public let isCounted: Bool
    /// Whether before and after were measured in turn, in one run.
    public let isPaired: Bool

    public var regressions: [Row] { rows.filter(\.isRegression) }

    /// From how much more on something is a regression, unless it is said: 10 % for times, 1 % for counts.
    public static func defaultThreshold(isCounted: Bool) -> Double { isCounted ? 0.01 : 0.1 }

    /// - Parameter threshold: From how much more on something is a regression: 0.1 is 10 %.
    /// - Throws: ``UsageError`` if one report was timed and the other one counted.
    public init(from before: Report, to after: Report, threshold: Double? = nil) throws {
        guard before.isCounted == after.isCounted else {
            throw UsageError("one file is of a timed run and the other one of --mode counts; they can't be compared")
        }
        isCounted = before.isCounted
        isPaired = false
        let threshold = threshold ?? Self.defaultThreshold(isCounted: isCounted)
        let pairs = Self.pairs(before, after)
        rows = []
        warnings = Self.warnings(before, after)
        if isCounted {
            for pair in pairs { rows += Self.countRows(pair, threshold) }
            return
        }
        // As many comparisons as there are would find something by chance: each one is made stricter.
        let confidence = 1 - 0.05 / Double(max(1, pairs.count))
        let changes = pairs.map(\.change)
        let unseen = UnseenVariance(of: changes.compactMap(\.self))
        let otherMachine = Self.otherMachine(before, after)
        for (pair, change) in zip(pairs, changes) {
            var row = Self.timeRow(pair, change, unseen, confidence, threshold)
            if otherMachine != nil, row.verdict == .more || row.verdict == .less {
                row.verdict = .unknown
                row.isRegression = false
            }
            rows.append(row)
            rows += Self.allocationRows(pair)
        }
        if let otherMachine {
            warnings.append("\(otherMachine), so that no difference in times can be told; measure both anew")
        }
    }

    /// What changed from the executable that a run was held against to its own: they were measured in turn, so that
    /// whatever the machine did, it did to both.
    public init(within report: Report, threshold: Double? = nil) {
        isCounted = false
        isPaired = true
        let scenarios = report.scenarios.filter { $0.builds["earlier"] != nil }
        let changes = scenarios.map(TimeChange.init(within:))
        let unseen = UnseenVariance(of: changes.compactMap(\.self))
        let confidence = 1 - 0.05 / Double(max(1, scenarios.count))
        rows = zip(scenarios, changes).map { scenario, change in
            let pair = Pair(scenario: scenario.name, build: "lockfree", unit: scenario.unit)
            var row = Self.timeRow(
                pair, change, unseen, confidence, threshold ?? Self.defaultThreshold(isCounted: false))
            row.before = scenario.builds["earlier"]?.median
            row.after = scenario.builds["lockfree"]?.median
            if change == nil { row.verdict = .unknown }
            return row
        }
        warnings = []
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

    /// Every scenario and build of the library that either report has.
    private static func pairs(_ before: Report, _ after: Report) -> [Pair] {
        let names = before.scenarios.map(\.name)
        let added = after.scenarios.map(\.name).filter { !names.contains($0) }
        return (names + added).flatMap { name -> [Pair] in
            let first = before.scenarios.first { $0.name == name }
            let second = after.scenarios.first { $0.name == name }
            let unit = (second ?? first)?.unit ?? ""
            return ["lockfree", "naive"].compactMap { build in
                let pair = Pair(scenario: name, build: build, unit: unit, before: first, after: second)
                return pair.figuresBefore == nil && pair.figuresAfter == nil ? nil : pair
            }
        }
    }

    private static func row(_ pair: Pair, _ unit: String, _ before: Double?, _ after: Double?) -> Row {
        let verdict: Verdict = before == nil ? .added : after == nil ? .removed : .unknown
        return Row(
            scenario: pair.scenario, build: pair.build, unit: unit, before: before, after: after, change: nil,
            verdict: verdict, isRegression: false)
    }

    private static func timeRow(
        _ pair: Pair,
        _ change: TimeChange?,
        _ unseen: UnseenVariance,
        _ confidence: Double,
        _ threshold: Double
    ) -> Row {
        var row = row(pair, pair.unit, pair.figuresBefore?.median, pair.figuresAfter?.median)
        guard let change else { return row }
        let estimate = change.estimate(unseen: unseen, confidence: confidence)
        row.change = estimate
        row.verdict = estimate.low > 1 ? .more : estimate.high < 1 ? .less : .same
        row.isRegression = row.verdict == .more && estimate.median > 1 + threshold
        return row
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

    /// What is counted, and the word for it.
    static let countFigures: [(unit: String, path: any KeyPath<BuildReport, Double?> & Sendable)] = [
        ("instructions", \.instructionsPerEvent), ("allocations", \.allocationsPerEvent),
        ("bytes", \.bytesPerEvent), ("system calls", \.systemCallsPerEvent),
        ("retains", \.retainsPerEvent), ("releases", \.releasesPerEvent),
    ]

    /// Allocations of a timed run, where they changed. With threads they depend on the time, and are left out.
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

    /// Why the two runs are as if of two machines; nil if they aren't.
    private static func otherMachine(_ before: Report, _ after: Report) -> String? {
        if before.host.cpu != after.host.cpu { return "the processor is another one" }
        guard let first = before.calibration, let second = after.calibration else { return nil }
        return first.change(to: second).map { change in
            let which = change > 1 ? "second" : "first"
            return "the machine took \(Figures.number(max(change, 1 / change))) times as long in the \(which) run"
        }
    }

    private static func warnings(_ before: Report, _ after: Report) -> [String] {
        var warnings: [String] = []
        for (report, which) in [(before, "first"), (after, "second")] {
            if let warning = report.calibration?.warning { warnings.append("in the \(which) run \(warning)") }
        }
        let facts: [(String, (Host) -> String)] = [
            ("processor", \.cpu), ("Swift", \.swift),
            ("architecture", { $0.architecture ?? before.host.architecture ?? "" }),
        ]
        for (what, fact) in facts where fact(before.host) != fact(after.host) {
            warnings.append("another \(what): \(fact(before.host)), then \(fact(after.host))")
        }
        return warnings
    }
}
