import Foundation

/// How a scenario's time changed from one run to another, and how sure that is. All of it in logarithms, in which a
/// change by a factor is a distance.
///
/// What is compared is a multiple of `direct`: what made the machine slower for both drops out. A pass is one
/// observation, however many samples it has: within it, processes and the machine's mood are the same, and samples
/// agree with each other more than they do with the truth.
struct TimeChange {
    /// The mean of the passes' medians, of one run, without those furthest off.
    private struct Level {
        var middle: Double
        /// Of the middle.
        var variance: Double
        /// How many observations the variance comes from, less one.
        var freedom: Double
        var isOfOnePass: Bool
    }

    /// After less before.
    let middle: Double
    private let levels: [Level]

    /// Two processes of one executable differ by about this much for reasons that no sampling within them shows.
    static let unseenDeviation = 0.015

    /// The same where there is one pass: nothing in it tells what the next one would give.
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

    /// The change from `earlier` to `lockfree`, which one run measured in turn: pair by pair.
    init?(within scenario: ScenarioReport) {
        guard let after = scenario.builds["lockfree"]?.passes, let before = scenario.builds["earlier"]?.passes,
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
        // A median varies more than a mean, by half of pi where values are normal.
        let count = Double(all.count)
        let variance = .pi / 2 * Statistics.variance(all) / count
        return Level(middle: medians[0], variance: variance, freedom: count - 1, isOfOnePass: true)
    }

    /// What is known of the variance of ``middle``: that of what was seen to vary.
    var seenVariance: Double { levels.reduce(0) { $0 + $1.variance } }

    /// The least that has to be added to it for what can't be seen.
    var leastUnseenVariance: Double {
        levels.reduce(0) { sum, level in
            let deviation = level.isOfOnePass ? Self.unseenDeviationOfOnePass : Self.unseenDeviation
            return sum + deviation * deviation
        }
    }

    /// The change as a factor, with the interval that holds the truth with probability `confidence`.
    ///
    /// - Parameter unseen: What has to be added to the variance for what this scenario's own samples can't show.
    func estimate(unseen: UnseenVariance, confidence: Double) -> RatioEstimate {
        let added = max(leastUnseenVariance, unseen.variance)
        let variance = seenVariance + added
        // Welch and Satterthwaite: what a sum of variances, each of them estimated, is worth.
        let doubt =
            levels.reduce(0) { $0 + $1.variance * $1.variance / $1.freedom } + added * added / unseen.freedom
        var freedom = doubt > 0 ? variance * variance / doubt : unseen.freedom
        // How a single pass is off has long tails.
        for level in levels where level.isOfOnePass { freedom = min(freedom, level.freedom) }
        let reach = Statistics.deviations(forConfidence: confidence, freedom: max(1, freedom)) * variance.squareRoot()
        return RatioEstimate(median: exp(middle), low: exp(middle - reach), high: exp(middle + reach))
    }
}

/// By how much changes are off for reasons that a scenario's own samples don't show, such as a machine that was busy
/// in another way during the other run.
///
/// All scenarios together do show it: most of what a change of the code leaves alone should change by as much as its
/// samples say. If the scenarios are further apart than that, the intervals of all of them are too narrow.
struct UnseenVariance {
    var variance = 0.0
    /// How many observations it comes from.
    var freedom = 1000.0

    /// With fewer changes, there is no telling what is usual.
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
            // Of a normal variable, half are within 0.6745 deviations.
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
