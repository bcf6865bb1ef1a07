import Foundation

/// `trend`: shows the figures of several runs side by side.
struct TrendCommand {
    let tool: BenchmarkTool
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let files = arguments.words.isEmpty ? baselines() : arguments.words
        guard files.count > 1 else { throw UsageError("trend needs at least two runs") }
        let runs = try files.map { file in
            let report = try Report(readingFrom: file, builds: tool.builds)
            return (name: URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent, report: report)
        }
        guard Set(runs.map(\.report.isCounted)).count == 1 else {
            throw UsageError("some files have times and others counts; they have no common trend")
        }
        if let page = arguments["--html"] {
            try TextFile.write(TrendPage.text(of: Self.named(runs), tool.builds), to: page)
        }
        let terminal = Terminal(arguments)
        let table = Self.table(of: runs, main: tool.builds.main)
        switch arguments["--format"] {
        case "csv": print(table.csv())
        case "markdown": print(table.markdown())
        default:
            // The oldest runs are left out first, but the first one.
            let expendable = Array(table.titles.dropFirst(2).dropLast(2))
            let (fitted, removed) = table.fitted(to: terminal.width, expendable: expendable)
            print(fitted.text(terminal))
            if !removed.isEmpty {
                print("\n" + terminal.wrapped("Too wide to show: \(removed.joined(separator: ", "))."))
            }
            print("\n" + terminal.wrapped(Self.legend(of: runs.map(\.report), tool.builds)))
        }
        return 0
    }

    /// The saved runs, the oldest first.
    private func baselines() -> [String] {
        let folder = BaselineCommand.directory(tool, arguments)
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
        let dated = (files ?? []).filter { $0.pathExtension == "json" }.map { file in
            let date = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            return (file.path, date ?? .distantPast)
        }
        return dated.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
    }

    private static func legend(of runs: [Report], _ builds: BuildNames) -> String {
        let ratio = "last/first is the ratio of the last run to the first one."
        if runs[0].isCounted { return "Instructions per event of \(builds.main); \(ratio)" }
        let relative = runs.flatMap(\.scenarios).filter { $0.ratios["\(builds.main)/direct"] != nil }
        let isAbsolute = relative.count < runs.flatMap(\.scenarios).count
        let what =
            relative.isEmpty
            ? "Times of \(builds.main)"
            : "Multiples of direct of \(builds.main)\(isAbsolute ? ", and times where a unit is named" : "")"
        return "\(what); \(ratio) Two runs of one build differ, too: compare has intervals."
    }

    typealias Run = (name: String, report: Report)

    /// The runs with names that are different.
    static func named(_ runs: [Run]) -> [Run] {
        var seen: [String: Int] = [:]
        return runs.map { run in
            seen[run.name, default: 0] += 1
            return seen[run.name] == 1 ? run : ("\(run.name) (\(seen[run.name] ?? 0))", run.report)
        }
    }

    /// A scenario in several runs.
    struct Row {
        /// The name, and the unit of a time.
        var label: String
        /// For each run, the multiple of `direct`, or the time if a run has no `direct`, with the interval; or the instructions of a
        /// counted run.
        var figures: [RatioEstimate?]
        var scenarios: [ScenarioReport?]

        init(_ name: String, in runs: [Run], main: Build) {
            let ratio = "\(main)/direct"
            scenarios = runs.map { run in run.report.scenarios.first { $0.name == name } }
            if runs.contains(where: \.report.isCounted) {
                label = name
                figures = scenarios.map { scenario in
                    scenario?.builds[main.rawValue]?.instructionsPerEvent.map {
                        RatioEstimate(median: $0, low: $0, high: $0)
                    }
                }
            } else if let unit = scenarios.compactMap(\.self).first(where: { $0.ratios[ratio] == nil })?.unit {
                label = "\(name), \(unit)"
                figures = scenarios.map { scenario in
                    guard let median = scenario?.builds[main.rawValue]?.median else { return nil }
                    return scenario?.interval(of: main.rawValue)
                        ?? RatioEstimate(median: median, low: median, high: median)
                }
            } else {
                label = name
                figures = scenarios.map { $0?.ratios[ratio] }
            }
        }
    }

    /// A row for each scenario, a column for each run.
    static func table(of runs: [Run], main: Build) -> Table {
        let runs = named(runs)
        var table = Table(["scenario"] + runs.map(\.name) + ["last/first"])
        for name in Report.names(of: runs.map(\.report)) {
            let row = Row(name, in: runs, main: main)
            let known = row.figures.compactMap { $0?.median }
            var change = "–"
            if known.count > 1, let first = known.first, let last = known.last, first > 0 {
                change = "\(Figures.number(last / first))×"
            }
            table.add([row.label] + row.figures.map { $0.map { Figures.number($0.median) } ?? "–" } + [change])
        }
        return table
    }
}
