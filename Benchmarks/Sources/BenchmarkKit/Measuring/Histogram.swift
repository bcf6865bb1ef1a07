/// Counts of durations in buckets whose width grows with the value, as in HdrHistogram.
///
/// Values below 256 have a bucket each; above, every power of two is cut into 128. A value read back is the
/// middle of its bucket, so it is wrong by at most 0.4 %; the smallest and the largest are kept as they came.
///
/// - Complexity: recording O(1) without allocation; memory constant (7,424 counters, 58 KiB).
public struct Histogram: Sendable, Equatable {
    static let subdivisionBits = 7
    static let bucketCount = (64 - subdivisionBits + 1) << subdivisionBits

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

    /// Adds one value.
    public mutating func record(_ value: UInt64) {
        counts[Self.bucket(of: value)] += 1
        count += 1
        smallest = min(smallest, value)
        largest = max(largest, value)
    }

    /// Adds what another histogram has recorded, as if it had been recorded here.
    public mutating func merge(_ other: Histogram) {
        guard other.count > 0 else { return }
        for index in counts.indices { counts[index] += other.counts[index] }
        count += other.count
        smallest = min(smallest, other.smallest)
        largest = max(largest, other.largest)
    }

    /// Forgets everything.
    public mutating func reset() {
        for index in counts.indices { counts[index] = 0 }
        count = 0
        smallest = .max
        largest = 0
    }

    /// The value that `percent` per cent of the recorded ones don't exceed, or nil if there are none.
    ///
    /// - Parameter percent: 0 to 100. 100 gives the largest value itself.
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

    /// The bucket that `value` is counted in.
    static func bucket(of value: UInt64) -> Int {
        let highestBit = 63 - (value | 1).leadingZeroBitCount
        let shift = max(0, highestBit - subdivisionBits)
        return shift << subdivisionBits + Int(value >> UInt64(shift))
    }

    /// The middle of the values that bucket `index` counts.
    static func middle(ofBucket index: Int) -> UInt64 {
        let shift = max(0, index >> subdivisionBits - 1)
        let lowest = UInt64(index - shift << subdivisionBits) << UInt64(shift)
        return lowest + (UInt64(1) << UInt64(shift)) / 2
    }
}
