import BenchmarkKit

/// What the command line asks for.
enum Command: Equatable {
    case help
    case list
    case suite(SuiteOptions)
    case replay(ReplayOptions)
}

/// What both commands that measure take.
struct RunOptions: Equatable {
    /// The executable of the naive build.
    var naive: String?
    var samples: Int?
    var isQuick = false
    var json: String?
}

struct SuiteOptions: Equatable {
    var run = RunOptions()
    /// Beginnings of names; nil for all scenarios.
    var prefixes: [String]?
}

struct ReplayOptions: Equatable {
    var run = RunOptions()
    var log: String?
    var lines: Int?
    /// How many times the log's own speed; nil for as fast as it goes.
    var speed: Double?
}

extension Command {
    static let usage = """
        usage: Benchmarks/run [options]
               Benchmarks/run replay [--log FILE] [--speed N|max] [options]

        Measures scenarios on three sides in turn: direct (no library), lockfree (Corinth), naive (Corinth built
        with its trait NaiveLocks), and prints the comparison.

          --filter PREFIX[,PREFIX…]  only scenarios whose names begin so
          --quick                    fewer samples: under 90 s in all
          --samples N                how often each side is measured (default 40; quick 10)
          --json FILE                write the figures to FILE, too
          --list                     list the scenarios and leave
          --help                     print this and leave

        replay sends an Apache access log (combined format) through a graph, in both builds, and prints what the
        log says, throughput and latency.

          --log FILE                 the log; without, one is made
          --speed N|max              N times the log's own speed, or as fast as it goes (default)
          --lines N                  how many lines a made log has (default 20000)

        Exit status: 0; 1 if a scenario's check failed; 2 if the arguments or the input are no good.
        """

    private static let runOptions = ["--naive", "--samples", "--quick", "--json"]

    /// Reads the arguments after the program's name.
    static func parse(_ arguments: [String]) throws -> Command {
        if arguments.first == "replay" { return try parseReplay(Array(arguments.dropFirst())) }
        var options = SuiteOptions()
        var leaving: Command?
        var reader = ArgumentReader(arguments, known: runOptions + ["--filter", "--list", "--help", "-h"])
        while let item = try reader.next() {
            switch item {
            case .option("--help"), .option("-h"): leaving = .help
            case .option("--list"): leaving = leaving ?? .list
            case .option("--filter"):
                let value = try reader.value(of: "--filter", "the beginning of a name; see --list")
                let prefixes = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                options.prefixes = (options.prefixes ?? []) + prefixes
            case .option(let name): try parse(name, &reader, into: &options.run)
            case .word(let word):
                let near = NearMiss.suggestions(for: word, among: ["replay"])
                throw UsageError("unknown command '\(word)'; \(near.isEmpty ? "see --help" : "replay?")")
            }
        }
        return leaving ?? .suite(options)
    }

    private static func parseReplay(_ arguments: [String]) throws -> Command {
        var options = ReplayOptions()
        var leaving: Command?
        let known = runOptions + ["--log", "--speed", "--lines", "--help", "-h"]
        var reader = ArgumentReader(arguments, known: known)
        while let item = try reader.next() {
            switch item {
            case .option("--help"), .option("-h"): leaving = .help
            case .option("--log"): options.log = try reader.value(of: "--log", "the name of a file")
            case .option("--lines"): options.lines = try reader.count(of: "--lines", "a number of lines")
            case .option("--speed"):
                options.speed = try speed(try reader.value(of: "--speed", "a number or 'max'"))
            case .option(let name): try parse(name, &reader, into: &options.run)
            case .word(let word): throw UsageError("replay doesn't take '\(word)'; the log is given by --log")
            }
        }
        if options.log != nil, options.lines != nil {
            throw UsageError("--lines is for a log that is made; it doesn't go with --log")
        }
        if options.speed != nil, options.run.samples != nil {
            throw UsageError("--samples doesn't go with --speed N: the log is played once by each build")
        }
        return leaving ?? .replay(options)
    }

    private static func parse(
        _ name: String,
        _ reader: inout ArgumentReader,
        into options: inout RunOptions
    ) throws {
        switch name {
        case "--quick": options.isQuick = true
        case "--samples":
            let least = Statistics.fewestPairs
            options.samples = try reader.count(of: name, "a number of samples", least: least)
        case "--json": options.json = try reader.value(of: name, "the name of a file")
        default: options.naive = try reader.value(of: name, "the naive build's executable")
        }
    }

    private static func speed(_ text: String) throws -> Double? {
        if text == "max" { return nil }
        guard let speed = Double(text), speed > 0, speed.isFinite else {
            throw UsageError("--speed is a number above 0 or 'max', not '\(text)'")
        }
        return speed
    }
}
