/// When each line of a log is due if it is played at a multiple of its own speed.
public struct LogSchedule: Sendable {
    /// Nanoseconds after the first line, for each line.
    public let dueNanoseconds: [UInt64]

    /// Takes the times out of `log`.
    ///
    /// A log tells seconds, so what came within one second is due at once: bursts stay as hard as the log has
    /// them. A line that was logged late is due right after the one before it, and so is a malformed one.
    ///
    /// - Parameter speed: How many times faster than the log; more than 0.
    public init(_ log: AccessLog, speed: Double) {
        precondition(speed > 0 && speed.isFinite, "A speed is more than 0, not \(speed).")
        var first: Int?
        var newest = 0
        dueNanoseconds = log.lines.indices.map { line in
            if let time = log.record(ofLine: line)?.time {
                if let first { newest = max(newest, time - first) } else { first = time }
            }
            // No longer than a count of nanoseconds goes; who would wait that long is told so elsewhere.
            return UInt64(min(Double(newest) * 1e9 / speed, 1e18))
        }
    }

    /// How long playing takes.
    public var seconds: Double {
        Double(dueNanoseconds.last ?? 0) / 1e9
    }
}
