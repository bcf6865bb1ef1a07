/// `run`: measures the catalogue or a part of it.
struct RunCommand {
    let tool: BenchmarkTool
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let entries = try tool.entries(arguments)
        if arguments.has("--list") {
            for entry in entries { print(entry.name) }
            return 0
        }
        let measurement = try Measurement.asAsked(entries, arguments, tool)
        let format = arguments["--format"].flatMap(OutputFormat.init) ?? .table
        if !measurement.report.scenarios.isEmpty { print(try ReportText.text(of: measurement.report, as: format)) }
        return try measurement.finish(arguments)
    }
}
