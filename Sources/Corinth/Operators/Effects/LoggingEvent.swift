/// What `logEvents` can log.
public enum LoggingEvent {
    /// What can be logged of a signal.
    public enum Signal: String, CaseIterable, Sendable {
        /// A value.
        case value
        /// The completion.
        case completed
        /// The failure.
        case failed
        /// The end, whichever it is.
        case terminated
        /// All is over, and nobody observes any more.
        case disposed
        /// The interruption.
        case interrupted
    }

    /// What can be logged of a producer.
    public enum SignalProducer: String, CaseIterable, Sendable {
        /// A start, before it.
        case starting
        /// A start, after it.
        case started
        /// A value.
        case value
        /// The completion.
        case completed
        /// The failure.
        case failed
        /// The end, whichever it is.
        case terminated
        /// A start is over.
        case disposed
        /// The interruption.
        case interrupted
    }
}

/// Logs one event: its stream's identifier, its description, and the file, function and line of the stream.
public typealias EventLogger = (
    _ identifier: String,
    _ event: String,
    _ fileName: String,
    _ functionName: String,
    _ lineNumber: Int
) -> Void

/// Prints one event, with where it was logged, to standard output.
public func defaultEventLog(
    identifier: String, event: String, fileName: String, functionName: String, lineNumber: Int
) {
    print("[\(identifier)] \(event) fileName: \(fileName), functionName: \(functionName), lineNumber: \(lineNumber)")
}
