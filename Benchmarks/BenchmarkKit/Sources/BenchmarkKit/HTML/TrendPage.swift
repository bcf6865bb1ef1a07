/// The page of `trend --html`: a picture of each scenario, those that have changed first.
enum TrendPage {
    static func text(of runs: [TrendCommand.Run], _ builds: BuildNames) -> String {
        let isCounted = runs.first?.report.isCounted == true
        let threshold = Comparison.defaultThreshold(isCounted: isCounted)
        let trends = Report.names(of: runs.map(\.report)).map { name in
            trend(TrendCommand.Row(name, in: runs, main: builds.main), isCounted: isCounted, builds.main)
        }.filter { !$0.trend.points.isEmpty }
        let splits = trends.reduce(0) { $0 + $1.trend.points.count - 1 }
        let all = trends.map { ($0.name, $0.trend, $0.trend.change(splits: splits, threshold: threshold)) }
        let changed = all.filter { $0.2 != nil }
        let names = runs.map(\.name)
        func pictures(_ trends: [(name: String, trend: Trend, change: Trend.Change?)]) -> String {
            OverviewCharts.side(
                trends.compactMap { TrendChart(title: $0.name, runs: names, trend: $0.trend, change: $0.change).svg() })
        }
        var body = [HTMLPage.paragraph(explanation(isCounted: isCounted, builds, threshold))]
        body += [HTMLPage.heading("Changes"), changes(changed, names)]
        if !changed.isEmpty { body.append(pictures(changed)) }
        let others = all.filter { $0.2 == nil }
        if !others.isEmpty { body += [HTMLPage.heading("Without a marked change"), pictures(others)] }
        body += [HTMLPage.heading("The runs"), table(runs)]
        return HTMLPage.page(title: "Trend of \(runs.count) runs", body: body)
    }

    private static func trend(
        _ row: TrendCommand.Row, isCounted: Bool, _ main: Build
    ) -> (name: String, trend: Trend) {
        let points = row.figures.indices.compactMap { run -> Trend.Point? in
            guard let figure = row.figures[run], figure.median > 0 else { return nil }
            return Trend.Point(
                run: run, estimate: figure, isDisturbed: row.scenarios[run]?.machine?.isMarked == true)
        }
        let deviation =
            isCounted
            ? Trend.countDeviation
            : RunMean.assumedDeviation(of: main.rawValue, in: row.scenarios.compactMap(\.self))
        return (row.label, Trend(points: points, deviation: deviation))
    }

    private static func explanation(isCounted: Bool, _ builds: BuildNames, _ threshold: Double) -> String {
        let figures =
            isCounted
            ? "Instructions per event of \(builds.main)."
            : "Multiples of direct of \(builds.main), or times where a unit is named, with intervals of 95 %; hollow: the "
                + "machine disturbed more than a fifth of the rounds."
        return figures
            + " A change is marked at the split of the runs whose two means differ most for their error. It is marked only "
            + "if the interval of their ratio excludes 1 and reaches past \(LogAxis.text(threshold * 100)) %. All "
            + "intervals together have a confidence of 95 %. The error is that of the runs' intervals, or that of the runs "
            + "around the two means, whichever is larger."
    }

    private static func changes(
        _ changed: [(name: String, trend: Trend, change: Trend.Change?)], _ names: [String]
    ) -> String {
        guard !changed.isEmpty else { return HTMLPage.paragraph("No scenario has changed for certain.") }
        let rows = changed.compactMap { name, _, change in
            change.map { change in
                let estimate = change.estimate
                return [
                    name, names[change.run], "\(Figures.number(estimate.median))× \(Figures.interval(estimate))",
                ]
            }
        }
        return HTMLPage.table(
            caption: "What has changed, and the first run after it", head: ["Scenario", "From", "Change"], rows: rows)
    }

    private static func table(_ runs: [TrendCommand.Run]) -> String {
        let rows = runs.map { name, report in
            [name, report.date ?? "–", report.host.commit, report.host.swift, report.host.cpu]
        }
        return HTMLPage.table(
            caption: "The runs, the oldest first", head: ["Run", "Date", "Commit", "Swift", "Processor"], rows: rows)
    }
}
