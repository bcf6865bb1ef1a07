import Foundation

/// The mean of a logarithm over the passes of one run, or the median of several runs.
///
/// Two runs of one executable differ by more than their passes show: the machine has another load, or memory another layout.
/// Several runs show how much.
struct RunMean {
    /// An estimated variance.
    struct Variance {
        var value: Double
        /// Its degrees of freedom.
        var freedom: Double
    }

    let middle: Double
    /// The variance of one run that its passes show.
    private let ofPasses: Variance
    /// The number of passes of a run.
    let passes: Int
    /// The variance between runs that their passes don't explain, but at least the assumed one; nil if there is one run.
    let betweenRuns: Variance?
    /// The variance of ``middle`` divided by that of one run.
    let share: Double

    /// The variance of ``middle`` that the passes show.
    var variance: Variance { Variance(value: share * ofPasses.value, freedom: ofPasses.freedom) }

    /// - Parameter runs: The values of each pass of each run, positive. Their logarithms are averaged.
    /// - Returns: nil if a run has too few values: see ``PassMean``.
    init?(_ runs: [[[Double]]]) {
        let means = runs.compactMap(PassMean.init)
        guard means.count == runs.count, let middle = Statistics.median(means.map(\.middle)) else { return nil }
        self.middle = middle
        let count = Double(means.count)
        passes = means.map(\.passes).max() ?? 1
        ofPasses = Variance(
            value: Statistics.mean(means.map(\.variance)), freedom: means.reduce(0) { $0 + $1.freedom })
        // The variance of a median is that of a mean times π/2 if the values are normal and many, and less if they are few.
        share = count > 2 ? .pi / 2 / count : 1 / count
        betweenRuns = count > 1 ? Self.excess(of: means.map(\.middle), over: ofPasses) : nil
    }

    /// The mean of a run that has only one value for all of its passes, such as a percentile of all latencies. How far it
    /// varies is assumed: the tail of a run depends on what few events met.
    ///
    /// - Returns: nil if `pooled` has no logarithm.
    init?(pooled: Double) {
        guard pooled > 0, pooled.isFinite else { return nil }
        middle = log(pooled)
        ofPasses = Variance(value: Self.assumedTailDeviation * Self.assumedTailDeviation, freedom: 4)
        (passes, betweenRuns, share) = (1, nil, 1)
    }

    /// The assumed standard deviation of such a value.
    static let assumedTailDeviation = 0.5

    /// The assumed standard deviation between runs of one executable that their passes don't show.
    static let assumedDeviation = 0.015

    /// The same of figures of a build in these runs: more if they aren't multiples of `direct`, which cancels a slowdown of both.
    static func assumedDeviation(of build: String, in runs: [ScenarioReport]) -> Double {
        if runs.allSatisfy({ $0.builds["direct"]?.passes != nil }) { return assumedDeviation }
        // What else runs makes times by the clock longer: on two processors with a load of ten, the deviation was 0.3.
        return runs.allSatisfy { $0.builds[build]?.clockMedian != nil } ? 0.03 : 0.2
    }

    /// The variance of `values` without that of each of them. The degrees of freedom are Satterthwaite's.
    private static func excess(of values: [Double], over each: Variance) -> Variance {
        let all = Statistics.variance(values)
        let excess = max(assumedDeviation * assumedDeviation, all - each.value)
        let doubt = all * all / Double(values.count - 1) + each.value * each.value / each.freedom
        return Variance(value: excess, freedom: doubt > 0 ? excess * excess / doubt : 1000)
    }

    /// The variance that ``middle`` would have if its run had `passes` passes. Several runs are as they are.
    func expected(passes: Int) -> Variance {
        guard betweenRuns == nil else { return variance }
        return Variance(
            value: ofPasses.value * Double(self.passes) / Double(passes), freedom: Double(passes - 1))
    }
}
