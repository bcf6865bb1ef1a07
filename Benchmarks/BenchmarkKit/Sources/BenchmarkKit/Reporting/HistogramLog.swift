import Foundation

/// The latencies of a run over time, in the format of HdrHistogram's log: an `.hlog` file for its log processors.
///
/// An interval is one pass of one build through one scenario. Its tag has the scenario and the build. The intervals of the
/// builds of a pass are the same, because the builds alternate.
public struct HistogramLog: Sendable {
    /// The latencies of a pass.
    struct Interval: Equatable, Sendable {
        var scenario: String
        var build: String
        var start: Date
        var end: Date
        /// The largest latency, in nanoseconds.
        var maximum: UInt64
        /// The histogram, see ``Histogram/encoded``.
        var histogram: String
    }

    private(set) var intervals: [Interval] = []

    /// Adds the latencies of a pass, if there are any.
    mutating func add(_ latencies: Histogram?, _ scenario: String, _ build: Build, from start: Date, to end: Date) {
        guard let latencies, let maximum = latencies.maximum else { return }
        intervals.append(
            Interval(
                scenario: scenario, build: build.rawValue, start: start, end: end, maximum: maximum,
                histogram: latencies.encoded))
    }

    /// The log. Times are in seconds from the first interval, the maximum in milliseconds, the histogram in nanoseconds.
    ///
    /// - Parameter program: What has written it, for a comment.
    func text(program: String) -> String {
        let start = intervals.map(\.start).min() ?? Date(timeIntervalSince1970: 0)
        let seconds = String(format: "%.3f", start.timeIntervalSince1970)
        var lines = [
            "#[Logged by \(Self.plain(program)), BenchmarkKit \(BenchmarkKitVersion.current)]",
            "#[Histogram log format version 1.3]",
            "#[StartTime: \(seconds) (seconds since epoch), \(start.ISO8601Format())]",
            "#[BaseTime: \(seconds) (seconds since epoch)]",
            #""StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram""#,
        ]
        for interval in intervals {
            lines.append(
                "Tag=\(Self.plain(interval.scenario)):\(interval.build),"
                    + String(
                        format: "%.3f,%.3f,%.3f,", interval.start.timeIntervalSince(start),
                        interval.end.timeIntervalSince(interval.start), Double(interval.maximum) / 1e6)
                    + interval.histogram)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A text without the characters that end a tag or a line.
    private static func plain(_ text: String) -> String {
        String(text.map { $0 == "," || $0.isWhitespace || $0.isNewline ? "_" : $0 })
    }
}
