import CBenchmarkSupport

/// Work of a known length that touches nothing.
///
/// A fixed number of rounds and not "until the clock says so": a preempted thread still has all of its work to
/// do, as real work has, and every build does the same amount.
public struct Spin: Codable, Equatable, Sendable {
    /// How many rounds take a microsecond on this machine.
    public var roundsPerMicrosecond: Int

    public init(roundsPerMicrosecond: Int) {
        precondition(roundsPerMicrosecond > 0, "At least 1 round, not \(roundsPerMicrosecond).")
        self.roundsPerMicrosecond = roundsPerMicrosecond
    }

    /// Measures this machine. Calibrate once and hand the result to every build.
    ///
    /// The quickest of several tries counts: what slows a try down is never the loop itself.
    public static func calibrated() -> Spin {
        let rounds = 200_000
        let quickest = (0..<20).map { _ in Clock.measure { bench_spin(UInt64(rounds)) } }.min() ?? 1
        return Spin(roundsPerMicrosecond: max(1, rounds * 1000 / max(1, Int(quickest))))
    }

    /// Burns about `microseconds` of CPU.
    public func burn(microseconds: Int) {
        bench_spin(UInt64(microseconds * roundsPerMicrosecond))
    }
}
