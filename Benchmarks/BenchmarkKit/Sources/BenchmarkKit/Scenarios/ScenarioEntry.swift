/// An entry of the catalogue: what is measured, its unit, and how to create each side of the comparison.
///
/// Most need no more than a closure:
///
/// ```swift
/// ScenarioEntry("encode") { events in
///     for _ in 0..<events { opaque(encode(message)) }
/// }
/// ```
public struct ScenarioEntry: Sendable {
    /// The meaning of one sample.
    public enum Measure: Sendable {
        /// The time of a run divided by its events.
        case timePerEvent
        /// A percentile of all recorded latencies. Its interval is computed from those of the passes.
        case latency(percentile: Double)
        /// The scenario's own count of this name.
        case count(String)

        /// Whether the figure is a time per event.
        var isTime: Bool {
            if case .timePerEvent = self { return true }
            return false
        }

        /// The figure, if it is a percentile.
        func figure(of latencies: Histogram) -> Double? {
            guard case .latency(let percentile) = self else { return nil }
            return latencies.percentile(percentile).map { Double($0) }
        }
    }

    public typealias Making = @Sendable (Settings) throws -> any Scenario

    /// The name, `family` or `family/parameter`.
    public var name: String
    /// The unit of the figures, such as `ns/event`.
    public var unit: String
    public var measure: Measure
    /// The duration that a run should have.
    public var sampleMilliseconds: Int
    /// Whether several threads take part, or the thread waits. Then times are those of the clock, context switches are reported,
    /// and `--mode counts` leaves it out.
    public var isThreaded: Bool
    /// How many threads repeat an event at the same time, such as 8 that send to one signal. Reports have it.
    public var threads: Int
    /// Whether it is measured only if a filter names it, because it takes long or interests few.
    public var isOnRequest: Bool
    /// The events of the smaller of the two runs that `--mode counts` counts. The larger one has three times as many, or
    /// two if this is 1. nil for 400.
    public var countedEvents: Int?
    /// What an event stands for; nil if reports show no rate.
    public var throughput: Throughput?
    /// Creates the direct side: the same work without the library. nil if there is none; then times have no multiples of it.
    public var makeDirect: Making?
    /// Creates the side that uses the library.
    public var makeLibrary: Making

    /// An entry whose sides are classes: they keep state between runs, check it outside the measured time, or measure latency.
    ///
    /// - Parameters:
    ///   - sampleMilliseconds: The duration of a run in milliseconds, at least 1.
    ///   - threads: At least 1.
    ///   - countedEvents: At least 1.
    ///   - throughput: What an event stands for, if the figure is a time.
    ///   - direct: nil if there is nothing to compare with.
    public init(
        _ name: String,
        unit: String = "ns/event",
        measure: Measure = .timePerEvent,
        sampleMilliseconds: Int = 16,
        isThreaded: Bool = false,
        threads: Int = 1,
        isOnRequest: Bool = false,
        countedEvents: Int? = nil,
        throughput: Throughput? = nil,
        direct: Making?,
        library: @escaping Making
    ) {
        precondition(sampleMilliseconds > 0, "A run takes at least 1 ms, not \(sampleMilliseconds).")
        precondition((countedEvents ?? 1) > 0, "At least 1 event is counted, not \(countedEvents ?? 1).")
        precondition(threads > 0, "At least 1 thread, not \(threads).")
        precondition(
            throughput == nil || measure.isTime, "A rate needs a time per event, and \(name) measures something else.")
        self.name = name
        self.throughput = throughput
        self.threads = threads
        self.countedEvents = countedEvents
        self.unit = unit
        self.measure = measure
        self.sampleMilliseconds = sampleMilliseconds
        self.isThreaded = isThreaded
        self.isOnRequest = isOnRequest
        self.makeDirect = direct
        self.makeLibrary = library
    }
}

extension ScenarioEntry {
    /// Whether the figure is the processor time of the process, which other programs on the machine don't make longer. With
    /// threads, and for latencies, waiting is a part of what is measured.
    var isProcessorTimed: Bool { measure.isTime && !isThreaded }

    /// The unit of counts: `instructions/event` if times are in `ns/event`.
    var countedUnit: String {
        "instructions" + unit.drop { $0 != "/" }.prefix { $0 != "," }
    }

    /// Creates and sets up a side.
    ///
    /// - Throws: ``CheckFailure`` if there is no direct side, and what the side throws.
    func make(direct: Bool, _ settings: Settings) throws -> any Scenario {
        guard let making = direct ? makeDirect : makeLibrary else { throw CheckFailure("\(name) has no direct side") }
        let made = try making(settings)
        let scenario = direct ? made : BurdenedScenario.burdening(made, named: name)
        try scenario.setUp()
        return scenario
    }

    /// The entries `family/parameter` for each of `parameters`.
    ///
    /// - Parameter making: Creates the entry for a name and its parameter.
    public static func family<Parameter>(
        _ family: String,
        _ parameters: [Parameter],
        _ making: (_ name: String, _ parameter: Parameter) -> ScenarioEntry
    ) -> [ScenarioEntry] {
        parameters.map { making("\(family)/\($0)", $0) }
    }
}

/// Settings of a run, the same for every build.
public struct Settings: Codable, Equatable, Sendable {
    /// Work of a known length, calibrated once for all builds.
    public var spin: Spin
    /// Settings that a command of the tool passes to its scenarios, by name.
    public var values: [String: String]
    /// How long each process runs before its first sample, at least; nil for as long as it takes to be steady.
    var warmUpSeconds: Double?
    /// How long a sample takes; nil for the scenario's own time.
    var sampleMilliseconds: Int?
    /// The number of threads that the scenarios are made for; nil for those of the catalogue.
    var threads: Int?

    /// The number of events of a run, if it is given.
    var events: Int? { values["events"].flatMap { Int($0) } }

    public init(spin: Spin, values: [String: String] = [:]) {
        self.spin = spin
        self.values = values
    }
}
