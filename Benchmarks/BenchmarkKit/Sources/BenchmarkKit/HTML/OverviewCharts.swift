import Foundation

/// The pictures of all scenarios together: ratios and changes.
enum OverviewCharts {
    /// A forest plot for each ratio of two builds.
    static func ratios(_ report: Report) -> String {
        let threshold = Comparison.defaultThreshold(isCounted: report.isCounted)
        let plots = report.builds.ratios.reversed().compactMap { ratio in
            let rows = report.scenarios.compactMap { scenario in
                scenario.ratios[ratio.name].map { estimate in
                    ForestPlot.Row(
                        name: scenario.name, anchor: Markup.anchor(scenario.name), estimate: estimate,
                        style: ForestPlot.style(estimate.verdict(threshold: threshold)),
                        isDisturbed: scenario.machine?.isMarked == true)
                }
            }
            let what = report.isCounted ? "instructions" : "time"
            return ForestPlot(title: "\(ratio.above) ÷ \(ratio.below), \(what)", rows: rows, threshold: threshold).svg()
        }
        guard !plots.isEmpty else { return "" }
        let key = ForestPlot.key(
            [
                ("more", "above 1"), ("less", "below 1"), ("same", "the same"),
                ("inconclusive", "inconclusive: the interval has 1 and more than the shaded band"),
            ], hasDisturbed: report.scenarios.contains { $0.machine?.isMarked == true })
        return side(plots) + key
    }

    /// A forest plot of the rows of a comparison for each build, in their order.
    static func changes(_ rows: [Comparison.Row], _ comparison: Comparison, _ report: Report) -> String {
        let scenarios = Dictionary(report.scenarios.map { ($0.name, $0) }) { first, _ in first }
        let drawn = rows.filter { $0.change != nil && !$0.verdict.isLost && $0.verdict != .added }
        func isDisturbed(_ row: Comparison.Row) -> Bool { scenarios[row.scenario]?.machine?.isMarked == true }
        let plots = report.builds.all.compactMap { build in
            let rows = drawn.filter { $0.build == build.rawValue }.compactMap { row in
                row.change.map { change in
                    // `p99` for `ns, p99 overall`.
                    let figure = row.unit.replacing("ns, ", with: "").replacing(" overall", with: "")
                    let isUsual = row.unit == scenarios[row.scenario]?.unit
                    return ForestPlot.Row(
                        name: isUsual ? row.scenario : "\(row.scenario), \(figure)",
                        anchor: Markup.anchor(row.scenario), estimate: change,
                        style: ForestPlot.style(row.verdict, isRegression: row.isRegression),
                        isDisturbed: isDisturbed(row))
                }
            }
            return ForestPlot(title: "\(build), after ÷ before", rows: rows, threshold: comparison.threshold).svg()
        }
        guard !plots.isEmpty else { return "" }
        let key = ForestPlot.key(
            [
                ("regression", "regression"), ("more", "higher"), ("less", "lower"), ("same", "the same"),
                ("inconclusive", "inconclusive"),
            ], hasDisturbed: drawn.contains(where: isDisturbed))
        return side(plots) + key
    }

    /// Pictures beside each other, if there is space.
    static func side(_ pictures: [String]) -> String {
        Markup.element("div", [("class", "side")], pictures.joined(separator: "\n"))
    }
}
