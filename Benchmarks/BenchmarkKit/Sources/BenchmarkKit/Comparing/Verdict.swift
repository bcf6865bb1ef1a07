/// What a comparison shows about one figure.
public enum Verdict: String, Codable, Sendable {
    /// The interval lies within the threshold, in both directions. A count: exactly the same.
    case same
    /// Higher: the interval excludes no change, and reaches past the threshold.
    case more
    /// Lower, in the same sense.
    case less
    /// Neither: the interval contains no change, and reaches past the threshold. A larger change may be there.
    case inconclusive
    /// Only in the second report.
    case added
    /// Only in the first report, although the second one should have it.
    case missing
    /// Without figures in one of the reports, because it failed there.
    case failed
    /// Measured in another unit in the second report.
    case otherUnit

    /// Whether a figure that was expected couldn't be compared at all.
    public var isLost: Bool {
        switch self {
        case .missing, .failed, .otherUnit: true
        case .same, .more, .less, .inconclusive, .added: false
        }
    }

    /// The verdict in words.
    var text: String { self == .otherUnit ? "other unit" : rawValue }
}

extension RatioEstimate {
    /// What the interval shows.
    ///
    /// - Parameter threshold: The smallest change that matters: 0.1 is a factor of 1.1, up or down.
    public func verdict(threshold: Double) -> Verdict {
        if low >= 1 / (1 + threshold), high <= 1 + threshold { return .same }
        return low > 1 ? .more : high < 1 ? .less : .inconclusive
    }
}
