import Foundation

/// `compare`: shows the changes from one file to another.
struct CompareCommand {
    let tool: BenchmarkTool
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let before = try Report(readingFrom: arguments.words[0], builds: tool.builds)
        let after = try Report(readingFrom: arguments.words[1], builds: tool.builds)
        return try Self.show(before, after, arguments, tool)
    }

    /// Prints the comparison in the requested format, and returns the exit status.
    static func show(
        _ before: Report,
        _ after: Report,
        _ arguments: ParsedArguments,
        _ tool: BenchmarkTool
    ) throws -> Int32 {
        let comparison = try Comparison(from: before, to: after, threshold: threshold(arguments))
        let format = arguments["--format"].flatMap(OutputFormat.init) ?? .table
        print(try text(of: comparison, as: format, tool, Terminal(arguments)))
        return comparison.status(requiringConclusions: arguments.has("--require-conclusive"))
    }

    /// The value of `--threshold`: 0.1 is 10 %.
    static func threshold(_ arguments: ParsedArguments) throws -> Double? {
        try arguments.number("--threshold", "a percentage").map { $0 / 100 }
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
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(comparison.rows), as: UTF8.self)
        }
    }
}
