public import BenchmarkKit

/// The options of `replay`.
public enum ReplayOptions {
    /// Which log is read.
    public static let log = [
        OptionDescription(
            "--log", "FILE", "the log; - is standard input; may be compressed by gzip (default: a generated log)",
            completion: .file),
        OptionDescription(
            "--format", "FORMAT",
            "\(LogFormat.names.joined(separator: ", ")), or a format string of Apache or nginx (default: what the lines have)"
        ),
        OptionDescription("--lines", "N", "the number of lines of a generated log (default \(defaultLines))"),
    ]

    /// What the log itself says.
    public static let analysis = [
        OptionDescription(
            "--analyse", "time nothing; show the latencies in the log, by time and by route, and its slowest requests"),
        OptionDescription("--html", "FILE", "with --analyse: write heat maps and tables as a page", completion: .file),
        OptionDescription(
            "--hgrm", "FILE", "with --analyse: write the distribution of the latencies, for HdrHistogram's plotters",
            completion: .file),
        OptionDescription(
            "--timed", "N|all",
            "time the first N lines, or all, which are then in memory (default \(Figures.grouped(defaultTimed)))"),
    ]

    /// How many lines of a log are timed.
    public static let defaultTimed = 100_000

    /// The largest number of lines that are timed.
    ///
    /// - Throws: `UsageError` with one line.
    public static func timed(_ arguments: ParsedArguments) throws -> Int {
        guard let text = arguments["--timed"] else { return defaultTimed }
        if text == "all" { return .max }
        guard let count = Int(text), count > 0 else {
            throw UsageError("--timed is a number of lines above 0 or 'all', not '\(text)'")
        }
        return count
    }

    /// How fast it is played.
    public static let pace = [
        OptionDescription("--speed", "N|max", "N times the log's own speed, or as fast as possible (default)"),
        OptionDescription("--yes", "play the log also if that takes more than ten minutes"),
    ]

    /// Longer replays, in seconds, need `--yes`.
    public static let longSeconds = 600.0

    /// How many lines a generated log has.
    public static let defaultLines = 20_000

    /// Across processes, over NATS.
    public static let distributed = [
        OptionDescription(
            "--nats", "URL", "aggregate in processes over this NATS server, or cluster (URL,URL); local starts one"),
        OptionDescription("--workers", "N", "with --nats: the number of processes that aggregate (default 2)"),
        OptionDescription(
            "--kill", "N", "with --nats: kill a worker N times on the way, the publisher once, a local server once"),
        OptionDescription(
            "--replicas", "N", "with --nats: how many servers of the cluster store each line (default 1)"),
    ]

    /// The multiple of the log's own speed; nil for as fast as possible.
    ///
    /// - Throws: `UsageError` with one line.
    public static func speed(_ arguments: ParsedArguments) throws -> Double? {
        guard let text = arguments["--speed"], text != "max" else { return nil }
        guard let speed = Double(text), speed > 0, speed.isFinite else {
            throw UsageError("--speed is a number above 0 or 'max', not '\(text)'")
        }
        return speed
    }

    /// Throws if playing a log takes longer than is allowed, or than somebody wants to wait who hasn't asked for it.
    ///
    /// - Parameters:
    ///   - seconds: How long it takes.
    ///   - days: How long it may take.
    ///   - place: What follows the time in the message.
    public static func check(
        _ seconds: Double, at speed: Double, days: Int, _ place: String, _ arguments: ParsedArguments
    ) throws {
        let speed = Figures.number(speed)
        guard seconds <= Double(days) * 86_400 else {
            let limit = days == 1 ? "a day" : "\(days) days"
            throw UsageError("--speed \(speed) takes more than \(limit); use a higher speed")
        }
        guard seconds <= longSeconds || arguments.has("--yes") else {
            let duration = Figures.duration(nanoseconds: seconds * 1e9)
            throw UsageError("--speed \(speed) takes \(duration)\(place); use a higher speed, or --yes")
        }
    }

    /// Checks the options of ``log`` against each other, and returns the number of lines of a generated log.
    ///
    /// - Throws: `UsageError` with one line.
    public static func generatedLines(_ arguments: ParsedArguments) throws -> Int? {
        let lines = try arguments.count("--lines", "a number of lines")
        if arguments.has("--log"), lines != nil {
            throw UsageError("--lines is for a generated log and excludes --log")
        }
        if arguments.has("--format"), !arguments.has("--log") { throw UsageError("--format needs --log") }
        return lines
    }
}
