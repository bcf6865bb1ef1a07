/// The due times of a log's lines at a multiple of its own speed.
public struct LogSchedule: Sendable {
    /// The due time of each line, in nanoseconds after the first line.
    public let dueNanoseconds: [UInt64]

    /// Computes the due times from the times in `log`.
    ///
    /// In a log with whole seconds, all lines of one second are due at once, and its bursts remain. A late or malformed line is
    /// due right after the line before it.
    ///
    /// - Parameter speed: The multiple of the log's speed; more than 0.
    public init(_ log: AccessLog, speed: Double) {
        precondition(speed > 0 && speed.isFinite, "A speed is more than 0, not \(speed).")
        var first: Int?
        var newest = 0
        dueNanoseconds = log.lines.indices.map { line in
            if let time = log.record(ofLine: line)?.time {
                if let first { newest = max(newest, time - first) } else { first = time }
            }
            // Limited to the range of nanoseconds. The command rejects schedules of that length.
            return UInt64(min(Double(newest) * 1e3 / speed, 1e18))
        }
    }

    /// The duration of the schedule.
    public var seconds: Double {
        Double(dueNanoseconds.last ?? 0) / 1e9
    }
}
