import Foundation

/// Counts of durations in buckets whose width grows with the value: an HdrHistogram of 3 significant digits, from
/// 1 ns to 1 h.
///
/// Each value below 2,048 has its own bucket. Above, every power of two is divided into 1,024 buckets. A value read back is
/// the middle of its bucket, so its error is at most 0.05 %. The smallest and the largest value are exact.
///
/// - Complexity: recording O(1) without allocation; memory constant (33,792 counters, 264 KiB).
public struct Histogram: Sendable, Equatable {
    /// Every power of two has 1,024 buckets.
    public static let subdivisionBits = 10

    /// An hour, in nanoseconds. A longer duration counts as an hour.
    public static let highest: UInt64 = 3_600_000_000_000
    static let bucketCount = bucket(of: highest) + 1

    private var counts: [UInt64]

    /// How many values were recorded.
    public private(set) var count: UInt64 = 0

    /// The smallest value recorded, or nil.
    public var minimum: UInt64? { count == 0 ? nil : smallest }

    /// The largest value recorded, or nil.
    public var maximum: UInt64? { count == 0 ? nil : largest }

    private var smallest = UInt64.max
    private var largest: UInt64 = 0

    public init() {
        counts = Array(repeating: 0, count: Self.bucketCount)
    }

    /// A histogram with the given counts by bucket.
    init(counts: [Int: UInt64], smallest: UInt64, largest: UInt64) {
        self.init()
        for (index, count) in counts where self.counts.indices.contains(index) {
            self.counts[index] = count
            self.count += count
        }
        guard count > 0 else { return }
        self.smallest = smallest
        self.largest = largest
    }

    /// Adds one value. A value above ``highest`` counts as ``highest``.
    public mutating func record(_ value: UInt64) {
        record(value, times: 1)
    }

    /// Adds one value `times` times.
    public mutating func record(_ value: UInt64, times: UInt64) {
        guard times > 0 else { return }
        let value = min(value, Self.highest)
        counts[Self.bucket(of: value)] += times
        count += times
        smallest = min(smallest, value)
        largest = max(largest, value)
    }

    /// Adds the values of another histogram.
    public mutating func merge(_ other: Histogram) {
        guard other.count > 0 else { return }
        for index in counts.indices { counts[index] += other.counts[index] }
        count += other.count
        smallest = min(smallest, other.smallest)
        largest = max(largest, other.largest)
    }

    /// Removes all values.
    public mutating func reset() {
        for index in counts.indices { counts[index] = 0 }
        count = 0
        smallest = .max
        largest = 0
    }

    /// The smallest value that at least `percent` per cent of the values don't exceed; nil if there are no values.
    ///
    /// - Parameter percent: 0 to 100. 100 gives the largest value.
    public func percentile(_ percent: Double) -> UInt64? {
        precondition((0...100).contains(percent), "A percentile is between 0 and 100, not \(percent).")
        guard count > 0 else { return nil }
        let rank = max(1, UInt64((percent / 100 * Double(count)).rounded(.up)))
        if rank >= count { return largest }
        var seen: UInt64 = 0
        for index in counts.indices {
            seen += counts[index]
            if seen >= rank { return min(max(Self.middle(ofBucket: index), smallest), largest) }
        }
        return largest
    }

    /// The buckets that aren't empty, in order.
    var filled: [(bucket: Int, count: UInt64)] {
        counts.indices.compactMap { counts[$0] == 0 ? nil : ($0, counts[$0]) }
    }

    /// The counts by halves of octaves, from the first one to the last one that isn't empty.
    var halfOctaves: BuildReport.LatencyCounts {
        let places = filled.map { bucket, count in
            (place: Int(2 * log2(Double(max(1, Self.middle(ofBucket: bucket))))), count: count)
        }
        guard let first = places.first?.place, let last = places.last?.place else {
            return BuildReport.LatencyCounts(first: 0, counts: [])
        }
        var counts = Array(repeating: UInt64(0), count: last - first + 1)
        for (place, count) in places { counts[place - first] += count }
        return BuildReport.LatencyCounts(first: first, counts: counts)
    }

    /// The bucket of a value, of those of this histogram, or of coarser ones.
    ///
    /// - Parameter bits: Every power of two has 2 to the power of this many buckets; from 0 to 63.
    public static func bucket(of value: UInt64, bits: Int = subdivisionBits) -> Int {
        let highestBit = 63 - (value | 1).leadingZeroBitCount
        let shift = max(0, highestBit - bits)
        return shift << bits + Int(value >> UInt64(shift))
    }

    /// The smallest and the largest value of bucket `index`.
    static func bounds(ofBucket index: Int, bits: Int = subdivisionBits) -> ClosedRange<UInt64> {
        let shift = max(0, index >> bits - 1)
        let lowest = UInt64(index - shift << bits) << UInt64(shift)
        return lowest...lowest + (UInt64(1) << UInt64(shift) - 1)
    }

    /// The middle of bucket `index`.
    ///
    /// - Parameter bits: As in ``bucket(of:bits:)``.
    public static func middle(ofBucket index: Int, bits: Int = subdivisionBits) -> UInt64 {
        let bounds = bounds(ofBucket: index, bits: bits)
        return bounds.lowerBound + (bounds.upperBound - bounds.lowerBound + 1) / 2
    }
}

extension Histogram: Codable {
    private enum CodingKeys: CodingKey {
        case buckets, counts, smallest, largest
    }

    /// Writes only the buckets that aren't empty.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let filled = filled
        try container.encode(filled.map(\.bucket), forKey: .buckets)
        try container.encode(filled.map(\.count), forKey: .counts)
        try container.encode(smallest, forKey: .smallest)
        try container.encode(largest, forKey: .largest)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let buckets = try container.decode([Int].self, forKey: .buckets)
        let counts = try container.decode([UInt64].self, forKey: .counts)
        self.init(
            counts: Dictionary(zip(buckets, counts)) { $0 + $1 },
            smallest: try container.decode(UInt64.self, forKey: .smallest),
            largest: try container.decode(UInt64.self, forKey: .largest))
    }
}
