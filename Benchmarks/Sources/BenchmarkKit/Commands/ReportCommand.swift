import Foundation

/// `report`: a run as a page, or in another format.
struct ReportCommand {
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let input = arguments.words[0]
        let report = try Report(readingFrom: input)
        guard let format = arguments["--format"].flatMap(OutputFormat.init) else {
            let base = input.hasSuffix(".json") ? String(input.dropLast(5)) : input
            let output = arguments["--output"] ?? base + ".html"
            try write(try HTMLReport.text(of: report), to: output)
            print("wrote \(output)")
            return 0
        }
        let text = try ReportText.text(of: report, as: format)
        if let output = arguments["--output"] { try write(text + "\n", to: output) } else { print(text) }
        return 0
    }

    private func write(_ text: String, to path: String) throws {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw UsageError("can't write '\(path)': \(error.localizedDescription)")
        }
    }
}
