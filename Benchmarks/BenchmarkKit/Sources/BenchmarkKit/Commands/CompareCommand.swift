import Foundation

/// `compare`: shows the changes from one file to another.
struct CompareCommand {
    let tool: BenchmarkTool
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let before = try Report(readingFrom: arguments.words[0], builds: tool.builds)
        let after = try Report(readingFrom: arguments.words[1], builds: tool.builds)
        return try Self.show(before, after, arguments, tool, threshold: Self.threshold(arguments))
    }

    /// Prints the comparison in the requested format, and returns the exit status. What a filter leaves out isn't expected.
    static func show(
        _ before: Report,
        _ after: Report,
        _ arguments: ParsedArguments,
        _ tool: BenchmarkTool,
        threshold: Comparison.Threshold
    ) throws -> Int32 {
        let isExpected = try Catalogue.selection(arguments, among: Report.names(of: [before, after], withFailed: true))
        var comparison = try Comparison(
            from: before.selecting(isExpected), to: after.selecting(isExpected), threshold: threshold)
        comparison.allowsMissing = arguments.has("--allow-missing")
        let format = arguments["--format"].flatMap(OutputFormat.init) ?? .table
        print(try text(of: comparison, as: format, tool, Terminal(arguments)))
        return comparison.status(requiringConclusions: arguments.has("--require-conclusive"))
    }

    /// The value of `--threshold`.
    static func threshold(_ arguments: ParsedArguments) throws -> Comparison.Threshold {
        var threshold = Comparison.Threshold()
        for part in arguments.all("--threshold").flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) })
        {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false)
            guard sides.count <= 2, let percent = Double(sides.last ?? ""), percent > 0, percent.isFinite else {
                throw UsageError("--threshold is a percentage, a number above 0, also as PREFIX=PERCENT; not '\(part)'")
            }
            if sides.count == 2 {
                threshold.byPrefix.append((prefix: String(sides[0]), share: percent / 100))
            } else {
                threshold.usual = percent / 100
            }
        }
        return threshold
    }

    private static func text(
        of comparison: Comparison,
        as format: OutputFormat,
        _ tool: BenchmarkTool,
        _ terminal: Terminal
    ) throws -> String {
        let summary = ComparisonText.summary(of: comparison, program: tool.program)
        switch format {
        case .table: return ComparisonText.text(of: comparison, program: tool.program, on: terminal)
        case .markdown: return ComparisonText.table(of: comparison).markdown() + "\n\n" + summary
        case .csv: return ComparisonText.table(of: comparison, isFull: true).csv()
        case .json, .compact, .jmh:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(comparison.rows), as: UTF8.self)
        }
    }
}
