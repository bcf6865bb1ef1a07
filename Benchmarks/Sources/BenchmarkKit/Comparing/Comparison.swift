import Foundation

/// What changed from one report to another.
///
/// Times are compared as multiples of `direct`, which was measured beside them: what made the whole machine slower
/// between the runs drops out. Counts are compared as they are.
public struct Comparison: Equatable, Sendable {
    public enum Verdict: String, Codable, Sendable {
        case same = "no difference"
        case more
        case less
        /// Only in the second report.
        case added
        /// Only in the first one.
        case removed
        /// Too few samples, or none kept.
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

    public var regressions: [Row] { rows.filter(\.isRegression) }

    /// Two processes of one executable differ by about this much for reasons that no sampling within them shows.
    static let unseenDeviation = 0.015

    /// From how much more on something is a regression, unless it is said: 10 % for times, 1 % for counts.
    public static func defaultThreshold(isCounted: Bool) -> Double { isCounted ? 0.01 : 0.1 }

    /// - Parameter threshold: From how much more on something is a regression: 0.1 is 10 %.
    /// - Throws: ``UsageError`` if one report was timed and the other one counted.
    public init(from before: Report, to after: Report, threshold: Double? = nil) throws {
        guard before.isCounted == after.isCounted else {
            throw UsageError("one file is of a timed run and the other one of --mode counts; they can't be compared")
        }
        isCounted = before.isCounted
        let threshold = threshold ?? Self.defaultThreshold(isCounted: isCounted)
        let pairs = Self.pairs(before, after)
        rows = []
        for pair in pairs {
            if isCounted {
                rows += Self.countRows(pair, threshold)
            } else {
                // As many comparisons as there are would find something by chance: each one is made stricter.
                let confidence = 1 - 0.05 / Double(max(1, pairs.count))
                rows.append(Self.timeRow(pair, confidence, threshold))
                rows += Self.allocationRows(pair)
            }
        }
        warnings = Self.warnings(before, after)
    }

    private struct Pair {
        var scenario: String
        var build: String
        var unit: String
        var before: ScenarioReport?
        var after: ScenarioReport?

        var figuresBefore: BuildReport? { before?.builds[build] }
        var figuresAfter: BuildReport? { after?.builds[build] }
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

    private static func timeRow(_ pair: Pair, _ confidence: Double, _ threshold: Double) -> Row {
        var row = row(pair, pair.unit, pair.figuresBefore?.median, pair.figuresAfter?.median)
        guard let before = pair.before, let after = pair.after,
            let change = change(of: pair.build, from: before, to: after, confidence: confidence)
        else { return row }
        row.change = change
        row.verdict = change.low > 1 ? .more : change.high < 1 ? .less : .same
        row.isRegression = row.verdict == .more && change.median > 1 + threshold
        return row
    }

    /// How many times as long `build` takes, in multiples of `direct` where there is one.
    ///
    /// - Returns: nil if a report doesn't have enough samples.
    static func change(
        of build: String,
        from before: ScenarioReport,
        to after: ScenarioReport,
        confidence: Double
    ) -> RatioEstimate? {
        let isRelative = before.builds["direct"]?.passes != nil && after.builds["direct"]?.passes != nil
        func relative(_ scenario: ScenarioReport) -> [[Double]]? {
            guard let passes = scenario.builds[build]?.passes else { return nil }
            let ones = passes.map { $0.map { _ in 1.0 } }
            return Statistics.ratios(passes, isRelative ? scenario.builds["direct"]?.passes ?? ones : ones)
        }
        guard let first = relative(before).flatMap({ logarithm(of: $0, seed: 1) }),
            let second = relative(after).flatMap({ logarithm(of: $0, seed: 2) })
        else { return nil }
        let middle = second.middle - first.middle
        let variance = first.variance + second.variance + 2 * unseenDeviation * unseenDeviation
        let reach = Statistics.deviations(forConfidence: confidence) * variance.squareRoot()
        return RatioEstimate(median: exp(middle), low: exp(middle - reach), high: exp(middle + reach))
    }

    /// The logarithm of the median, and its variance by bootstrap.
    private static func logarithm(of passes: [[Double]], seed: UInt64) -> (middle: Double, variance: Double)? {
        let values = passes.flatMap(\.self)
        guard values.count >= Statistics.fewestPairs, let median = Statistics.median(values), median > 0 else {
            return nil
        }
        let drawn = Statistics.medians(ofResampled: passes, resamples: 400, seed: seed)
        let deviation = Statistics.standardDeviation(drawn.filter { $0 > 0 }.map(log))
        // Few passes drawn from themselves look more alike than they are.
        let count = Double(passes.count)
        let correction = count > 1 ? count / (count - 1) : 2
        return (log(median), deviation * deviation * correction)
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
