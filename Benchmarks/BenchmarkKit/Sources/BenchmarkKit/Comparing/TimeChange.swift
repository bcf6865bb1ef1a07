import Foundation

/// The change of a scenario's time, with its uncertainty. All figures are logarithms, so a factor is a distance.
struct TimeChange {
    /// After minus before.
    let middle: Double
    /// Both runs, or the ratio of the pairs of one run.
    private let means: [RunMean]
    private let isWithinRun: Bool
    /// The assumed standard deviation between two runs.
    private var assumedDeviation = RunMean.assumedDeviation

    /// The change from one run to another. The time of each is a multiple of `direct`, which cancels a slowdown of both, unless one
    /// of them has no `direct`.
    ///
    /// - Returns: nil if a report doesn't have enough samples of `build`.
    init?(of build: String, from before: ScenarioReport, to after: ScenarioReport) {
        let isRelative = before.builds["direct"]?.passes != nil && after.builds["direct"]?.passes != nil
        func mean(_ scenario: ScenarioReport) -> RunMean? {
            guard let runs = scenario.builds[build]?.passesByRun else { return nil }
            let ones = runs.map { $0.map { $0.map { _ in 1.0 } } }
            let direct = isRelative ? scenario.builds["direct"]?.passesByRun ?? ones : ones
            let ratios = zip(runs, direct).compactMap { Statistics.ratios($0, $1) }
            return ratios.count == runs.count ? RunMean(ratios) : nil
        }
        guard let first = mean(before), let second = mean(after) else { return nil }
        means = [first, second]
        middle = second.middle - first.middle
        isWithinRun = false
        assumedDeviation = RunMean.assumedDeviation(of: build, in: [before, after])
    }

    /// The change from `earlier` to the main build, pair by pair: one run measured both in turn. The passes of the run show
    /// all differences between processes, so nothing is added to the variance of the pairs.
    init?(within scenario: ScenarioReport, main: String) {
        guard let after = scenario.builds[main]?.passes, let before = scenario.builds[Build.earlier.rawValue]?.passes,
            let mean = Statistics.ratios(after, before).flatMap({ RunMean([$0]) })
        else { return nil }
        means = [mean]
        middle = mean.middle
        isWithinRun = true
    }

    /// The change of a percentile of all latencies from one run to another, by the percentiles of the passes. It isn't a
    /// multiple of `direct`, whose tail varies as much.
    init?(ofPercentile name: String, of build: String, from before: ScenarioReport, to after: ScenarioReport) {
        func mean(_ scenario: ScenarioReport) -> RunMean? {
            guard let figures = scenario.builds[build] else { return nil }
            if let runs = figures.passes(ofPercentile: name) { return RunMean(runs) }
            return figures.percentiles?[name].flatMap { RunMean(pooled: Double($0)) }
        }
        guard let first = mean(before), let second = mean(after) else { return nil }
        means = [first, second]
        middle = second.middle - first.middle
        isWithinRun = false
    }

    /// The change of a percentile from `earlier` to the main build, pass by pass.
    init?(ofPercentile name: String, within scenario: ScenarioReport, main: String) {
        guard let after = scenario.builds[main]?.passes(ofPercentile: name)?.first,
            let before = scenario.builds[Build.earlier.rawValue]?.passes(ofPercentile: name)?.first,
            let mean = Statistics.ratios(after, before).flatMap({ RunMean([$0]) })
        else { return nil }
        means = [mean]
        middle = mean.middle
        isWithinRun = true
    }

    /// The part of the variance of ``middle`` that the samples show.
    var seenVariance: Double { means.reduce(0) { $0 + $1.variance.value } }

    /// The smallest variance to add for what the samples don't show.
    var leastUnseenVariance: Double { leastUnseen.value }

    /// What several runs show counts for the other run, too.
    private var leastUnseen: (value: Double, freedom: Double?) {
        guard !isWithinRun else { return (0, nil) }
        let share = means.reduce(0) { $0 + $1.share }
        let assumed = assumedDeviation * assumedDeviation
        guard let seen = means.compactMap(\.betweenRuns).max(by: { $0.value < $1.value }), seen.value >= assumed else {
            return (share * assumed, nil)
        }
        return (share * seen.value, seen.freedom)
    }

    /// The distribution of the true change.
    ///
    /// - Parameter unseen: The variance that this scenario's own samples don't show.
    func interval(unseen: UnseenVariance) -> StudentInterval {
        interval(means.map(\.variance), unseen)
    }

    private func interval(_ variances: [RunMean.Variance], _ unseen: UnseenVariance) -> StudentInterval {
        let least = leastUnseen
        let added = max(least.value, unseen.variance)
        let freedom = least.value > unseen.variance ? least.freedom ?? unseen.freedom : unseen.freedom
        let variance = variances.reduce(added) { $0 + $1.value }
        // Welch and Satterthwaite: the degrees of freedom of a sum of estimated variances.
        let doubt = variances.reduce(added * added / freedom) { $0 + $1.value * $1.value / $1.freedom }
        return StudentInterval(
            middle: middle, variance: variance, freedom: doubt > 0 ? variance * variance / doubt : unseen.freedom)
    }

    /// The number of samples, in each run, that finds a change of `threshold` with a probability of 80 %: 0.1 is 10 %.
    ///
    /// - Returns: nil if `mostSamples` aren't enough.
    func samples(toFind threshold: Double, confidence: Double, unseen: UnseenVariance) -> Int? {
        func finds(_ passes: Int) -> Bool {
            interval(means.map { $0.expected(passes: passes) }, unseen).smallestFound(confidence: confidence)
                <= threshold
        }
        // An inconclusive row needs more than it has, even if it could have found the threshold: at least twice as many.
        let most = means.map(\.passes).max() ?? 1
        var (low, high) = (max(Statistics.fewestPairs, 2 * most) - 1, Self.mostSamples / 4)
        guard low < high, finds(high) else { return nil }
        while high - low > 1 {
            let middle = (low + high) / 2
            if finds(middle) { high = middle } else { low = middle }
        }
        let samples = Suite.samples(forPasses: high)
        // Two digits are more than the estimate has.
        return samples <= 100 ? samples : (samples + 9) / 10 * 10
    }

    /// More samples aren't proposed.
    static let mostSamples = 1000
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

    /// The pairs of one run show all of the variance.
    static let none = UnseenVariance(of: [])

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
