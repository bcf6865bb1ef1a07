/// `run`: measures the catalogue or a part of it.
struct RunCommand {
    let tool: BenchmarkTool
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let entries = try tool.entries(arguments)
        if arguments.has("--require-conclusive"), !arguments.has("--against") {
            throw UsageError("--require-conclusive needs --against, compare or baseline check")
        }
        if arguments.has("--list") { return try tool.list(arguments) }
        let measurement = try Measurement.requested(entries, arguments, tool)
        let format = arguments["--format"].flatMap(OutputFormat.init) ?? .table
        if !measurement.report.scenarios.isEmpty { print(try ReportText.text(of: measurement.report, as: format)) }
        let status = try measurement.finish(arguments)
        guard arguments.has("--against") else { return status }
        let compared = try against(measurement.report, format)
        return status == 0 ? compared : status
    }

    /// Prints the changes, and returns the exit status.
    private func against(_ report: Report, _ format: OutputFormat) throws -> Int32 {
        let comparison = Comparison(within: report, threshold: try CompareCommand.threshold(arguments))
        let table = ComparisonText.table(of: comparison)
        let summary = ComparisonText.summary(of: comparison, program: tool.program, against: arguments["--against"])
        switch format {
        case .table: print("\nAgainst \(arguments["--against"] ?? ""):\n\(table.text())\n\n\(summary)")
        case .markdown: print("\n## Against another build\n\n\(table.markdown())\n\n\(summary)")
        // The report contains the figures.
        case .csv, .json: break
        }
        return comparison.status(requiringConclusions: arguments.has("--require-conclusive"))
    }
}
