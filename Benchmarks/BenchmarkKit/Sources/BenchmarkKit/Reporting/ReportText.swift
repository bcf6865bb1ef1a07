/// The formats of the output.
public enum OutputFormat: String, CaseIterable, Sendable {
    case table
    case markdown
    case csv
    case json
    /// The same without samples and curves, on one line.
    case compact
    /// The JSON of JMH, which many tools read.
    case jmh
}

/// A report as text, Markdown or CSV.
public enum ReportText {
    /// The report in `format`.
    public static func text(
        of report: Report,
        as format: OutputFormat,
        on terminal: Terminal = Terminal(),
        isDetailed: Bool? = nil
    ) throws -> String {
        switch format {
        case .table: text(of: report, on: terminal, isDetailed: isDetailed)
        case .markdown: markdown(of: report)
        case .csv: csv(of: report)
        case .json: try report.json()
        case .compact: try report.compactJSON()
        case .jmh: try JMHText.text(of: report)
        }
    }

    /// The report for a terminal.
    ///
    /// - Parameter isDetailed: Whether latencies, threads and counters are shown; nil if there are few scenarios.
    public static func text(
        of report: Report,
        on terminal: Terminal = Terminal(),
        isDetailed: Bool? = nil
    ) -> String {
        TerminalReport(report, terminal, isDetailed: isDetailed).text()
    }

    /// All tables in Markdown: times of all scenarios, then latency, threads and counters where they were measured.
    public static func markdown(of report: Report) -> String {
        var parts = ["# Benchmarks", host(report.host)]
        if let command = report.command { parts.append("`\(command)`") }
        for section in sections(of: report) {
            if let title = section.title { parts.append("## \(title.replacing(":", with: ""))") }
            parts.append(section.table.markdown())
            if let note = section.note { parts.append(note) }
        }
        for failure in report.failures ?? [] {
            parts.append("**Failed:** \(failure.scenario), \(failure.build): \(failure.message)")
        }
        for warning in warnings(of: report) { parts.append("**Warning:** \(warning).") }
        return parts.joined(separator: "\n\n")
    }

    /// A line for each build of each scenario, with all figures unrounded. An unavailable figure is empty. What failed has a line
    /// with the reason, and no figures.
    public static func csv(of report: Report) -> String {
        let percentiles = ["50", "90", "99", "99.9", "99.99", "100"]
        let perEvent: [(String, KeyPath<BuildReport, Double?>)] = [
            ("clock_median", \.clockMedian), ("events_per_second", \.eventsPerSecond),
            ("throughput_per_second", \.throughputPerSecond),
            ("allocations_per_event", \.allocationsPerEvent),
            ("bytes_per_event", \.bytesPerEvent),
            ("context_switches_per_event", \.contextSwitchesPerEvent), ("page_faults_per_event", \.pageFaultsPerEvent),
            ("system_calls_per_event", \.systemCallsPerEvent), ("retains_per_event", \.retainsPerEvent),
            ("releases_per_event", \.releasesPerEvent), ("instructions_per_event", \.instructionsPerEvent),
            ("locked_instructions_per_event", \.lockedInstructionsPerEvent),
            ("cycles_per_event", \.cyclesPerEvent), ("cache_misses_per_event", \.cacheMissesPerEvent),
        ]
        var table = Table(
            ["scenario", "build", "unit", "median", "min", "max", "samples", "outliers"] + perEvent.map(\.0)
                + percentiles.map { "p\($0)_ns" } + ["failure"])
        forEachBuild(report) { scenario, build, figures in
            let counted = perEvent.map { name, path in figures[keyPath: path].map { "\($0)" } ?? "" }
            let latencies = percentiles.map { name in figures.percentiles?[name].map { "\($0)" } ?? "" }
            table.add(
                [
                    scenario.name, build, scenario.unit, "\(figures.median)", "\(figures.min)", "\(figures.max)",
                    "\(figures.samples)", figures.outliers.map { "\($0)" } ?? "",
                ] + counted + latencies + [""])
        }
        for failure in report.failures ?? [] {
            let empty = Array(repeating: "", count: table.titles.count - 3)
            table.add([failure.scenario, failure.build] + empty + [failure.message])
        }
        return table.csv()
    }

    /// What makes figures unreliable.
    ///
    /// - Parameter mark: Stands beside the names of disturbed scenarios, which the warning then doesn't repeat.
    static func warnings(of report: Report, mark: String? = nil) -> [String] {
        let marked = report.scenarios.filter { $0.machine?.isMarked == true }
        let names = marked.map { "\($0.name) (\($0.machine?.disturbed ?? 0) of \($0.machine?.rounds ?? 0))" }
        let reasons = Set(marked.flatMap { $0.machine?.reasons ?? [] }).sorted().joined(separator: ", ")
        let places = mark.map { "scenarios marked with \($0)" } ?? names.joined(separator: ", ")
        let disturbed = names.isEmpty ? [] : ["the machine disturbed rounds (\(reasons)) of \(places)"]
        let incomplete = report.incomplete.map { "the run ended after \($0)" }
        let advice = hasRatios(report) ? "compare ratios, not times" : "--against compares builds whatever the speed"
        let drift = report.calibration?.warning.map { "\($0); \(advice)" }
        return [incomplete, drift].compactMap(\.self) + disturbed + folded(report)
    }

    /// Whether a scenario has a ratio of two sides that reports show.
    private static func hasRatios(_ report: Report) -> Bool {
        report.scenarios.contains { scenario in report.builds.ratios.contains { scenario.ratios[$0.name] != nil } }
    }

    /// A warning about sides that take less time than a processor needs for one instruction each.
    private static func folded(_ report: Report) -> [String] {
        guard !report.isCounted else { return [] }
        return [Build.direct, report.builds.main].compactMap { build in
            let names = report.scenarios.filter { scenario in
                guard let figures = scenario.builds[build.rawValue], scenario.unit.hasPrefix("ns/") else {
                    return false
                }
                return figures.median > 0 && figures.median < fastest
            }.map(\.name)
            guard !names.isEmpty else { return nil }
            return
                "\(build) takes less than \(Figures.number(fastest)) ns in \(names.joined(separator: ", ")): the compiler "
                + "may have folded the work away; hide values from it with opaque()"
        }
    }

    /// Less than this for an event, in nanoseconds, is hardly work: three instructions at 5 GHz and four per cycle.
    private static let fastest = 0.15

    struct Section {
        var title: String?
        var table: Table
        var note: String?
    }

    static func sections(of report: Report) -> [Section] {
        if report.isCounted {
            return [
                Section(table: counts(report).without(columnsOf: ["–"]).table, note: countsLegend),
                Section(title: "Per event:", table: countedResources(report), note: referencesLegend),
            ]
        }
        // Without a second build, without direct and without jemalloc, columns have no figures.
        let (figures, missing) = times(report).without(columnsOf: ["–"]).table.without(columnsOf: ["unavailable"])
        let notes = [legend(of: report), missing.isEmpty ? nil : allocationsNotCounted]
        var sections = [Section(table: figures, note: notes.compactMap(\.self).joined(separator: " "))]
        let more = [
            ("Latency, all samples together:", latencies(report)),
            ("Threads, per event:", threads(report)),
            ("Per event:", resources(report)),
        ]
        for (title, table) in more {
            guard let table else { continue }
            let counts = title.hasPrefix("Threads") ? ownCounts(report) : []
            let note = counts.isEmpty ? nil : counts.map { "* \($0)" }.joined(separator: "\n")
            sections.append(Section(title: title, table: table, note: note))
        }
        return sections
    }

    static let countsLegend =
        "Instructions, counted and not timed: the same on every machine with this toolchain. Scenarios with threads are "
        + "left out: the kernel schedules threads, so their counts don't repeat."

    static let referencesLegend =
        "Retains and releases are calls of Swift's runtime that retain and release strong references."

    static func legend(of report: Report) -> String {
        let figures = report.scenarios.flatMap(\.builds.values)
        let pairs = figures.map(\.samples).max() ?? 0
        let passes = figures.compactMap(\.passes?.count).max()
        let hasRatios = hasRatios(report)
        var legend = hasRatios ? "Medians." : "Medians of \(pairs) samples."
        if hasRatios {
            legend += " Ratios: \(pairs) pairs in turn, 95 % intervals; same: within 10 %; ?: inconclusive."
        }
        if report.scenarios.contains(where: { $0.interval(of: report.builds.main.rawValue) != nil }) {
            legend += " 95 %: the interval of \(report.builds.main) in this run; another run may have another machine."
        }
        if passes == 1 { legend += " One pass: what processes differ by is assumed." }
        return legend
    }

    static func host(_ host: Host) -> String {
        (["\(host.cpu), \(host.cores) cores"] + host.versions).joined(separator: ", ")
    }

    static let allocationsNotCounted = "Allocations were not counted: that needs libjemalloc.so.2."

    /// The rate of a build; `–` if the scenario has none.
    static func rate(_ scenario: ScenarioReport, _ build: String) -> String {
        guard let throughput = scenario.throughput, let rate = scenario.builds[build]?.throughputPerSecond else {
            return "–"
        }
        return throughput.text(perSecond: rate)
    }

    /// The times of all scenarios, their rates, ratios and allocations.
    static func times(_ report: Report) -> Table {
        let main = report.builds.main.rawValue
        let builds = report.builds.all.map(\.rawValue)
        let ratios = report.builds.ratios.map(\.name)
        let scenarios = report.scenarios
        // Without counters, the columns would say "unavailable" everywhere.
        let hasInstructions = scenarios.contains { $0.builds.values.contains { $0.instructionsPerEvent != nil } }
        let titles =
            ["scenario", "unit"] + builds + ["95 %", "throughput"] + ratios
            + builds.dropFirst().map { "alloc \($0)" }
            + (hasInstructions ? builds.map { "instr \($0)" } : [])
        var table = Table(titles, alignments: titles.indices.map { $0 < 2 ? .left : .right })
        for scenario in scenarios {
            func median(_ build: String) -> String {
                scenario.builds[build].map { Figures.number($0.median) } ?? "–"
            }
            let instructions = builds.map { perEvent(scenario, $0, \.instructionsPerEvent) }
            let allocations = builds.dropFirst().map { perEvent(scenario, $0, \.allocationsPerEvent) }
            table.add(
                [scenario.name, scenario.unit] + builds.map(median)
                    + [Figures.interval(scenario.interval(of: main)), rate(scenario, main)]
                    + ratios.map { Figures.ratio(scenario.ratios[$0]) } + allocations
                    + (hasInstructions ? instructions : []))
        }
        return table
    }

    private static func perEvent(
        _ scenario: ScenarioReport,
        _ build: String,
        _ path: KeyPath<BuildReport, Double?>
    ) -> String {
        guard let figures = scenario.builds[build] else { return "–" }
        return Figures.perEvent(figures[keyPath: path])
    }

    /// The instructions that `--mode counts` counted.
    static func counts(_ report: Report) -> Table {
        let builds = report.builds.all.map(\.rawValue)
        let ratios = report.builds.ratios.map(\.name)
        var table = Table(
            ["scenario", "unit"] + builds + ratios,
            alignments: [.left, .left] + Array(repeating: .right, count: 5))
        for scenario in report.scenarios {
            let figures = ratios.map { name in
                scenario.ratios[name].map { "\(Figures.number($0.median))×" } ?? "–"
            }
            table.add(
                [scenario.name, scenario.unit]
                    + builds.map { perEvent(scenario, $0, \.instructionsPerEvent) } + figures)
        }
        return table
    }

    /// The other counts of `--mode counts`, a line for each build of the library.
    static func countedResources(_ report: Report) -> Table {
        var table = Table(
            ["scenario", "build", "locked", "allocations", "bytes", "retains", "releases", "system calls"],
            alignments: [.left, .left] + Array(repeating: .right, count: 6))
        forEachBuild(report) { scenario, build, figures in
            guard build != Build.direct.rawValue else { return }
            let counted = [
                figures.lockedInstructionsPerEvent, figures.allocationsPerEvent, figures.bytesPerEvent,
                figures.retainsPerEvent, figures.releasesPerEvent, figures.systemCallsPerEvent,
            ]
            table.add([scenario.name, build] + counted.map(Figures.perEvent))
        }
        return table
    }

    /// A line for each build of each scenario that measured latency; nil if none did. If the latency is corrected, a second
    /// line has the uncorrected latency.
    static func latencies(_ report: Report, uncorrectedMark: String = ", uncorrected") -> Table? {
        let shown = ["50", "90", "99", "99.9", "99.99", "100"]
        var table = Table(
            ["scenario", "build", "p50", "p90", "p99", "p99.9", "p99.99", "max"],
            alignments: [.left, .left] + Array(repeating: .right, count: 6))
        func add(_ name: String, _ build: String, _ percentiles: [String: UInt64]) {
            let cells = shown.map { percent in
                percentiles[percent].map { Figures.duration(nanoseconds: Double($0)) } ?? "–"
            }
            table.add([name, build] + cells)
        }
        forEachBuild(report) { scenario, build, figures in
            guard let percentiles = figures.percentiles else { return }
            add(scenario.name, build, percentiles)
            guard let uncorrected = figures.uncorrectedPercentiles, uncorrected != percentiles else { return }
            add(scenario.name, build + uncorrectedMark, uncorrected)
        }
        return table.isEmpty ? nil : table
    }

    /// The cost of threads, a line for each build of each threaded scenario; nil if there is none.
    static func threads(_ report: Report) -> Table? {
        var table = Table(
            ["scenario", "build", "events/s", "context switches", "system calls"],
            alignments: [.left, .left, .right, .right, .right])
        forEachBuild(report) { scenario, build, figures in
            guard [figures.contextSwitchesPerEvent, figures.eventsPerSecond].contains(where: { $0 != nil }) else {
                return
            }
            table.add([
                scenario.name, build, figures.eventsPerSecond.map(Figures.number) ?? "–",
                Figures.perEvent(figures.contextSwitchesPerEvent),
                Figures.perEvent(figures.systemCallsPerEvent),
            ])
        }
        return table.isEmpty ? nil : table
    }

    /// What scenarios count themselves: a line for each build.
    static func ownCounts(_ report: Report) -> [String] {
        var lines: [String] = []
        forEachBuild(report) { scenario, build, figures in
            guard let counts = figures.counts, !counts.isEmpty else { return }
            let list = counts.sorted { $0.key < $1.key }.map { "\($0.key): \(Figures.grouped($0.value))" }
            lines.append("\(scenario.name), \(build): \(list.joined(separator: ", "))")
        }
        return lines
    }

    /// The counters of the kernel and the processor for the main build; nil if there are none.
    static func resources(_ report: Report) -> Table? {
        var table = Table([
            "scenario", "clock", "bytes", "system calls", "page faults", "instructions", "cycles", "cache misses",
            "outliers",
        ])
        for scenario in report.scenarios {
            guard let figures = scenario.builds[report.builds.main.rawValue], let outliers = figures.outliers else {
                continue
            }
            table.add([
                scenario.name, figures.clockMedian.map(Figures.number) ?? "–", Figures.perEvent(figures.bytesPerEvent),
                Figures.perEvent(figures.systemCallsPerEvent),
                Figures.perEvent(figures.pageFaultsPerEvent),
                Figures.perEvent(figures.instructionsPerEvent), Figures.perEvent(figures.cyclesPerEvent),
                Figures.perEvent(figures.cacheMissesPerEvent), "\(outliers) of \(figures.samples)",
            ])
        }
        return table.isEmpty ? nil : table
    }

    private static func forEachBuild(
        _ report: Report,
        _ body: (_ scenario: ScenarioReport, _ build: String, BuildReport) -> Void
    ) {
        let builds = (report.builds.all + [.earlier]).map(\.rawValue)
        for scenario in report.scenarios {
            for build in builds {
                if let figures = scenario.builds[build] { body(scenario, build, figures) }
            }
        }
    }
}
