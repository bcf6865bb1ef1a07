import Foundation

/// `table`: makes one table of several runs.
struct TableCommand {
    let tool: BenchmarkTool
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let format = arguments["--format"] ?? "markdown"
        let document = arguments["--into"]
        if document != nil, arguments.has("--output") || format != "markdown" {
            throw UsageError("--into writes Markdown into a document; it excludes --output and other formats")
        }
        let text = try text(format)
        if let document {
            let before = try Self.content(of: document)
            let after = try Self.replacing(text, in: before, document)
            if after != before { try TextFile.write(after, to: document) }
            print(after == before ? "\(document) is as before" : "wrote \(document)")
        } else if let output = arguments["--output"] {
            try TextFile.write(text + "\n", to: output)
        } else {
            print(text)
        }
        return 0
    }

    /// The table and the notes below it.
    func text(_ format: String) throws -> String {
        let runs = try arguments.words.map { try Report(readingFrom: $0, builds: tool.builds) }
        let counts = try arguments["--counts"].map { try Report(readingFrom: $0, builds: tool.builds) }
        let results = try ResultsTable(runs, counts: counts)
        let rows = try arguments["--rows"].map { try Self.rows($0, tool.builds.all.count) }
        let table = try results.table(rows, isMarkdown: format == "markdown")
        let notes = "\n\n" + results.notes.joined(separator: "\n")
        return switch format {
        case "csv": table.csv()
        case "table": table.text(Terminal(arguments)) + notes
        default: table.markdown() + notes
        }
    }

    /// The lines of a document between which the table is written.
    static let marks = (begin: "<!-- table: begin -->", end: "<!-- table: end -->")

    /// `document` with `text` between the marks.
    static func replacing(_ text: String, in document: String, _ name: String) throws -> String {
        guard let begin = document.range(of: marks.begin + "\n"),
            let end = document.range(of: marks.end + "\n", range: begin.upperBound..<document.endIndex)
        else {
            throw UsageError("'\(name)' has no lines '\(marks.begin)' and '\(marks.end)'")
        }
        return document[..<begin.upperBound] + text + "\n" + document[end.lowerBound...]
    }

    private static func content(of path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else { throw UsageError("can't read '\(path)'") }
        return String(decoding: data, as: UTF8.self)
    }

    private static func rows(_ path: String, _ builds: Int) throws -> ResultsTable.Rows {
        try ResultsTable.Rows(content(of: path), builds: builds)
    }
}
