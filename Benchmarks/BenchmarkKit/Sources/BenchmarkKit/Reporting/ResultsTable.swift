/// The figures of several runs, perhaps of several days and machines, in one table: medians, and the ranges of the ratios.
struct ResultsTable {
    /// The names and the titles of a table for readers: tabs separate the parts of a line.
    ///
    /// The first line has the titles: `scenario`, that of the first column, and those of the builds. The others have the names
    /// of scenarios and what an event of each is, in the order of the table.
    struct Rows {
        var titles: [String]
        var scenarios: [(name: String, description: String)]

        init(_ text: String, builds: Int) throws {
            var lines = text.split(whereSeparator: \.isNewline).map { line in
                line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
            guard let first = lines.first, first.first == "scenario", first.count == builds + 2 else {
                throw UsageError(
                    "the first line of --rows has scenario, a title, and a title for each build, with tabs")
            }
            titles = Array(first.dropFirst())
            lines.removeFirst()
            if let wrong = lines.first(where: { $0.count != 2 }) {
                throw UsageError(
                    "a line of --rows has a name, a tab and a description, not '\(wrong.joined(separator: " "))'")
            }
            scenarios = lines.map { ($0[0], $0[1]) }
        }
    }

    private let runs: [Report]
    private let counts: Report?
    private let builds: BuildNames

    /// - Parameters:
    ///   - runs: Timed runs, at least one.
    ///   - counts: A run of `--mode counts`.
    /// - Throws: ``UsageError`` if a table of them would mislead: the machine's speed changed during one, or they are counts.
    init(_ runs: [Report], counts: Report?) throws {
        if runs.contains(where: \.isCounted) {
            throw UsageError("table takes timed runs; --counts takes a file of --mode counts")
        }
        try Report.checkDistinct(runs)
        for run in runs {
            guard let warning = run.calibration?.warning else { continue }
            throw UsageError("the run of \(run.date ?? "no date") has no place in a table: \(warning)")
        }
        // Fails if the toolchains differ: counts belong to one.
        if let counts { for run in runs { _ = try run.withCounts(of: counts) } }
        self.runs = runs
        self.counts = counts
        builds = runs[0].builds
    }

    /// The table. Times are medians of the runs, or two if the passes of most runs have two. A ratio is the median of the runs, with
    /// an interval that contains the intervals of all.
    ///
    /// - Parameters:
    ///   - rows: The rows; nil for all scenarios.
    ///   - isMarkdown: Whether the main build's times are bold and names are code.
    func table(_ rows: Rows?, isMarkdown: Bool) throws -> Table {
        let first = rows?.titles ?? ["scenario"] + builds.all.map(\.rawValue)
        // A title may be emphasised.
        let names = first.dropFirst().map { $0.replacing("*", with: "") }
        let ratios = builds.ratios.reversed().map { ratio in
            [ratio.above, ratio.below].compactMap { build in builds.all.firstIndex(of: build).map { names[$0] } }
                .joined(separator: " / ")
        }
        let titles = first + ["runs"] + ratios + ["instructions", "locked", "allocations"]
        var table = Table(titles)
        let known = Report.names(of: runs)
        for row in rows?.scenarios ?? known.map({ ($0, "") }) {
            guard known.contains(row.name) else { throw UsageError("no run has the scenario '\(row.name)'") }
            table.add(cells(row.name, row.description, isMarkdown: isMarkdown))
        }
        // Without a second build or without counts, a column has no figures. A number that is the same everywhere is below.
        return table.without(columnsOf: ["–"]).table.without(columnsOf: ["\(runs.count)"]).table
    }

    private func cells(_ name: String, _ description: String, isMarkdown: Bool) -> [String] {
        let scenarios = runs.compactMap { run in run.scenarios.first { $0.name == name } }
        func code(_ text: String) -> String { isMarkdown ? "`\(text)`" : text }
        let times = builds.all.map { build in
            let modes = Modes.of(scenarios.compactMap { $0.builds[build.rawValue].map { ($0.median, $0.passMedians) } })
            let text = modes.isEmpty ? "–" : modes.map(Figures.number).joined(separator: " or ")
            return isMarkdown && build == builds.main && !modes.isEmpty ? "**\(text)**" : text
        }
        let ratios = builds.ratios.reversed().map { ratio in
            Figures.ratio(RatioEstimate(medianOf: scenarios.compactMap { $0.ratios[ratio.name] }))
        }
        let main = builds.main.rawValue
        let counted = counts?.scenarios.first { $0.name == name }?.builds[main]
        let allocations =
            counted?.allocationsPerEvent
            ?? Statistics.median(scenarios.compactMap { $0.builds[main]?.allocationsPerEvent })
        let perEvent = [counted?.instructionsPerEvent, counted?.lockedInstructionsPerEvent, allocations]
        let label = description.isEmpty ? code(name) : "\(description) (\(code(name)))"
        return [label] + times + ["\(scenarios.count)"] + ratios
            + perEvent.map { $0.map { Figures.perEvent($0) } ?? "–" }
    }

    /// What the figures are, and a line for each run: when and where.
    var notes: [String] {
        let count = "\(runs.count) run\(runs.count == 1 ? "" : "s")"
        let what =
            "Medians of \(count); two times if its passes have two. In brackets the interval of a ratio, over all runs; same: it lies "
            + "within 10 %; ?: inconclusive."
        return [what] + runs.map { "* " + Self.place($0) }
    }

    private static func place(_ run: Report) -> String {
        let host = run.host
        let facts: [String?] = [
            run.date.map { String($0.prefix(10)) }, host.cpu, "\(host.cores) cores",
            host.hypervisor.map { "virtual (\($0))" }, host.kernel.map { "kernel \($0)" },
        ]
        let load = host.load.map { "load \(Figures.number($0))" }
        return (facts.compactMap(\.self) + host.versions + [load].compactMap(\.self)).joined(separator: ", ")
    }
}

extension BuildReport {
    /// The medians of the passes.
    fileprivate var passMedians: [Double] { (passes ?? []).compactMap(Statistics.median) }
}
