public import BenchmarkKit

/// The options of `replay`.
public enum ReplayOptions {
    /// Which log is read.
    public static let log = [
        OptionDescription(
            "--log", "FILE", "the log; - is standard input; may be compressed by gzip (default: a generated log)",
            completion: .file),
        OptionDescription("--format", "FORMAT", "combined, common, or a format string (default: what the lines have)"),
        OptionDescription("--lines", "N", "the number of lines of a generated log (default \(defaultLines))"),
    ]

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
