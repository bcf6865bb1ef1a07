import Foundation

/// `table`: makes one table of several runs.
struct TableCommand {
    let tool: BenchmarkTool
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let runs = try arguments.words.map { try Report(readingFrom: $0, builds: tool.builds) }
        let counts = try arguments["--counts"].map { try Report(readingFrom: $0, builds: tool.builds) }
        let results = try ResultsTable(runs, counts: counts)
        let rows = try arguments["--rows"].map { try Self.rows($0, tool.builds.all.count) }
        let format = arguments["--format"] ?? "markdown"
        let table = try results.table(rows, isMarkdown: format == "markdown")
        let text =
            switch format {
            case "csv": table.csv()
            case "table": table.text(Terminal(arguments)) + "\n\n" + results.notes.joined(separator: "\n")
            default: table.markdown() + "\n\n" + results.notes.joined(separator: "\n")
            }
        if let output = arguments["--output"] { try TextFile.write(text + "\n", to: output) } else { print(text) }
        return 0
    }

    private static func rows(_ path: String, _ builds: Int) throws -> ResultsTable.Rows {
        guard let data = FileManager.default.contents(atPath: path) else { throw UsageError("can't read '\(path)'") }
        return try ResultsTable.Rows(String(decoding: data, as: UTF8.self), builds: builds)
    }
}
