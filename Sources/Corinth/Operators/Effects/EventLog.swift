/// A log of intervals and of points in time, such as that of a tracing system or of a profiler.
///
/// `logIntervals` marks the life of a stream in it. A log reads the clock itself. ``LineEventLog`` writes lines of text.
///
/// ## Concurrency
/// Any thread calls it, and several threads may call it at once. The calls for one interval don't overlap, with one exception:
/// an interval that ends because its signal can't be observed any more may end during a call of `record(_:in:)`.
public protocol EventLog: Sendable {
    /// An interval begins.
    func begin(_ interval: LoggedInterval)

    /// A value is about to be delivered.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - interval: The interval of the stream, or that of the delivery.
    func record<Value>(_ value: Value, in interval: LoggedInterval)

    /// An interval ends. Called once for each interval.
    ///
    /// - Parameters:
    ///   - interval: The interval.
    ///   - termination: How the stream ended. nil if the interval is a delivery, or if the signal didn't end, but can't be
    ///     observed any more.
    func end<Failure: Error>(_ interval: LoggedInterval, _ termination: Termination<Failure>?)
}

/// An interval of an ``EventLog``: the life of a stream, or the delivery of one value.
public struct LoggedInterval: Sendable, Hashable, Identifiable {
    /// The name that the program gave it.
    public let name: String

    /// Links the end to the beginning. No other interval of the process has this number.
    public let id: UInt64

    /// The number of the stream's interval, if this is the delivery of a value.
    public let parent: UInt64?

    /// Creates an interval with a new number.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - parent: The number of the interval that contains this one.
    public init(name: String, parent: UInt64? = nil) {
        self.name = name
        self.parent = parent
        id = LoggedInterval.counter.next()
    }

    /// The numbers of the intervals.
    private final class Counter: @unchecked Sendable {  // An atomic word.
        private let last = AtomicWord()

        // relaxed: a number, which publishes nothing.
        func next() -> UInt64 { last.fetchAdd(1, .relaxed) + 1 }
    }

    private static let counter = Counter()
}

/// How `logIntervals` logs values.
public enum LoggedValues: Sendable, CaseIterable {
    /// Not at all.
    case none

    /// Each as a point in time, before it is delivered.
    case points

    /// Each delivery as an interval of its own, with the value at its beginning. It ends when the observers have returned.
    case deliveries
}
