import Foundation

/// The mean of a logarithm over the passes of a run.
///
/// A pass is one observation, however many samples it has: its samples share their processes and the machine's state, so they
/// vary less than those of several passes. The value of a pass is the median of its samples. The passes are independent, and
/// logarithms of times are nearly normal, so the error of their mean has Student's distribution.
///
/// A trimmed mean would resist outliers. But its intervals are too narrow where it matters: in six passes and with the high
/// confidence that many rows need, 9 % of comparisons of a build with itself had a false alarm, in simulations that allow 5 %.
struct PassMean {
    let middle: Double
    /// The variance of `middle`.
    let variance: Double
    /// The degrees of freedom of the variance.
    let freedom: Double
    /// The number of passes.
    let passes: Int

    /// The assumed standard deviation between processes for a run of one pass, which doesn't show how processes vary.
    static let assumedDeviation = 0.1

    /// The degrees of freedom of the assumption: few, because it may be far from the truth.
    static let assumedFreedom = 4.0

    /// - Parameter values: The values of each pass, positive. Their logarithms are averaged.
    /// - Returns: nil with fewer than ``Statistics/fewestPairs`` values, or if one has no logarithm.
    init?(_ values: [[Double]]) {
        let logarithms = values.filter { !$0.isEmpty }.map { $0.map(log) }
        let all = logarithms.flatMap(\.self)
        guard all.count >= Statistics.fewestPairs, all.allSatisfy(\.isFinite) else { return nil }
        let medians = logarithms.compactMap(Statistics.median)
        passes = medians.count
        if medians.count > 1 {
            middle = Statistics.mean(medians)
            variance = Statistics.variance(medians) / Double(passes)
            freedom = Double(passes - 1)
            return
        }
        middle = medians[0]
        // The variance of a median is that of a mean times π/2 if the values are normal.
        let ofSamples = .pi / 2 * Statistics.variance(all) / Double(all.count)
        variance = ofSamples + Self.assumedDeviation * Self.assumedDeviation
        freedom = Self.assumedFreedom
    }

    /// The distribution of the true value.
    var interval: StudentInterval { StudentInterval(middle: middle, variance: variance, freedom: freedom) }

    /// The variance and its degrees of freedom that `passes` passes would have.
    func expected(passes: Int) -> (variance: Double, freedom: Double) {
        (variance * Double(self.passes) / Double(passes), Double(passes - 1))
    }
}

/// An estimated logarithm whose error has Student's distribution.
struct StudentInterval {
    var middle: Double
    var variance: Double
    var freedom: Double

    /// How far the interval of this confidence extends to each side.
    func reach(_ confidence: Double) -> Double {
        Statistics.deviations(forConfidence: confidence, freedom: max(1, freedom)) * variance.squareRoot()
    }

    /// The factor, with the interval that contains the true factor with probability `confidence`.
    func estimate(confidence: Double) -> RatioEstimate {
        let reach = reach(confidence)
        return RatioEstimate(median: exp(middle), low: exp(middle - reach), high: exp(middle + reach))
    }

    /// The smallest change that an interval of this confidence excludes with a probability of 80 %: 0.2 is 20 %.
    ///
    /// The estimate has to be so far from none that its interval excludes it. 80 % of the estimates of a change are at most
    /// the one-sided 80 % quantile below it.
    func smallestFound(confidence: Double) -> Double {
        let power = Statistics.deviations(forConfidence: 0.6, freedom: max(1, freedom)) * variance.squareRoot()
        return exp(reach(confidence) + power) - 1
    }
}
