/// A line of the catalogue: what is measured, in which unit, and how each side of the comparison is made.
public struct ScenarioEntry: Sendable {
    /// What one sample is.
    public enum Measure: Sendable {
        /// The time of a run divided by its events.
        case timePerEvent
        /// A percentile of the latencies recorded during a run.
        case latency(percentile: Double)
    }

    public typealias Making = @Sendable (Settings) throws -> any Scenario

    /// The name, `family` or `family/parameter`.
    public var name: String
    /// What the figures are in, such as `ns/event`.
    public var unit: String
    public var measure: Measure
    /// How long a run should take.
    public var sampleMilliseconds: Int
    /// Whether threads take part, so that context switches say something.
    public var isThreaded: Bool
    /// Makes the same work without the library.
    public var makeDirect: Making
    /// Makes the work with the library.
    public var makeCorinth: Making

    public init(
        _ name: String,
        unit: String = "ns/event",
        measure: Measure = .timePerEvent,
        sampleMilliseconds: Int = 8,
        isThreaded: Bool = false,
        direct: @escaping Making,
        corinth: @escaping Making
    ) {
        precondition(sampleMilliseconds > 0, "A run takes at least 1 ms, not \(sampleMilliseconds).")
        self.name = name
        self.unit = unit
        self.measure = measure
        self.sampleMilliseconds = sampleMilliseconds
        self.isThreaded = isThreaded
        self.makeDirect = direct
        self.makeCorinth = corinth
    }
}

/// What a scenario may want to know; the same in every build.
public struct Settings: Codable, Equatable, Sendable {
    /// Work of a known length, calibrated once for all.
    public var spin: Spin
    /// The log that `replay` reads; nil for a generated one.
    public var logPath: String?
    /// How many lines a generated log has.
    public var generatedLines: Int
    /// How many times the log's own speed `replay` plays at; nil for as fast as it goes.
    public var speed: Double?

    public init(spin: Spin, logPath: String? = nil, generatedLines: Int = 20_000, speed: Double? = nil) {
        self.spin = spin
        self.logPath = logPath
        self.generatedLines = generatedLines
        self.speed = speed
    }
}
