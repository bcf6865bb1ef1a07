import BenchmarkKit

/// Counts of latencies in buckets that are less than 1.6 % wide: a small ``Histogram``, of which a log has thousands.
///
/// Every power of two is divided into 64 buckets, as in Tene's HdrHistogram. Only the buckets between the smallest and the largest
/// latency take memory.
struct LatencyCounts: Equatable, Sendable {
    private static let subdivisionBits = 6

    /// The bucket of the first count.
    private var first = 0
    private var counts: [UInt32] = []

    private(set) var count = 0
    private(set) var maximum = 0

    /// In nanoseconds. A sum that is too large stays at the largest number.
    private(set) var sum = 0

    /// Adds a latency.
    ///
    /// - Parameter latency: In nanoseconds; not negative.
    /// - Complexity: O(1), and an allocation if there are new buckets.
    mutating func record(_ latency: Int) {
        record(bucket: Histogram.bucket(of: UInt64(latency), bits: Self.subdivisionBits), times: 1)
        count += 1
        maximum = max(maximum, latency)
        sum = Self.sum(sum, latency)
    }

    mutating func merge(_ other: LatencyCounts) {
        for (index, times) in other.counts.enumerated() where times > 0 {
            record(bucket: other.first + index, times: times)
        }
        count += other.count
        maximum = max(maximum, other.maximum)
        sum = Self.sum(sum, other.sum)
    }

    private mutating func record(bucket: Int, times: UInt32) {
        if counts.isEmpty { first = bucket }
        if bucket < first {
            counts.insert(contentsOf: repeatElement(0, count: first - bucket), at: 0)
            first = bucket
        } else if bucket >= first + counts.count {
            counts.append(contentsOf: repeatElement(0, count: bucket - first - counts.count + 1))
        }
        let (sum, isTooBig) = counts[bucket - first].addingReportingOverflow(times)
        counts[bucket - first] = isTooBig ? .max : sum
    }

    private static func sum(_ first: Int, _ second: Int) -> Int {
        let (sum, isTooBig) = first.addingReportingOverflow(second)
        return isTooBig ? .max : sum
    }

    /// The smallest latency that at least `percent` per cent don't exceed, in nanoseconds, at most 0.8 % off; nil if there is none.
    ///
    /// - Parameter percent: 0 to 100. 100 gives the largest latency.
    func percentile(_ percent: Double) -> Int? {
        guard count > 0 else { return nil }
        let rank = max(1, Int((percent / 100 * Double(count)).rounded(.up)))
        if rank >= count { return maximum }
        var seen = 0
        for (index, times) in counts.enumerated() {
            seen += Int(times)
            if seen >= rank { return middle(at: index) }
        }
        return maximum
    }

    /// How many latencies there are in each of some bands.
    ///
    /// - Parameter bounds: The lowest latency of each band but the first, ascending, in nanoseconds.
    func bands(_ bounds: [Int]) -> [UInt64] {
        var found = Array(repeating: UInt64(0), count: bounds.count + 1)
        var band = 0
        for (index, times) in counts.enumerated() where times > 0 {
            let middle = middle(at: index)
            while band < bounds.count, middle >= bounds[band] { band += 1 }
            found[band] += UInt64(times)
        }
        return found
    }

    /// The middle of the bucket of a place in ``counts``; not more than the largest latency.
    private func middle(at index: Int) -> Int {
        min(Int(clamping: Histogram.middle(ofBucket: first + index, bits: Self.subdivisionBits)), maximum)
    }
}
