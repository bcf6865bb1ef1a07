import Foundation

/// Writes a histogram in the format of HdrHistogram's `outputPercentileDistribution`: an `.hgrm` file for its plotters.
public enum HistogramText {
    /// The distribution, in nanoseconds, with `ticks` lines for each halving of the distance to 100 %.
    public static func text(of histogram: Histogram, ticks: Int = 5) -> String {
        precondition(ticks > 0, "At least 1 line for each halving, not \(ticks).")
        var lines = ["       Value     Percentile TotalCount 1/(1-Percentile)", ""]
        for row in rows(of: histogram, ticks: ticks) {
            var line = String(format: "%12.3f %2.12f %10ld", Double(row.value), row.share, Int(row.count))
            if row.share < 1 { line += String(format: " %14.2f", 1 / (1 - row.share)) }
            lines.append(line)
        }
        let (mean, deviation) = moments(of: histogram)
        lines += [
            String(format: "#[Mean    = %12.3f, StdDeviation   = %12.3f]", mean, deviation),
            String(
                format: "#[Max     = %12.3f, Total count    = %12ld]",
                Double(histogram.maximum ?? 0), Int(histogram.count)),
            String(
                format: "#[Buckets = %12ld, SubBuckets     = %12ld]",
                Histogram.bucketCount >> Histogram.subdivisionBits, 2 << Histogram.subdivisionBits),
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    struct Row: Equatable {
        var value: UInt64
        /// 0 to 1.
        var share: Double
        var count: UInt64
    }

    /// The lines: levels that approach 100 % by ever smaller steps, each with the bucket that reaches it.
    static func rows(of histogram: Histogram, ticks: Int) -> [Row] {
        var rows: [Row] = []
        var level = 0.0
        var seen: UInt64 = 0
        for (bucket, count) in histogram.filled {
            seen += count
            let value = Histogram.bounds(ofBucket: bucket).upperBound
            while 100 * Double(seen) / Double(histogram.count) >= level {
                rows.append(Row(value: value, share: level / 100, count: seen))
                if seen == histogram.count { break }
                level += 100 / (Double(ticks) * exp2(log2(100 / (100 - level)).rounded(.down) + 1))
            }
        }
        if let last = rows.last { rows.append(Row(value: last.value, share: 1, count: seen)) }
        return rows
    }

    private static func moments(of histogram: Histogram) -> (mean: Double, deviation: Double) {
        guard histogram.count > 0 else { return (0, 0) }
        let filled = histogram.filled.map { (Double(Histogram.middle(ofBucket: $0.bucket)), Double($0.count)) }
        let total = Double(histogram.count)
        let mean = filled.reduce(0) { $0 + $1.0 * $1.1 } / total
        let variance = filled.reduce(0) { $0 + ($1.0 - mean) * ($1.0 - mean) * $1.1 } / total
        return (mean, variance.squareRoot())
    }
}
