/// `run`: measures the catalogue or a part of it.
struct RunCommand {
    let tool: BenchmarkTool
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let entries = try tool.entriesToRun(arguments)
        for option in ["--require-conclusive", "--threshold"] where arguments.has(option) && !arguments.has("--against")
        {
            throw UsageError("\(option) needs --against, compare or baseline check")
        }
        // A wrong one fails before the measurement and not after it.
        let threshold = try CompareCommand.threshold(arguments)
        if arguments.has("--list") { return try tool.list(arguments) }
        let measurement = try Measurement.requested(entries, arguments, tool)
        let format = arguments["--format"].flatMap(OutputFormat.init) ?? .table
        // Files first: what is on the screen can be lost.
        let status = try measurement.finish(arguments)
        let isDetailed = arguments.has("--details") ? true : arguments.has("--against") ? false : nil
        // In a table, the lines about failures are enough.
        if !measurement.report.scenarios.isEmpty || format != .table && !measurement.failures.isEmpty {
            let output = arguments["--output"]
            let text = try ReportText.text(
                of: measurement.report, as: format, on: output == nil ? Terminal(arguments) : Terminal(),
                isDetailed: isDetailed)
            if let output { try TextFile.write(text + "\n", to: output) } else { print(text) }
        }
        guard arguments.has("--against") else { return status }
        let compared = against(measurement.report, format, threshold)
        return status == 0 ? compared : status
    }

    /// Prints the changes, and returns the exit status.
    private func against(_ report: Report, _ format: OutputFormat, _ threshold: Comparison.Threshold) -> Int32 {
        let comparison = Comparison(within: report, threshold: threshold)
        let other = arguments["--against"] ?? ""
        switch format {
        case .table:
            let text = ComparisonText.text(
                of: comparison, program: tool.program, against: other, on: Terminal(arguments))
            print("\nAgainst \(other):\n\(text)")
        case .markdown:
            let summary = ComparisonText.summary(of: comparison, program: tool.program, against: other)
            print("\n## Against another build\n\n\(ComparisonText.table(of: comparison).markdown())\n\n\(summary)")
        // The report contains the figures.
        case .csv, .json, .compact, .jmh: break
        }
        return comparison.status(requiringConclusions: arguments.has("--require-conclusive"))
    }
}
