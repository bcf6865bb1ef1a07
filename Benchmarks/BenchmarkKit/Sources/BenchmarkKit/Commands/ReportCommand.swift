/// `report`: writes a run as an HTML page, or in another format.
struct ReportCommand {
    let tool: BenchmarkTool
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let builds = tool.builds
        let input = arguments.words[0]
        var report = try Report(readingFrom: input, builds: builds)
        if let counts = arguments["--counts"] {
            report = try report.withCounts(of: Report(readingFrom: counts, builds: builds))
        }
        guard let format = arguments["--format"].flatMap(OutputFormat.init) else {
            let base = input.hasSuffix(".json") ? String(input.dropLast(5)) : input
            let output = arguments["--output"] ?? base + ".html"
            let before = try arguments["--before"].map { try Report(readingFrom: $0, builds: builds) }
            let comparison = try before.map { try Comparison(from: $0, to: report) }
            try TextFile.write(try HTMLReport.text(of: report, comparison: comparison), to: output)
            print("wrote \(output)")
            return 0
        }
        if arguments.has("--before") { throw UsageError("--before is for HTML; compare has the other formats") }
        let terminal = arguments.has("--output") ? Terminal() : Terminal(arguments)
        let text = try ReportText.text(
            of: report, as: format, on: terminal, isDetailed: arguments.has("--details") ? true : nil)
        if let output = arguments["--output"] { try TextFile.write(text + "\n", to: output) } else { print(text) }
        return 0
    }
}
