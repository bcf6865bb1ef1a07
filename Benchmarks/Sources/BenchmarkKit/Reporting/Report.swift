/// What `--json` writes. The schema is in `Benchmarks/schema`, explained in `Benchmarks/README.md`.
///
/// What could not be had is nil, and left out.
public struct Report: Codable, Equatable, Sendable {
    /// Whether a run timed or counted.
    public enum Mode: String, Codable, Sendable {
        case time
        case counts
    }

    public static let currentSchema = 1

    public var schema = Report.currentSchema
    public var mode: Mode?
    /// What was typed.
    public var command: String?
    /// How long the run took, in seconds.
    public var seconds: Double?
    public var host: Host
    public var calibration: Calibration?
    public var scenarios: [ScenarioReport]
    /// Scenarios that gave no figure because a check failed. Left out when there are none.
    public var failures: [Failure]?

    public init(host: Host, scenarios: [ScenarioReport], failures: [Failure]) {
        self.host = host
        self.scenarios = scenarios
        self.failures = failures.isEmpty ? nil : failures
    }

    public var isCounted: Bool { mode == .counts }
}

/// A check that failed, or a build that crashed or hung.
public struct Failure: Codable, Equatable, Sendable {
    public var scenario: String
    public var build: String
    public var message: String
}

/// The figures of one scenario.
public struct ScenarioReport: Codable, Equatable, Sendable {
    public var name: String
    public var unit: String
    /// By build: `direct`, `lockfree`, `naive`.
    public var builds: [String: BuildReport]
    /// `naive/lockfree` and `lockfree/direct`.
    public var ratios: [String: RatioEstimate]

    public init(
        name: String,
        unit: String,
        builds: [String: BuildReport],
        ratios: [String: RatioEstimate]
    ) {
        self.name = name
        self.unit = unit
        self.builds = builds
        self.ratios = ratios
    }
}

/// The figures of one build in one scenario.
public struct BuildReport: Codable, Equatable, Sendable {
    /// A point of a percentile curve.
    public struct CurvePoint: Codable, Equatable, Sendable {
        public var percentile: Double
        public var nanoseconds: UInt64

        public init(percentile: Double, nanoseconds: UInt64) {
            self.percentile = percentile
            self.nanoseconds = nanoseconds
        }
    }

    public var median: Double
    public var min: Double
    public var max: Double
    public var samples: Int
    /// The samples, by pass, in the order in which they were taken.
    public var passes: [[Double]]?
    /// How many samples lie outside of Tukey's fences.
    public var outliers: Int?
    /// How many events there were in a second, where a run is of a time and not of a number of events.
    public var eventsPerSecond: Double?
    /// Left out where allocations could not be counted.
    public var allocationsPerEvent: Double?
    public var bytesPerEvent: Double?
    /// Left out where no threads take part.
    public var contextSwitchesPerEvent: Double?
    public var pageFaultsPerEvent: Double?
    public var systemCallsPerEvent: Double?
    /// How often a strong reference is taken. Left out where calls can't be intercepted.
    public var retainsPerEvent: Double?
    /// How often a strong reference is given up.
    public var releasesPerEvent: Double?
    public var instructionsPerEvent: Double?
    public var cyclesPerEvent: Double?
    public var cacheMissesPerEvent: Double?
    /// Nanoseconds by percentile, where latency was measured.
    public var percentiles: [String: UInt64]?
    /// The same from when an event was really sent and not from when it should have been, where the two differ.
    public var uncorrectedPercentiles: [String: UInt64]?
    /// The whole distribution, for a curve.
    public var curve: [CurvePoint]?
    /// What else was counted, by name.
    public var counts: [String: Int]?

    /// - Parameter values: The samples; at least one.
    public init(values: [Double]) {
        precondition(!values.isEmpty, "Figures come from at least 1 sample.")
        median = Statistics.median(values) ?? 0
        min = values.min() ?? 0
        max = values.max() ?? 0
        samples = values.count
    }

    /// - Parameter passes: The samples of each pass; at least one in all.
    init(passes: [[Double]]) {
        let values = passes.flatMap(\.self)
        self.init(values: values)
        self.passes = passes
        outliers = Statistics.outliers(in: values)
    }
}
