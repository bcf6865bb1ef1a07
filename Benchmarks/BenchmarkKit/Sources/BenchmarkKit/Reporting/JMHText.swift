import Foundation

/// A timed run as the JSON that JMH writes with `-rf json`, for tools that read it. Each build of each scenario is a benchmark,
/// a pass is a fork, and a sample is an iteration. What failed has no score, and the reason as a parameter.
enum JMHText {
    private struct Metric: Encodable {
        var score: Double
        var scoreError: Double
        var scoreConfidence: [Double]
        var scorePercentiles: [String: Double]
        var scoreUnit: String
        var rawData: [[Double]]
    }

    private struct Benchmark: Encodable {
        var jmhVersion = "BenchmarkKit \(BenchmarkKitVersion.current)"
        var benchmark: String
        var params: [String: String]?
        var mode: String
        var threads: Int
        var forks: Int
        var warmupIterations = 0
        var warmupTime = unknown
        var warmupBatchSize = 1
        var measurementIterations: Int
        var measurementTime = unknown
        var measurementBatchSize = 1
        var primaryMetric: Metric
        var secondaryMetrics: [String: Metric]
    }

    /// A report doesn't have the times of the warm-up and of a sample: they differ between scenarios.
    private static let unknown = "unknown"

    static func text(of report: Report) throws -> String {
        var benchmarks: [Benchmark] = []
        for scenario in report.scenarios {
            for (build, figures) in scenario.builds.sorted(by: { $0.key < $1.key }) {
                // A report that was put together may have passes without samples.
                let sampled = figures.passes?.filter { !$0.isEmpty } ?? []
                let passes = sampled.isEmpty ? [[figures.median]] : sampled
                benchmarks.append(
                    Benchmark(
                        benchmark: name(scenario.name, build), mode: figures.percentiles == nil ? "avgt" : "sample",
                        threads: scenario.threads ?? 1, forks: passes.count,
                        measurementIterations: passes.map(\.count).max() ?? 1,
                        primaryMetric: metric(figures, passes, scenario.unit),
                        secondaryMetrics: secondary(figures, scenario.throughput)))
            }
        }
        for failure in report.failures ?? [] {
            benchmarks.append(
                Benchmark(
                    benchmark: name(failure.scenario, failure.build), params: ["failed": failure.message], mode: "avgt",
                    threads: 1, forks: 0, measurementIterations: 0,
                    primaryMetric: Metric(
                        score: .nan, scoreError: .nan, scoreConfidence: [.nan, .nan], scorePercentiles: [:],
                        scoreUnit: unknown, rawData: []),
                    secondaryMetrics: [:]))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return String(decoding: try encoder.encode(benchmarks), as: UTF8.self)
    }

    private static func name(_ scenario: String, _ build: String) -> String {
        "\(scenario.replacing("/", with: ".")).\(build)"
    }

    /// The mean of the passes, with JMH's 99.9 % interval; of latencies, those passes' percentiles are what the unit says, and the
    /// percentiles are those of all events. Without several passes, the error is not a number, as in JMH.
    private static func metric(_ figures: BuildReport, _ passes: [[Double]], _ unit: String) -> Metric {
        let means = passes.map(Statistics.mean)
        let score = Statistics.mean(means)
        var error = Double.nan
        if means.count > 1 {
            let deviation = (Statistics.variance(means) / Double(means.count)).squareRoot()
            error = deviation * Statistics.deviations(forConfidence: 0.999, freedom: Double(means.count - 1))
        }
        let sorted = passes.flatMap(\.self).sorted()
        let shares: [(String, Double)] = [
            ("0.0", 0), ("50.0", 0.5), ("90.0", 0.9), ("95.0", 0.95), ("99.0", 0.99), ("99.9", 0.999), ("100.0", 1),
        ]
        var percentiles = shares.map { ($0.0, Statistics.quantile($0.1, ofSorted: sorted)) }
        // Of events, and not of samples.
        if let latencies = figures.percentiles {
            percentiles = latencies.map { ($0.key.contains(".") ? $0.key : $0.key + ".0", Double($0.value)) }
        }
        return Metric(
            score: score, scoreError: error, scoreConfidence: [score - error, score + error],
            scorePercentiles: Dictionary(uniqueKeysWithValues: percentiles),
            scoreUnit: unit == "ns/event" ? "ns/op" : unit, rawData: passes)
    }

    private static func secondary(_ figures: BuildReport, _ throughput: Throughput?) -> [String: Metric] {
        let counts: [(String, Double?, String)] = [
            ("throughput", figures.throughputPerSecond, "\(throughput?.unit ?? "")/s"),
            ("gc.alloc.rate.norm", figures.bytesPerEvent, "B/op"), ("allocations", figures.allocationsPerEvent, "#/op"),
        ]
        var metrics: [String: Metric] = [:]
        for (name, value, unit) in counts {
            guard let value else { continue }
            metrics[name] = Metric(
                score: value, scoreError: .nan, scoreConfidence: [value, value], scorePercentiles: ["50.0": value],
                scoreUnit: unit, rawData: [[value]])
        }
        return metrics
    }
}
