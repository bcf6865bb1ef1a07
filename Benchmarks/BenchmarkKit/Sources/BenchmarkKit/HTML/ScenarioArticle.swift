import Foundation

/// The part of the page about one scenario.
enum ScenarioArticle {
    static func markup(_ scenario: ScenarioReport, _ builds: BuildNames) -> String {
        let shown = builds.all.compactMap { build in scenario.builds[build.rawValue].map { (build, $0) } }
        var content = Markup.element("h3", [], Markup.escaped("\(scenario.name), \(scenario.unit)"))
        content += samples(scenario, shown, builds) ?? ""
        content += figures(scenario, shown)
        if let chart = curves(scenario, shown, builds) { content += chart }
        content += percentiles(scenario, shown) ?? ""
        content += latenciesOverTime(scenario.name, shown)
        return Markup.element("article", [("id", Markup.anchor(scenario.name)), ("data-name", scenario.name)], content)
    }

    private static func samples(
        _ scenario: ScenarioReport,
        _ shown: [(Build, BuildReport)],
        _ builds: BuildNames
    ) -> String? {
        let strips = shown.map { build, figures in
            SampleChart.Strip(
                name: build.rawValue, style: builds.role(of: build), median: figures.median,
                passes: figures.passes ?? [], disturbed: scenario.machine?.disturbedByPass ?? [])
        }
        return SampleChart(title: scenario.name, unit: scenario.unit, strips: strips).svg()
    }

    private static func figures(_ scenario: ScenarioReport, _ shown: [(Build, BuildReport)]) -> String {
        let times: [(String, KeyPath<BuildReport, Double>)] = [("median", \.median), ("min", \.min), ("max", \.max)]
        let perEvent: [(String, KeyPath<BuildReport, Double?>)] = [
            ("eventsPerSecond", \.eventsPerSecond), ("throughputPerSecond", \.throughputPerSecond),
            ("allocationsPerEvent", \.allocationsPerEvent),
            ("bytesPerEvent", \.bytesPerEvent),
            ("instructionsPerEvent", \.instructionsPerEvent),
            ("lockedInstructionsPerEvent", \.lockedInstructionsPerEvent), ("retainsPerEvent", \.retainsPerEvent),
            ("releasesPerEvent", \.releasesPerEvent), ("systemCallsPerEvent", \.systemCallsPerEvent),
            ("contextSwitchesPerEvent", \.contextSwitchesPerEvent), ("pageFaultsPerEvent", \.pageFaultsPerEvent),
            ("cyclesPerEvent", \.cyclesPerEvent), ("cacheMissesPerEvent", \.cacheMissesPerEvent),
        ]
        let present = perEvent.filter { _, path in shown.contains { $0.1[keyPath: path] != nil } }
        let rows = shown.map { build, report in
            var row = Markup.element("th", [("scope", "row")], build.rawValue)
            for (name, path) in times {
                let value = report[keyPath: path]
                row += HTMLReport.cell(scenario.name, "builds.\(build).\(name)", value, Figures.number(value))
            }
            row += Markup.element("td", [], "\(report.samples)")
            row += Markup.element("td", [], report.outliers.map { "\($0)" } ?? "–")
            for (name, path) in present {
                let value = report[keyPath: path]
                row += HTMLReport.cell(scenario.name, "builds.\(build).\(name)", value, Figures.perEvent(value))
            }
            return row
        }
        let titles = present.map { title(of: $0.0) }
        let head = ["Build", "median", "min", "max", "samples", "outliers"] + titles
        return HTMLReport.table(caption: "\(scenario.name) in \(scenario.unit)", head, rows)
    }

    /// `context switches` for `contextSwitchesPerEvent`.
    static func title(of name: String) -> String {
        let words = name.hasSuffix("PerEvent") ? String(name.dropLast(8)) : name
        return words.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : String($1) }
    }

    private static func curves(
        _ scenario: ScenarioReport,
        _ shown: [(Build, BuildReport)],
        _ builds: BuildNames
    ) -> String? {
        let curves = shown.compactMap { build, report in
            report.curve.map { points in
                CurveChart.Curve(
                    name: build.rawValue, style: builds.role(of: build),
                    points: points.filter { $0.percentile < 100 }.map {
                        CurveChart.Point(x: 100 / (100 - $0.percentile), y: Double($0.nanoseconds))
                    })
            }
        }
        guard !curves.isEmpty else { return nil }
        let marks: [(Double, String)] = [
            (2, "50"), (10, "90"), (100, "99"), (1_000, "99.9"), (10_000, "99.99"), (100_000, "99.999"),
            (1_000_000, "99.9999"),
        ]
        let chart = CurveChart(
            label: "\(scenario.name): latency by percentile, both axes logarithmic; the figures are in the table below",
            xTitle: "percentile (%)", yTitle: "latency", curves: curves,
            xMarks: marks.map { (place: $0.0, text: $0.1) },
            yText: { Figures.duration(nanoseconds: $0) })
        return chart.svg()
    }

    /// A heat map of each build, all with the same rows.
    private static func latenciesOverTime(_ name: String, _ shown: [(Build, BuildReport)]) -> String {
        let measured = shown.compactMap { build, report in report.passLatencies.map { (build, $0) } }
        let all = measured.flatMap(\.1).filter { !$0.counts.isEmpty }
        guard let low = all.map(\.first).min(), let high = all.map({ $0.first + $0.counts.count }).max() else {
            return ""
        }
        let rows = (low..<high).map { Figures.duration(nanoseconds: pow(2, Double($0) / 2)) }
        let maps = measured.map { build, passes in
            HeatMap(
                title: "\(name), \(build): latency over time", xLabel: "pass", yLabel: "latency from",
                columns: passes.indices.map { "\($0 + 1)" }, rows: rows,
                counts: passes.map { pass in
                    let places = (low..<high).map { $0 - pass.first }
                    return places.map { pass.counts.indices.contains($0) ? pass.counts[$0] : 0 }
                }
            ).svg
        }
        return OverviewCharts.side(maps)
    }

    private static func percentiles(_ scenario: ScenarioReport, _ shown: [(Build, BuildReport)]) -> String? {
        let names = CollectedSamples.percentiles.map(\.name)
        var rows: [String] = []
        func add(_ title: String, _ place: String, _ percentiles: [String: UInt64]) {
            let cells = names.map { name in
                let value = percentiles[name].map { Double($0) }
                let text = value.map { Figures.duration(nanoseconds: $0) } ?? "–"
                return HTMLReport.cell(scenario.name, "\(place).\(name)", value, text)
            }
            rows.append(Markup.element("th", [("scope", "row")], title) + cells.joined())
        }
        for (build, report) in shown {
            guard let percentiles = report.percentiles else { continue }
            add("\(build)", "builds.\(build).percentiles", percentiles)
            guard let uncorrected = report.uncorrectedPercentiles, uncorrected != percentiles else { continue }
            add("\(build), uncorrected", "builds.\(build).uncorrectedPercentiles", uncorrected)
        }
        guard !rows.isEmpty else { return nil }
        let head = ["Build"] + names.map { $0 == "100" ? "max" : "p\($0)" }
        return HTMLReport.table(caption: "\(scenario.name), latency of all samples together", head, rows)
    }
}
