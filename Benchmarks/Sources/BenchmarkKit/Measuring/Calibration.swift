/// How quick the machine is right now, told by a loop that never changes.
///
/// It is timed before, between and after the passes of a run. What happens to the loop's time happens to the
/// scenarios' times as well; ratios of neighbours don't mind, absolute times do.
public struct Calibration: Codable, Equatable, Sendable {
    /// The times of the loop, in nanoseconds, in the order in which they were taken.
    public private(set) var nanoseconds: [Double] = []

    public init(nanoseconds: [Double] = []) {
        self.nanoseconds = nanoseconds
    }

    /// From where on a person is warned that absolute times don't hold.
    public static let tolerated = 0.1

    /// Times the loop once more: the median of some tries, some milliseconds in all.
    public mutating func mark() {
        let tries = (0..<9).map { _ in
            Double(Clock.measure { Spin(roundsPerMicrosecond: 1000).burn(microseconds: 500) })
        }
        if let median = Statistics.median(tries) { nanoseconds.append(median) }
    }

    /// How much longer the loop took when it took longest than when it took least: 0.1 is 10 %.
    public var drift: Double {
        guard let least = nanoseconds.min(), let most = nanoseconds.max(), least > 0 else { return 0 }
        return most / least - 1
    }

    /// How many times as long the loop took in `other`, in the median, if it never took as long here as it did there;
    /// nil where the times of the two overlap, or nearly do: then the machine drifted, and in both.
    public func change(to other: Calibration) -> Double? {
        guard let least = nanoseconds.min(), let most = nanoseconds.max(), least > 0,
            let otherLeast = other.nanoseconds.min(), let otherMost = other.nanoseconds.max(), otherLeast > 0
        else { return nil }
        let isApart = otherLeast > most * (1 + Self.tolerated) || least > otherMost * (1 + Self.tolerated)
        guard isApart, let middle = Statistics.median(nanoseconds), let other = Statistics.median(other.nanoseconds)
        else { return nil }
        return other / middle
    }

    /// What to say of the drift; nil if it is tolerable.
    public var warning: String? {
        guard drift > Self.tolerated else { return nil }
        let percent = Figures.number(drift * 100)
        return "the machine's speed changed by \(percent) % during the run: compare ratios, not times"
    }
}
