/// What `--json` writes. The schema is in `Benchmarks/README.md`.
public struct Report: Codable, Equatable, Sendable {
    public var schema = 1
    public var host: Host
    public var scenarios: [ScenarioReport]
    /// Scenarios that gave no figure because a check failed. Left out when there are none.
    public var failures: [Failure]?

    public init(host: Host, scenarios: [ScenarioReport], failures: [Failure]) {
        self.host = host
        self.scenarios = scenarios
        self.failures = failures.isEmpty ? nil : failures
    }
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
    public var median: Double
    public var min: Double
    public var max: Double
    public var samples: Int
    /// Left out where allocations could not be counted.
    public var allocationsPerEvent: Double?
    /// Left out where no threads take part.
    public var contextSwitchesPerEvent: Double?
    /// Nanoseconds by percentile, where latency was measured.
    public var percentiles: [String: UInt64]?
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
}
