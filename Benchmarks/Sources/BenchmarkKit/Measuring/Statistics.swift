/// A ratio with the interval it was measured to.
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
    /// With fewer pairs even the whole range of them holds the median with less than 95 % confidence.
    public static let fewestPairs = 6

    /// The middle of `values`, or the mean of the two middle ones; nil if there are none.
    public static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// The median ratio of pairs taken one right after the other, with its 95 % bootstrap interval.
    ///
    /// Pairs, because a shared machine drifts: both halves of a pair drift alike, and the ratio keeps still. A
    /// seed, because the same samples should give the same interval.
    ///
    /// - Returns: nil with fewer than ``fewestPairs``, or where a denominator isn't positive.
    public static func ratio(
        of numerators: [Double],
        to denominators: [Double],
        resamples: Int = 2000,
        seed: UInt64 = 1
    ) -> RatioEstimate? {
        precondition(
            numerators.count == denominators.count,
            "Paired samples are as many: got \(numerators.count) and \(denominators.count).")
        precondition(resamples > 0, "A bootstrap takes at least 1 resample, not \(resamples).")
        guard numerators.count >= fewestPairs, denominators.allSatisfy({ $0 > 0 }) else { return nil }
        let ratios = zip(numerators, denominators).map { $0 / $1 }
        guard let middle = median(ratios) else { return nil }

        var generator = SeededGenerator(seed: seed)
        var medians: [Double] = []
        medians.reserveCapacity(resamples)
        var drawn = ratios
        for _ in 0..<resamples {
            for index in drawn.indices {
                drawn[index] = ratios[Int.random(in: ratios.indices, using: &generator)]
            }
            if let median = median(drawn) { medians.append(median) }
        }
        medians.sort()
        return RatioEstimate(
            median: middle,
            low: medians[Int((0.025 * Double(medians.count - 1)).rounded(.down))],
            high: medians[Int((0.975 * Double(medians.count - 1)).rounded(.up))])
    }
}
