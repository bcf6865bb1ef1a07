/// A ratio with its confidence interval.
public struct RatioEstimate: Codable, Equatable, Sendable {
    /// The median of the ratios of the pairs.
    public var median: Double
    /// The lower end of the 95 % interval.
    public var low: Double
    /// The upper end of the 95 % interval.
    public var high: Double

    public init(median: Double, low: Double, high: Double) {
        self.median = median
        self.low = low
        self.high = high
    }
}

public enum Statistics {
    /// With fewer pairs, even their whole range contains the median with less than 95 % confidence.
    public static let fewestPairs = 6

    /// The middle of `values`, or the mean of the two middle ones; nil if there are none.
    public static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// The median ratio of pairs of successive samples, with its 95 % bootstrap interval.
    ///
    /// A shared machine drifts. The drift changes both samples of a pair alike, and their ratio stays the same. The
    /// bootstrap has a fixed seed, so the same samples always give the same interval.
    ///
    /// - Returns: nil with fewer than ``fewestPairs``, or if a denominator isn't positive.
    public static func ratio(
        of numerators: [Double],
        to denominators: [Double],
        resamples: Int = 2000,
        seed: UInt64 = 1
    ) -> RatioEstimate? {
        precondition(
            numerators.count == denominators.count,
            "Paired samples have the same count: got \(numerators.count) and \(denominators.count).")
        precondition(resamples > 0, "A bootstrap takes at least 1 resample, not \(resamples).")
        return ratio(ofPasses: [numerators], to: [denominators], resamples: resamples, seed: seed)
    }

    /// The same for pairs of several passes, each with its own processes.
    ///
    /// Two processes of one executable differ by more than the samples of one process: addresses and the machine's load
    /// are others. So the bootstrap draws passes first, then pairs within each.
    ///
    /// - Returns: nil with fewer than ``fewestPairs`` in all, or if a denominator isn't positive.
    public static func ratio(
        ofPasses numerators: [[Double]],
        to denominators: [[Double]],
        resamples: Int = 2000,
        seed: UInt64 = 1
    ) -> RatioEstimate? {
        precondition(resamples > 0, "A bootstrap takes at least 1 resample, not \(resamples).")
        guard let ratios = ratios(numerators, denominators), let middle = median(ratios.flatMap(\.self)) else {
            return nil
        }
        guard ratios.reduce(0, { $0 + $1.count }) >= fewestPairs else { return nil }
        let medians = medians(ofResampled: ratios, resamples: resamples, seed: seed).sorted()
        return RatioEstimate(
            median: middle,
            low: medians[Int((0.025 * Double(medians.count - 1)).rounded(.down))],
            high: medians[Int((0.975 * Double(medians.count - 1)).rounded(.up))])
    }

    /// The ratio of each pair, by pass; nil if a denominator isn't positive.
    static func ratios(_ numerators: [[Double]], _ denominators: [[Double]]) -> [[Double]]? {
        precondition(
            numerators.map(\.count) == denominators.map(\.count),
            "Paired samples have the same count: got \(numerators.map(\.count)) and \(denominators.map(\.count)).")
        guard denominators.allSatisfy({ $0.allSatisfy { $0 > 0 } }) else { return nil }
        return zip(numerators, denominators).map { pass in zip(pass.0, pass.1).map { $0 / $1 } }
    }

    /// The medians of `resamples` draws: passes first, with replacement, then values within each.
    static func medians(ofResampled passes: [[Double]], resamples: Int, seed: UInt64) -> [Double] {
        var generator = SeededGenerator(seed: seed)
        let passes = passes.filter { !$0.isEmpty }
        var drawn: [Double] = []
        return (0..<resamples).compactMap { _ in
            drawn.removeAll(keepingCapacity: true)
            for _ in passes {
                let pass = passes[Int.random(in: passes.indices, using: &generator)]
                for _ in pass { drawn.append(pass[Int.random(in: pass.indices, using: &generator)]) }
            }
            return median(drawn)
        }
    }

    /// How many of `values` lie outside the middle half by more than 1.5 times its width (Tukey's fences).
    ///
    /// They are counted and not removed: a median and its interval are robust to them.
    public static func outliers(in values: [Double]) -> Int {
        guard values.count >= 4 else { return 0 }
        let sorted = values.sorted()
        let low = quantile(0.25, ofSorted: sorted)
        let high = quantile(0.75, ofSorted: sorted)
        let reach = 1.5 * (high - low)
        return values.count { $0 < low - reach || $0 > high + reach }
    }

    /// The value at `share` (0 to 1) of `sorted`, interpolated between two neighbours.
    static func quantile(_ share: Double, ofSorted sorted: [Double]) -> Double {
        let place = share * Double(sorted.count - 1)
        let below = Int(place)
        guard below + 1 < sorted.count else { return sorted[sorted.count - 1] }
        return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
    }
}
