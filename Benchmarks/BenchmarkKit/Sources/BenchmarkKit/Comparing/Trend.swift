import Foundation

/// A figure in several runs, and the run from which it differs.
struct Trend {
    struct Point {
        /// The position among all runs.
        var run: Int
        var estimate: RatioEstimate
        var isDisturbed = false
    }

    /// A change that lasts.
    struct Change {
        /// The position of the first run after it.
        var run: Int
        /// The mean of the runs from there on, divided by the mean of those before.
        var estimate: RatioEstimate
    }

    let points: [Point]
    /// The standard deviation of a figure between two runs of one executable that their intervals don't show.
    let deviation: Double

    /// The split of the runs whose two means differ most for their error, if they have changed: the interval of their ratio
    /// excludes 1 and reaches past the threshold.
    ///
    /// The means are those of logarithms. Their variance is that of the runs' intervals, or that of the runs around the two
    /// means, whichever is larger. So a figure that wanders from run to run, or that one run alone disturbs, has no change.
    ///
    /// - Parameters:
    ///   - splits: How many splits are tried in all trends together. Each has so much less of the 5 % for false alarms.
    ///   - threshold: The smallest change that matters: 0.1 is 10 %.
    /// - Complexity: O(n²) for n runs.
    func change(splits: Int, threshold: Double) -> Change? {
        let all = points.indices.dropFirst().map { (split: $0, interval: interval(splitAt: $0)) }
        func distance(_ interval: StudentInterval) -> Double {
            abs(interval.middle) / interval.reach(0.95)
        }
        guard let best = all.max(by: { distance($0.interval) < distance($1.interval) }) else { return nil }
        let estimate = best.interval.estimate(confidence: 1 - 0.05 / Double(max(1, splits)))
        switch estimate.verdict(threshold: threshold) {
        case .more, .less: return Change(run: points[best.split].run, estimate: estimate)
        default: return nil
        }
    }

    /// The logarithm of the mean from this run on, divided by the mean before it.
    private func interval(splitAt split: Int) -> StudentInterval {
        let parts = [points[..<split], points[split...]]
        let logarithms = parts.map { $0.map { log($0.estimate.median) } }
        let middle = Statistics.mean(logarithms[1]) - Statistics.mean(logarithms[0])
        let shares = parts.map { 1 / Double($0.count) }
        let seen = zip(parts, shares).reduce(0) { sum, part in
            sum + part.0.reduce(0) { $0 + variance($1.estimate) } * part.1 * part.1
        }
        // The two parts have the same spread.
        let freedom = Double(points.count - 2)
        let squares = logarithms.reduce(0) { $0 + Statistics.variance($1) * Double($1.count - 1) }
        let spread = freedom > 0 ? squares / freedom * (shares[0] + shares[1]) : 0
        return seen >= spread
            ? StudentInterval(middle: middle, variance: seen, freedom: 1000)
            : StudentInterval(middle: middle, variance: spread, freedom: freedom)
    }

    /// The variance of a run's logarithm: that of its interval of 95 %, and what runs of one executable differ by.
    private func variance(_ estimate: RatioEstimate) -> Double {
        let reach = estimate.low > 0 ? log(estimate.high / estimate.low) / 2 : 0
        let seen = reach / Statistics.deviations(forConfidence: 0.95, freedom: 1000)
        return seen * seen + deviation * deviation
    }

    /// That of counts, which repeat: far below their threshold.
    static let countDeviation = 0.0005
}
