import Foundation

/// The pictures of all scenarios together: ratios, changes, and time by instructions.
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

    /// The time of each scenario over its instructions, both of the main build. Scenarios far from the line wait for something,
    /// or execute several instructions at a time.
    static func instructions(_ report: Report) -> String {
        guard !report.isCounted else { return "" }
        let main = report.builds.main
        var points = report.scenarios.compactMap { scenario -> CurveChart.Point? in
            guard scenario.unit.hasPrefix("ns/"), !scenario.unit.contains(","),
                let figures = scenario.builds[main.rawValue],
                let instructions = figures.instructionsPerEvent, instructions > 0, figures.median > 0
            else { return nil }
            return CurveChart.Point(x: instructions, y: figures.median, name: scenario.name)
        }
        guard points.count >= 3, let usual = Statistics.median(points.map { $0.y / $0.x }) else { return "" }
        func distance(_ point: CurveChart.Point) -> Double { log(point.y / point.x / usual) }
        points.sort { abs(distance($0)) > abs(distance($1)) }
        for index in points.indices.prefix(mostNames) {
            points[index].side = distance(points[index]) > 0 ? .aboveLeft : .belowRight
        }
        let ends = [points.map(\.x).min() ?? 1, points.map(\.x).max() ?? 1]
        let line = ends.map { CurveChart.Point(x: $0, y: $0 * usual) }
        let marks = LogAxis(around: ends, from: 0, to: 1)?.marks(atMost: 7) ?? []
        let chart = CurveChart(
            label: "Time by instructions of \(main), both axes logarithmic; the figures are in the overview's table",
            xTitle: "instructions/event", yTitle: "time/event",
            curves: [
                CurveChart.Curve(name: "\(main)", style: "main", points: points),
                CurveChart.Curve(
                    name: "\(Figures.number(usual)) ns/instruction", style: "direct", points: line),
            ],
            xMarks: marks.map { (place: $0, text: LogAxis.text($0)) }, yText: { Figures.duration(nanoseconds: $0) })
        let words =
            "A dot is a scenario, and the line is their median. Far above it, events wait: for memory, for locked "
            + "instructions, for the kernel or for another thread. Those that are farthest from it are named."
        return (chart.svg() ?? "") + Markup.element("p", [("class", "quiet")], Markup.escaped(words))
    }

    private static let mostNames = 6
}
