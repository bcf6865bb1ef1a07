/// A line of the catalogue: what is measured, in which unit, and how each side of the comparison is made.
public struct ScenarioEntry: Sendable {
    /// What one sample is.
    public enum Measure: Sendable {
        /// The time of a run divided by its events.
        case timePerEvent
        /// A percentile of the latencies recorded during a run.
        case latency(percentile: Double)
        /// What the scenario has counted under a name.
        case count(String)
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
    /// Whether it is measured only if a filter names it: it takes long, or is of interest to few.
    public var isOnRequest: Bool
    /// How many events the smaller of two counted runs has, for `--mode counts`; the larger one has three times as
    /// many, or two if this is 1. nil for some hundreds.
    public var countedEvents: Int?
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
        isOnRequest: Bool = false,
        countedEvents: Int? = nil,
        direct: @escaping Making,
        corinth: @escaping Making
    ) {
        precondition(sampleMilliseconds > 0, "A run takes at least 1 ms, not \(sampleMilliseconds).")
        precondition((countedEvents ?? 1) > 0, "At least 1 event is counted, not \(countedEvents ?? 1).")
        self.name = name
        self.countedEvents = countedEvents
        self.unit = unit
        self.measure = measure
        self.sampleMilliseconds = sampleMilliseconds
        self.isThreaded = isThreaded
        self.isOnRequest = isOnRequest
        self.makeDirect = direct
        self.makeCorinth = corinth
    }
}

extension ScenarioEntry {
    /// The unit of what is counted: `instructions/event` where times are in `ns/event`.
    var countedUnit: String {
        "instructions" + unit.drop { $0 != "/" }.prefix { $0 != "," }
    }

    /// Makes and sets up a side.
    func make(direct: Bool, _ settings: Settings) throws -> any Scenario {
        let made = try (direct ? makeDirect : makeCorinth)(settings)
        let scenario = direct ? made : BurdenedScenario.burdening(made, named: name)
        try scenario.setUp()
        return scenario
    }

    /// The entries `family/parameter` for each of `parameters`.
    ///
    /// - Parameter making: Makes the entry for a name and its parameter.
    public static func family<Parameter>(
        _ family: String,
        _ parameters: [Parameter],
        _ making: (_ name: String, _ parameter: Parameter) -> ScenarioEntry
    ) -> [ScenarioEntry] {
        parameters.map { making("\(family)/\($0)", $0) }
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
