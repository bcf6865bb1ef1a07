import CBenchmarkSupport

/// Work of a known length that accesses no memory.
///
/// It is a number of rounds and not a deadline. So every build does the same amount of work, and a preempted thread still
/// has to do all of it, as with real work.
public struct Spin: Codable, Equatable, Sendable {
    /// The rounds of a microsecond on this machine.
    public var roundsPerMicrosecond: Int

    public init(roundsPerMicrosecond: Int) {
        precondition(roundsPerMicrosecond > 0, "At least 1 round, not \(roundsPerMicrosecond).")
        self.roundsPerMicrosecond = roundsPerMicrosecond
    }

    /// Measures this machine. Calibrate once and pass the result to every build.
    ///
    /// Takes the fastest of several tries: interruptions only make a try slower.
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
