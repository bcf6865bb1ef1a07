import Foundation

/// `compare`: shows the changes from one file to another.
struct CompareCommand {
    let builds: BuildNames
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let before = try Report(readingFrom: arguments.words[0], builds: builds)
        let after = try Report(readingFrom: arguments.words[1], builds: builds)
        return try Self.show(before, after, arguments)
    }

    /// Prints the comparison in the requested format. The status is 1 if there is a regression.
    static func show(_ before: Report, _ after: Report, _ arguments: ParsedArguments) throws -> Int32 {
        let percent = try arguments.number("--threshold", "a percentage")
        let comparison = try Comparison(from: before, to: after, threshold: percent.map { $0 / 100 })
        let format = arguments["--format"].flatMap(OutputFormat.init) ?? .table
        print(try text(of: comparison, as: format))
        return comparison.regressions.isEmpty ? 0 : 1
    }

    private static func text(of comparison: Comparison, as format: OutputFormat) throws -> String {
        let table = ComparisonText.table(of: comparison)
        let summary = ComparisonText.summary(of: comparison)
        switch format {
        case .table: return table.text() + "\n\n" + summary
        case .markdown: return table.markdown() + "\n\n" + summary
        case .csv: return table.csv()
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(comparison.rows), as: UTF8.self)
        }
    }
}
