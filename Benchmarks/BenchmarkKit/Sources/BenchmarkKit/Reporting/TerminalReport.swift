/// A run as text for a terminal: what a person wants to know, in the columns that there are. The conclusions come last.
struct TerminalReport {
    let report: Report
    let terminal: Terminal
    /// Whether latencies, threads and counters are shown.
    let isDetailed: Bool

    /// Marks scenarios that the machine disturbed.
    private static let mark = "!"

    /// Up to so many scenarios, all details are shown.
    static let mostDetailed = 10

    init(_ report: Report, _ terminal: Terminal, isDetailed: Bool? = nil) {
        self.report = report
        self.terminal = terminal
        self.isDetailed = isDetailed ?? (report.scenarios.count <= Self.mostDetailed)
    }

    func text() -> String {
        var parts = [terminal.wrapped(ReportText.host(report.host)), table()]
        if report.isCounted { parts.append(counted()) }
        if isDetailed, !report.isCounted { parts += details() }
        parts.append(notes().map { terminal.wrapped($0) }.joined(separator: "\n"))
        let warnings = ReportText.warnings(of: report, mark: Self.mark).map { warning in
            terminal.styled(terminal.wrapped("Warning: \(warning)."), .doubtful)
        }
        parts.append(warnings.joined(separator: "\n"))
        parts.append(conclusions().map { terminal.wrapped($0) }.joined(separator: "\n"))
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private var main: String { report.builds.main.rawValue }
    private var alternative: String { report.builds.alternative.rawValue }
    private var hasDirect: Bool { report.scenarios.contains { $0.builds[Build.direct.rawValue] != nil } }
    private var hasAlternative: Bool { report.scenarios.contains { $0.builds[alternative] != nil } }

    /// The figures of each scenario. On a narrow terminal, intervals are shortened to `±`, and the least important columns
    /// are left out.
    private func table() -> String {
        let (all, unavailable) = figures(isShort: false).without(columnsOf: ["unavailable"])
        let wide = all.without(columnsOf: ["–", "unavailable"]).table
        let note = missing(unavailable, []).map { "\n\($0)" } ?? ""
        if wide.fits(terminal.width) { return wide.text(terminal) + note }
        let short = figures(isShort: true).without(columnsOf: ["–", "unavailable"]).table
        let expendable = Self.expendable(main, alternative)
        return short.fitted(to: terminal.width, expendable: expendable).table.text(terminal) + note
    }

    private static func expendable(_ main: String, _ alternative: String) -> [String] {
        ["unit", "alloc \(alternative)", "throughput", "direct", "alloc \(main)", alternative, main]
    }

    private func figures(isShort: Bool) -> Table {
        let ratios = report.builds.ratios
        var titles = ["scenario", "unit", "direct", main, "95 %", "throughput", "/direct", alternative, "/\(main)"]
        if !report.isCounted { titles += ["alloc \(main)", "alloc \(alternative)"] }
        var table = Table(titles, alignments: titles.indices.map { $0 < 2 ? .left : .right })
        for scenario in report.scenarios {
            func median(_ build: String) -> String {
                scenario.builds[build].map { figure($0.median, scenario.unit, isShort: isShort) } ?? "–"
            }
            func ratio(_ ratio: BuildNames.Ratio) -> String {
                let ratio = scenario.ratios[ratio.name]
                if report.isCounted { return ratio.map { "\(Figures.number($0.median))×" } ?? "–" }
                return isShort ? Figures.shortRatio(ratio) : Figures.ratio(ratio)
            }
            let isMarked = scenario.machine?.isMarked == true
            let name = scenario.name + (isMarked ? " \(Self.mark)" : "")
            let interval = report.isCounted ? nil : scenario.interval(of: main)
            var cells = [name, scenario.unit, median("direct"), median(main)]
            cells += [isShort ? Figures.shortInterval(interval) : Figures.interval(interval)]
            cells += [ReportText.rate(scenario, main), ratio(ratios[1]), median(alternative), ratio(ratios[0])]
            if !report.isCounted {
                cells += [main, alternative].map { build in
                    scenario.builds[build].map { Figures.perEvent($0.allocationsPerEvent) } ?? "–"
                }
            }
            table.add(cells, style: isMarked ? .doubtful : nil)
        }
        return table
    }

    /// Times get a unit of their own if there is no column for it.
    private func figure(_ value: Double, _ unit: String, isShort: Bool) -> String {
        if report.isCounted { return Figures.perEvent(value) }
        return isShort && unit.hasPrefix("ns") ? Figures.duration(nanoseconds: value) : Figures.number(value)
    }

    private func counted() -> String {
        let (table, unavailable) = ReportText.countedResources(report).without(columnsOf: ["unavailable"])
        let (fitted, removed) = table.fitted(
            to: terminal.width, expendable: ["system calls", "releases", "bytes", "locked"])
        return ["Per event:", fitted.text(terminal), missing(unavailable, removed)].compactMap(\.self)
            .joined(separator: "\n")
    }

    private func details() -> [String] {
        var parts: [String] = []
        func add(_ title: String, _ table: Table?, expendable: [String] = [], note: String? = nil) {
            guard let table else { return }
            let (available, unavailable) = table.without(columnsOf: ["unavailable"])
            let (fitted, removed) = available.fitted(to: terminal.width, expendable: expendable)
            let lines = [terminal.wrapped(title), fitted.text(terminal), missing(unavailable, removed), note]
            parts.append(lines.compactMap(\.self).joined(separator: "\n"))
        }
        let uncorrected = terminal.wrapped("*: uncorrected: from when an event was sent, not from when it was due")
        let latencies = ReportText.latencies(report, uncorrectedMark: "*")
        add(
            "Latency, all samples together:", latencies, expendable: ["p90", "p99.99", "p50"],
            note: latencies?.text().contains("*") == true ? uncorrected : nil)
        add(
            "Threads, per event:", ReportText.threads(report), expendable: ["system calls", "events/s"],
            note: ReportText.ownCounts(report).map { terminal.wrapped($0, indent: 2) }.joined(separator: "\n").orNil)
        add(
            "Per event of \(main):", ReportText.resources(report),
            expendable: ["cache misses", "cycles", "instructions"])
        return parts
    }

    private func missing(_ unavailable: [String], _ removed: [String]) -> String? {
        var lines: [String] = []
        if unavailable.contains("alloc \(main)") || unavailable.contains("allocations") {
            lines.append(ReportText.allocationsNotCounted)
        }
        let others = unavailable.filter { !$0.hasPrefix("alloc") }
        if !others.isEmpty { lines.append("Unavailable here: \(others.joined(separator: ", ")).") }
        if !removed.isEmpty { lines.append("Too wide to show: \(removed.joined(separator: ", ")).") }
        return lines.isEmpty ? nil : terminal.wrapped(lines.joined(separator: " "))
    }

    private func notes() -> [String] {
        if report.isCounted { return [ReportText.countsLegend] }
        var note = ReportText.legend(of: report)
        var columns: [String] = []
        if hasDirect { columns.append("/direct: \(main) to direct, the work without the library") }
        if hasAlternative { columns.append("/\(main): \(alternative) to \(main)") }
        if !columns.isEmpty { note += " \(columns.joined(separator: "; "))." }
        if !isDetailed { note += " --details adds latencies, threads and counters." }
        return [note]
    }

    /// The slowest scenarios, and what happened.
    private func conclusions() -> [String] {
        var lines: [String] = []
        for ratio in report.builds.ratios.reversed() {
            let slowest = report.scenarios.compactMap { scenario in
                scenario.ratios[ratio.name].map { (scenario.name, $0) }
            }.filter { $0.1.low > 1 }.sorted { $0.1.median > $1.1.median }.prefix(4)
            guard !slowest.isEmpty else { continue }
            let names = slowest.map { "\($0.0) \(Figures.number($0.1.median))×" }.joined(separator: ", ")
            lines.append("Slowest, \(ratio.above) to \(ratio.below): \(names).")
        }
        let failures = report.failures ?? []
        let marked = report.scenarios.count { $0.machine?.isMarked == true }
        let count = report.scenarios.count
        var verdict = "\(count) scenario\(count == 1 ? "" : "s") \(report.isCounted ? "counted" : "measured")"
        if let seconds = report.seconds { verdict += " in \(Figures.grouped(Int(seconds.rounded()))) s" }
        if marked > 0 { verdict += ", \(marked) disturbed by the machine" }
        let names = failures.map { "\($0.scenario) (\($0.build))" }.joined(separator: ", ")
        verdict += failures.isEmpty ? "; none failed." : "; FAILED: \(names)."
        return lines + [terminal.styled(verdict, failures.isEmpty ? nil : .bad)]
    }
}

extension String {
    /// nil if it is empty.
    fileprivate var orNil: String? { isEmpty ? nil : self }
}
