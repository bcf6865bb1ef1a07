import Foundation

/// A run as one HTML page, without files from elsewhere. Its script only sorts and filters.
///
/// The cell of a figure has the exact number in `data-value` and its place in the JSON in `data-figure`. A chart of
/// figures has a table with the same ones; pictures of samples and of whole distributions have tables of their medians.
enum HTMLReport {
    static func text(of report: Report, comparison: Comparison? = nil) throws -> String {
        let json = try report.json().replacing("<", with: "\\u003c")
        var body = Markup.element("h1", [], "Benchmarks")
        body += Markup.element("p", [("class", "quiet")], Markup.escaped(ReportText.host(report.host)))
        for warning in ReportText.warnings(of: report) { body += notice("\(warning).") }
        let passes = report.scenarios.flatMap(\.builds.values).compactMap(\.passes?.count).max()
        if passes == 1 {
            body += notice(
                "This run was a single pass, so it doesn't show what processes differ by. The intervals assume it.")
        }
        for failure in report.failures ?? [] {
            body += notice("Failed: \(failure.scenario), \(failure.build): \(failure.message)")
        }
        let all: [(place: String, title: String, markup: String)] = [
            ("changes", "Changes", comparison.map { changes($0, report) } ?? ""),
            ("overview", "Overview", OverviewCharts.ratios(report) + overview(report)),
            ("instructions", "Time by instructions", OverviewCharts.instructions(report)),
            ("scaling", "Scaling", ScalingCharts.markup(report)),
            (
                "scenarios", "Scenarios",
                report.scenarios.map { ScenarioArticle.markup($0, report.builds) }.joined(separator: "\n")
            ),
            ("run", "The run", facts(report)),
        ]
        let sections = all.filter { !$0.markup.isEmpty }
        body += contents(report, sections.map { ($0.place, $0.title) })
        for section in sections {
            body += Markup.element("h2", [("id", section.place)], section.title) + section.markup
        }
        let scripts = """
            <script type="application/json" id="report">
            \(json)
            </script>
            <script>
            \(HTMLScript.text)
            </script>
            """
        return HTMLPage.document(title: "Benchmarks, commit \(report.host.commit)", main: body, scripts: scripts)
    }

    private static func notice(_ text: String) -> String {
        Markup.element("p", [("class", "warning"), ("role", "note")], Markup.escaped(text))
    }

    /// The table of contents, and the field that filters the scenarios.
    private static func contents(_ report: Report, _ sections: [(place: String, title: String)]) -> String {
        func link(_ place: String, _ text: String) -> String {
            Markup.element("a", [("href", "#" + place)], Markup.escaped(text))
        }
        let names = report.scenarios.map { scenario in
            Markup.element("li", [("data-name", scenario.name)], link(Markup.anchor(scenario.name), scenario.name))
        }
        let list = Markup.element(
            "details", [], "<summary>All scenarios</summary>" + Markup.element("ul", [], names.joined()))
        let links = sections.map { link($0.place, $0.title) }
        let field =
            "Filter <input type=\"search\" autocomplete=\"off\" placeholder=\"part of a name\"> <output></output>"
        return Markup.element("nav", [("aria-label", "Contents")], links.joined(separator: "\n") + list)
            + "<p id=\"filter\" hidden><label>\(field)</label></p>"
    }

    private static func facts(_ report: Report) -> String {
        let host = report.host
        var facts: [(String, String)] = [
            ("Processor", "\(host.cpu), \(host.cores) cores"), ("Swift", host.swift), ("Commit", host.commit),
        ]
        if let architecture = host.architecture { facts.append(("Architecture", architecture)) }
        if let system = host.system { facts.append(("System", system)) }
        if let kernel = host.kernel { facts.append(("Kernel", kernel)) }
        if let hypervisor = host.hypervisor { facts.append(("Hypervisor", hypervisor)) }
        if let governor = host.governor { facts.append(("Frequency governor", governor)) }
        if let load = host.load {
            facts.append(("Load before the run", "\(Figures.number(load)) on \(host.cores) cores"))
        }
        if let date = report.date { facts.append(("Date", date)) }
        if let mode = report.mode { facts.append(("Mode", mode.rawValue)) }
        if let seconds = report.seconds { facts.append(("Duration", Figures.duration(nanoseconds: seconds * 1e9))) }
        if let calibration = report.calibration {
            facts.append(("Drift of the machine", "\(Figures.number(calibration.drift * 100)) %"))
        }
        var list = facts.map { Markup.element("dt", [], $0.0) + Markup.element("dd", [], Markup.escaped($0.1)) }
        if let command = report.command {
            let code = Markup.element("code", [("id", "command")], Markup.escaped(command))
            list.append(Markup.element("dt", [], "Command") + Markup.element("dd", [], code))
        }
        return Markup.element("dl", [], list.joined(separator: "\n"))
    }

    /// A cell with a figure.
    static func cell(_ scenario: String, _ figure: String, _ value: Double?, _ text: String) -> String {
        guard let value else { return Markup.element("td", [("class", "quiet")], Markup.escaped(text)) }
        let attributes = [("data-scenario", scenario), ("data-figure", figure), ("data-value", "\(value)")]
        return Markup.element("td", attributes, Markup.escaped(text))
    }

    /// A table that scrolls on its own if it is too wide.
    ///
    /// - Parameters:
    ///   - names: The scenario of each row, if the table can be sorted and filtered.
    ///   - style: The table's class otherwise.
    static func table(
        caption: String, _ head: [String], _ rows: [String], names: [String]? = nil, style: String? = nil
    ) -> String {
        let titles = head.map { title in
            let words = ["Unit": "word unit", "Build": "word", "Change": "word change"]
            let kind = words[title].map { [("class", $0)] } ?? []
            return Markup.element("th", [("scope", "col")] + kind, Markup.escaped(title))
        }
        let lines = rows.enumerated().map { index, row in
            Markup.element("tr", names.map { [("data-name", $0[index])] } ?? [], row)
        }
        let content =
            Markup.element("caption", [], Markup.element("span", [], Markup.escaped(caption)))
            + Markup.element("thead", [], Markup.element("tr", [], titles.joined()))
            + Markup.element("tbody", [], lines.joined(separator: "\n"))
        let region = [("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", caption)]
        let kind = names == nil ? style : "sortable"
        return Markup.element(
            "div", region, Markup.element("table", kind.map { [("class", $0)] } ?? [], content))
    }

    /// What changed since an earlier run: regressions first, then what couldn't be compared, other changes, and what is
    /// inconclusive.
    private static func changes(_ comparison: Comparison, _ report: Report) -> String {
        func rank(_ row: Comparison.Row) -> Int {
            if row.isRegression { return 0 }
            return switch row.verdict {
            case .failed, .missing, .otherUnit: 1
            case .more: 2
            case .less: 3
            case .inconclusive: 4
            case .added: 5
            case .same: 6
            }
        }
        let verdict = Markup.element("p", [("id", "verdict")], Markup.escaped(ComparisonText.verdict(of: comparison)))
        let sorted = comparison.rows.enumerated()
            .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
        let shown = sorted.filter { rank($0) < 6 }
        let plot = OverviewCharts.changes(sorted, comparison, report)
        guard !shown.isEmpty else { return verdict + plot }
        let rows = shown.map { row in
            let link = Markup.element("a", [("href", "#" + Markup.anchor(row.scenario))], Markup.escaped(row.scenario))
            var cells = Markup.element("th", [("scope", "row")], link)
            let change = ComparisonText.change(row, comparison)
            for (kind, text) in [("word", row.build), ("word unit", row.unit), ("word change", change)] {
                cells += Markup.element("td", [("class", kind)], Markup.escaped(text))
            }
            return cells
        }
        return verdict + plot
            + table(
                caption: "What has changed, or may have", ["Scenario", "Build", "Unit", "Change"], rows,
                style: "changes")
    }

    private static func overview(_ report: Report) -> String {
        // Without the alternative build, its columns aren't there.
        let builds = report.builds.all.map(\.rawValue).filter { build in
            report.scenarios.contains { $0.builds[build] != nil }
        }
        let main = report.builds.main.rawValue
        let ratios = report.builds.ratios.map(\.name).filter { ratio in
            report.scenarios.contains { $0.ratios[ratio] != nil }
        }
        let hasInstructions = report.scenarios.contains { $0.builds[main]?.instructionsPerEvent != nil }
        let rows = report.scenarios.map { scenario in
            let link = Markup.element(
                "a", [("href", "#" + Markup.anchor(scenario.name))], Markup.escaped(scenario.name))
            var row = Markup.element("th", [("scope", "row")], link)
            row += Markup.element("td", [("class", "word unit quiet")], Markup.escaped(scenario.unit))
            for build in builds {
                let median = scenario.builds[build]?.median
                row += cell(scenario.name, "builds.\(build).median", median, median.map(Figures.number) ?? "–")
            }
            for name in ratios {
                let ratio = scenario.ratios[name]
                let text =
                    report.isCounted ? ratio.map { "\(Figures.number($0.median))×" } ?? "–" : Figures.ratio(ratio)
                row += cell(scenario.name, "ratios.\(name).median", ratio?.median, text)
            }
            let allocations = scenario.builds[main]?.allocationsPerEvent
            row += cell(
                scenario.name, "builds.\(main).allocationsPerEvent", allocations, Figures.perEvent(allocations))
            // The medians of a counted run are instructions.
            guard hasInstructions, !report.isCounted else { return row }
            let instructions = scenario.builds[main]?.instructionsPerEvent
            return row
                + cell(
                    scenario.name, "builds.\(main).instructionsPerEvent", instructions,
                    Figures.perEvent(instructions))
        }
        let caption =
            report.isCounted
            ? "Counts per event. The same on every machine with this toolchain."
            : "Medians; ratios with their 95 % interval. Above 1×, the first-named build is slower. same: the interval "
                + "lies within 10 % of 1; ?: inconclusive."
        let head = ["Scenario", "Unit"] + builds + ratios
        let instructions = hasInstructions && !report.isCounted ? ["instructions/event"] : []
        return table(
            caption: caption, head + ["allocations/event"] + instructions, rows,
            names: report.scenarios.map(\.name))
    }
}
