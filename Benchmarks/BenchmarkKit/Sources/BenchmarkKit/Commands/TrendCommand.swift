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
        let terminal = Terminal(arguments)
        let table = Self.table(of: runs, main: tool.builds.main.rawValue)
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

    /// A row for each scenario, a column for each run: multiples of direct, or times, with their unit, if a run has no direct.
    static func table(of runs: [(name: String, report: Report)], main: String) -> Table {
        var seen: [String: Int] = [:]
        let names = runs.map { run in
            seen[run.name, default: 0] += 1
            return seen[run.name] == 1 ? run.name : "\(run.name) (\(seen[run.name] ?? 0))"
        }
        var table = Table(["scenario"] + names + ["last/first"])
        var scenarios: [String] = []
        for name in runs.flatMap(\.report.scenarios).map(\.name) where !scenarios.contains(name) {
            scenarios.append(name)
        }
        for name in scenarios {
            let scenarios = runs.map { run in run.report.scenarios.first { $0.name == name } }
            let isCounted = runs.contains { $0.report.isCounted }
            let unit = scenarios.compactMap(\.self).first { $0.ratios["\(main)/direct"] == nil }?.unit
            let figures = scenarios.map { scenario -> Double? in
                if isCounted { return scenario?.builds[main]?.instructionsPerEvent }
                return unit == nil ? scenario?.ratios["\(main)/direct"]?.median : scenario?.builds[main]?.median
            }
            let label = isCounted ? name : unit.map { "\(name), \($0)" } ?? name
            let known = figures.compactMap(\.self)
            var change = "–"
            if known.count > 1, let first = known.first, let last = known.last, first > 0 {
                change = "\(Figures.number(last / first))×"
            }
            table.add([label] + figures.map { $0.map(Figures.number) ?? "–" } + [change])
        }
        return table
    }
}
