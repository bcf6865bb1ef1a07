/// An event log of lines of text.
///
///     81244051923 begin download 7
///     81244052377 value download 7: 200
///     81244052811 end download 7 completed
///
/// A line has the time on the monotonic clock in nanoseconds, what happens, and the name and the number of the interval. The
/// line of a delivery also has the number of its stream, as in `begin download 9 in 7`.
///
/// - Complexity: Each line is a string of its own.
/// ## Concurrency
/// Lines of several threads may come in another order than their times.
public struct LineEventLog: EventLog {
    private let write: @Sendable (String) -> Void

    /// Creates a log.
    ///
    /// - Parameter write: Writes one line, which has no line break at its end. Several threads may call it at once.
    public init(_ write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// Writes to standard error, each line with one call.
    public static let standardError = LineEventLog { StandardError.write(line: $0) }

    /// Writes the beginning of an interval.
    public func begin(_ interval: LoggedInterval) { write("begin", interval) }

    /// Writes a value.
    public func record<Value>(_ value: Value, in interval: LoggedInterval) { write("value", interval, ": \(value)") }

    /// Writes the end of an interval, and how the stream ended.
    public func end<Failure: Error>(_ interval: LoggedInterval, _ termination: Termination<Failure>?) {
        switch termination {
        case .failed(let error): write("end", interval, " failed: \(error)")
        case .completed: write("end", interval, " completed")
        case .interrupted: write("end", interval, " interrupted")
        case nil: write("end", interval)
        }
    }

    private func write(_ event: String, _ interval: LoggedInterval, _ rest: String = "") {
        let parent = interval.parent.map { " in \($0)" } ?? ""
        write("\(MonotonicTime.now) \(event) \(interval.name) \(interval.id)\(parent)\(rest)")
    }
}
