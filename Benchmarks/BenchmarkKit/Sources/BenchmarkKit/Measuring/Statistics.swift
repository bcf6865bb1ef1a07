/// A ratio with its confidence interval.
public struct RatioEstimate: Codable, Equatable, Sendable {
    /// The middle of the interval, on a logarithmic scale: the geometric mean of the passes' median ratios.
    public var median: Double
    /// The lower end of the interval.
    public var low: Double
    /// The upper end of the interval.
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

    /// The ratio of two builds whose samples were taken in pairs, with its 95 % interval.
    ///
    /// A shared machine drifts. The drift changes both samples of a pair alike, and their ratio stays the same. A pass is one
    /// observation, because all of its samples share their processes: see ``PassMean``.
    ///
    /// - Returns: nil with fewer than ``fewestPairs`` in all, or if a sample isn't positive.
    /// - Complexity: O(n log n) for n samples.
    public static func ratio(ofPasses numerators: [[Double]], to denominators: [[Double]]) -> RatioEstimate? {
        ratios(numerators, denominators).flatMap(PassMean.init)?.interval.estimate(confidence: 0.95)
    }

    /// The ratio of each pair, by pass; nil if a denominator isn't positive.
    static func ratios(_ numerators: [[Double]], _ denominators: [[Double]]) -> [[Double]]? {
        precondition(
            numerators.map(\.count) == denominators.map(\.count),
            "Paired samples have the same count: got \(numerators.map(\.count)) and \(denominators.map(\.count)).")
        guard denominators.allSatisfy({ $0.allSatisfy { $0 > 0 } }) else { return nil }
        return zip(numerators, denominators).map { pass in zip(pass.0, pass.1).map { $0 / $1 } }
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
