import CBenchmarkSupport

/// The speed of the machine during a run, measured with a loop that never changes.
///
/// The loop uses all of a core's units for additions. So its time shows the frequency, and also whether another hardware thread
/// of the core was busy, which slows down code that executes many instructions per cycle.
///
/// The loop is timed before, between and after the passes of a run. When its time changes, the scenarios' absolute times
/// change with it. Ratios of samples taken one after the other don't.
public struct Calibration: Codable, Equatable, Sendable {
    /// The times of the loop, in nanoseconds, in the order in which they were taken.
    public private(set) var nanoseconds: [Double] = []

    public init(nanoseconds: [Double] = []) {
        self.nanoseconds = nanoseconds
    }

    /// The drift above which a report warns that its absolute times aren't reliable.
    public static let tolerated = 0.1

    /// Times the loop once more: the median of nine tries, some milliseconds in all.
    public mutating func mark() {
        let tries = (0..<9).map { _ in Double(Clock.measure { bench_saturate(400_000) }) }
        if let median = Statistics.median(tries) { nanoseconds.append(median) }
    }

    /// The longest time of the loop divided by the shortest one, less 1: 0.1 is 10 %.
    public var drift: Double {
        guard let least = nanoseconds.min(), let most = nanoseconds.max(), least > 0 else { return 0 }
        return most / least - 1
    }

    /// The median time of the loop in `other`, divided by the median here. nil if the ranges of the two overlap or are less
    /// than 10 % apart: then both runs drifted, and the difference means nothing.
    public func change(to other: Calibration) -> Double? {
        guard let least = nanoseconds.min(), let most = nanoseconds.max(), least > 0,
            let otherLeast = other.nanoseconds.min(), let otherMost = other.nanoseconds.max(), otherLeast > 0
        else { return nil }
        let isApart = otherLeast > most * (1 + Self.tolerated) || least > otherMost * (1 + Self.tolerated)
        guard isApart, let middle = Statistics.median(nanoseconds), let other = Statistics.median(other.nanoseconds)
        else { return nil }
        return other / middle
    }

    /// The factor between the median times of the loop here and in `other`, 1 or more; nil if one of the two has none.
    func factor(to other: Calibration) -> Double? {
        guard let middle = Statistics.median(nanoseconds), let other = Statistics.median(other.nanoseconds), middle > 0,
            other > 0
        else { return nil }
        return max(middle / other, other / middle)
    }

    /// What a warning says about the drift; nil if it is at most 10 %.
    public var warning: String? {
        guard drift > Self.tolerated else { return nil }
        let percent = Figures.number(drift * 100)
        return "the machine's speed changed by \(percent) % during the run"
    }
}
