/// The content of a file that `--json` writes. The folder `schema` has the schema, and the README explains it.
///
/// A figure that is unavailable is nil and not written.
public struct Report: Codable, Equatable, Sendable {
    /// Whether a run timed or counted.
    public enum Mode: String, Codable, Sendable {
        case time
        case counts
    }

    public static let currentSchema = 1

    public var schema = Report.currentSchema
    public var mode: Mode?
    /// The command line.
    public var command: String?
    /// When the run began: ISO 8601, in UTC.
    public var date: String?
    /// How long the run took, in seconds.
    public var seconds: Double?
    public var host: Host
    public var calibration: Calibration?
    /// What was done, if the run didn't come to its end: `3 of 10 passes`.
    public var incomplete: String?
    public var scenarios: [ScenarioReport]
    /// Scenarios without figures, with the reason. nil if there are none.
    public var failures: [Failure]?
    /// What a command of the tool has found out besides; nil if it has nothing.
    public var results: JSONValue?

    /// The names of the two builds. They come from the tool and aren't written.
    public var builds = BuildNames()

    /// Everything but the names of the builds.
    private enum CodingKeys: CodingKey {
        case schema, mode, command, date, seconds, host, calibration, incomplete, scenarios, failures, results
    }

    public init(
        host: Host, scenarios: [ScenarioReport], failures: [Failure], builds: BuildNames = BuildNames()
    ) {
        self.builds = builds
        self.host = host
        self.scenarios = scenarios
        self.failures = failures.isEmpty ? nil : failures
    }

    public var isCounted: Bool { mode == .counts }
}

/// Any JSON.
public indirect enum JSONValue: Codable, Equatable, Sendable {
    case number(Double)
    case integer(Int)
    case text(String)
    case bool(Bool)
    case array([JSONValue])
    case object([String: JSONValue])

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? container.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let array = try? container.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .integer(let integer): try container.encode(integer)
        case .text(let text): try container.encode(text)
        case .bool(let bool): try container.encode(bool)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        }
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
    /// How many threads repeat an event at the same time; nil in the files of earlier versions.
    public var threads: Int?
    /// What an event stands for; nil if there is no rate.
    public var throughput: Throughput?
    /// By build: `direct`, if the scenario has it, and the names of the two builds of the library.
    public var builds: [String: BuildReport]
    /// By the names of the two builds with a slash between them: alternative to main, and main to `direct`.
    public var ratios: [String: RatioEstimate]
    /// What the machine did during the measurement; nil if it didn't disturb it.
    public var machine: MachineReport?

    /// The 95 % interval of the time of a build, by its passes. Of a scenario with `direct`, the interval of the ratio says more,
    /// because the machine's speed isn't in it.
    ///
    /// - Returns: nil if there is `direct`, or if there are too few samples.
    func interval(of build: String) -> RatioEstimate? {
        guard builds[Build.direct.rawValue] == nil else { return nil }
        return builds[build]?.passes.flatMap(PassMean.init)?.interval.estimate(confidence: 0.95)
    }

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

/// The disturbances of one scenario by the machine. A round is one sample of each build.
public struct MachineReport: Codable, Equatable, Sendable {
    public var rounds: Int
    /// How many rounds were measured again because the machine disturbed them.
    public var repeated: Int
    /// How many rounds were still disturbed.
    public var disturbed: Int
    /// Why those rounds were disturbed: the names of ``Disturbance``.
    public var reasons: [String]
    /// The factor by which the disturbances may have changed the ratio of two builds; nil in the files of earlier versions.
    public var unevenness: Double?
    /// The positions of the disturbed rounds in each pass; nil in the files of earlier versions.
    public var disturbedByPass: [[Int]]?

    /// Whether so many rounds are disturbed that a reader should know: more than a fifth.
    public var isMarked: Bool { 5 * disturbed > rounds }

    /// The factor by which the interval of a change is wider on each side.
    var widening: Double { unevenness ?? (isMarked ? Self.assumedUnevenness : 1) }

    /// What a file of an earlier version doesn't say.
    private static let assumedUnevenness = 2.0

    /// The disturbance in a few words.
    var text: String { "the machine disturbed \(disturbed) of \(rounds) rounds (\(reasons.joined(separator: ", ")))" }
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

    /// How many latencies of a pass lay in each half of an octave.
    public struct LatencyCounts: Codable, Equatable, Sendable {
        /// The half octave of the first count, from 0. That of the number n begins at 2^(n/2) ns.
        public var first: Int
        public var counts: [UInt64]

        public init(first: Int, counts: [UInt64]) {
            self.first = first
            self.counts = counts
        }
    }

    public var median: Double
    /// The median by the clock, if ``median`` is of processor time.
    public var clockMedian: Double?
    public var min: Double
    public var max: Double
    public var samples: Int
    /// The samples, by pass, in order.
    public var passes: [[Double]]?
    /// The number of passes of each run, if the report has several: see `baseline save`.
    public var runs: [Int]?
    /// The number of samples outside of Tukey's fences.
    public var outliers: Int?
    /// Events per second, if runs have a given time and not a given number of events.
    public var eventsPerSecond: Double?
    /// How much a second does at ``median``, in the unit of the scenario's throughput; nil if it has none.
    public var throughputPerSecond: Double?
    /// nil if allocations could not be counted.
    public var allocationsPerEvent: Double?
    public var bytesPerEvent: Double?
    /// nil if no threads take part.
    public var contextSwitchesPerEvent: Double?
    public var pageFaultsPerEvent: Double?
    public var systemCallsPerEvent: Double?
    /// Retains of strong references. nil if the calls can't be counted.
    public var retainsPerEvent: Double?
    /// Releases of strong references.
    public var releasesPerEvent: Double?
    public var instructionsPerEvent: Double?
    /// Atomic read-modify-writes. nil if they can't be counted.
    public var lockedInstructionsPerEvent: Double?
    public var cyclesPerEvent: Double?
    public var cacheMissesPerEvent: Double?
    /// Nanoseconds by percentile, if latency was measured.
    public var percentiles: [String: UInt64]?
    /// The same from when an event was sent and not from when it was due, if the two differ.
    public var uncorrectedPercentiles: [String: UInt64]?
    /// The percentiles of each pass, in the order of the passes.
    public var passPercentiles: [[String: UInt64]]?
    /// The latencies of each pass, in the order of the passes; nil in the files of earlier versions.
    public var passLatencies: [LatencyCounts]?
    /// The whole distribution, for a curve.
    public var curve: [CurvePoint]?
    /// The scenario's own counts, by name.
    public var counts: [String: Int]?

    /// - Parameter values: The samples; at least one.
    public init(values: [Double]) {
        precondition(!values.isEmpty, "Figures need at least 1 sample.")
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
