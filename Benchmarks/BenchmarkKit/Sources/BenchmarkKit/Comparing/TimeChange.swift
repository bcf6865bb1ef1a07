import Foundation

/// The change of a scenario's time from one run to another, with its uncertainty. All figures are logarithms, so a factor is
/// a distance.
///
/// The time is a multiple of `direct`, which cancels a slowdown of both. A pass is one observation, however many samples it
/// has: its samples share their processes and the machine's state, so they vary less than those of several passes.
struct TimeChange {
    /// The trimmed mean of the passes' medians of one run.
    private struct Level {
        var middle: Double
        /// The variance of `middle`.
        var variance: Double
        /// The degrees of freedom of the variance.
        var freedom: Double
        var isOfOnePass: Bool
    }

    /// After minus before.
    let middle: Double
    private let levels: [Level]

    /// The standard deviation between processes of one executable that their samples don't show.
    static let unseenDeviation = 0.015

    /// The same for a run of one pass, which doesn't show how passes vary.
    static let unseenDeviationOfOnePass = 0.1

    /// - Returns: nil if a report doesn't have enough samples of `build`.
    init?(of build: String, from before: ScenarioReport, to after: ScenarioReport) {
        let isRelative = before.builds["direct"]?.passes != nil && after.builds["direct"]?.passes != nil
        func level(_ scenario: ScenarioReport) -> Level? {
            guard let passes = scenario.builds[build]?.passes else { return nil }
            let ones = passes.map { $0.map { _ in 1.0 } }
            let direct = isRelative ? scenario.builds["direct"]?.passes ?? ones : ones
            return Statistics.ratios(passes, direct).flatMap(Self.level)
        }
        guard let first = level(before), let second = level(after) else { return nil }
        levels = [first, second]
        middle = second.middle - first.middle
    }

    /// The change from `earlier` to the main build, pair by pair: one run measured both in turn.
    init?(within scenario: ScenarioReport, main: String) {
        guard let after = scenario.builds[main]?.passes, let before = scenario.builds[Build.earlier.rawValue]?.passes,
            let level = Statistics.ratios(after, before).flatMap(Self.level)
        else { return nil }
        levels = [level]
        middle = level.middle
    }

    private static func level(of passes: [[Double]]) -> Level? {
        let logarithms = passes.filter { !$0.isEmpty }.map { $0.map(log) }
        let all = logarithms.flatMap(\.self)
        guard all.count >= Statistics.fewestPairs, all.allSatisfy(\.isFinite) else { return nil }
        let medians = logarithms.compactMap(Statistics.median)
        guard medians.count == 1 else {
            let (middle, variance, freedom) = Statistics.trimmedMean(medians)
            return Level(middle: middle, variance: variance, freedom: freedom, isOfOnePass: false)
        }
        // The variance of a median is that of a mean times π/2 if the values are normal.
        let count = Double(all.count)
        let variance = .pi / 2 * Statistics.variance(all) / count
        return Level(middle: medians[0], variance: variance, freedom: count - 1, isOfOnePass: true)
    }

    /// The part of the variance of ``middle`` that the samples show.
    var seenVariance: Double { levels.reduce(0) { $0 + $1.variance } }

    /// The smallest variance to add for what the samples don't show.
    var leastUnseenVariance: Double {
        levels.reduce(0) { sum, level in
            let deviation = level.isOfOnePass ? Self.unseenDeviationOfOnePass : Self.unseenDeviation
            return sum + deviation * deviation
        }
    }

    /// The change as a factor, with the interval that contains the true factor with probability `confidence`.
    ///
    /// - Parameter unseen: The variance that this scenario's own samples don't show.
    func estimate(unseen: UnseenVariance, confidence: Double) -> RatioEstimate {
        let added = max(leastUnseenVariance, unseen.variance)
        let variance = seenVariance + added
        // Welch and Satterthwaite: the degrees of freedom of a sum of estimated variances.
        let doubt =
            levels.reduce(0) { $0 + $1.variance * $1.variance / $1.freedom } + added * added / unseen.freedom
        var freedom = doubt > 0 ? variance * variance / doubt : unseen.freedom
        // The error of a single pass has long tails.
        for level in levels where level.isOfOnePass { freedom = min(freedom, level.freedom) }
        let reach = Statistics.deviations(forConfidence: confidence, freedom: max(1, freedom)) * variance.squareRoot()
        return RatioEstimate(median: exp(middle), low: exp(middle - reach), high: exp(middle + reach))
    }
}

/// The variance of changes that a scenario's own samples don't show, such as that of a machine with another load during the
/// other run.
///
/// All scenarios together show it. A change of the code affects few scenarios, and the others should change by no more than
/// their samples explain. If they change by more, the intervals of all scenarios are too narrow.
struct UnseenVariance {
    var variance = 0.0
    /// Its degrees of freedom.
    var freedom = 1000.0

    /// With fewer changes, it can't be estimated.
    static let fewestChanges = 12

    init(of changes: [TimeChange]) {
        guard changes.count >= Self.fewestChanges, let middle = Statistics.median(changes.map(\.middle)) else { return }
        // Two builds of a scenario share its `direct`.
        freedom = Double(changes.count) / 2
        func spread(adding variance: Double) -> Double {
            let distances = changes.map { change in
                let added = max(variance, change.leastUnseenVariance)
                return abs(change.middle - middle) / (change.seenVariance + added).squareRoot()
            }
            // Half of the values of a normal variable are within 0.6745 deviations.
            return (Statistics.median(distances) ?? 0) / 0.6745
        }
        guard spread(adding: 0) > 1 else { return }
        var low = 0.0
        var high = 100.0
        for _ in 0..<40 {
            let between = (low + high) / 2
            if spread(adding: between) > 1 { low = between } else { high = between }
        }
        variance = high
    }
}
