/// Charts of families of scenarios over their number: threads, observers, stages.
enum ScalingCharts {
    private struct Member {
        var number: Double
        var scenario: ScenarioReport
    }

    /// A chart for each family with three members or more of the same unit.
    static func markup(_ report: Report) -> String {
        var families: [(name: String, members: [Member])] = []
        for scenario in report.scenarios {
            guard let slash = scenario.name.lastIndex(of: "/"),
                let number = Double(scenario.name[scenario.name.index(after: slash)...]), number > 0
            else { continue }
            let name = String(scenario.name[..<slash])
            let member = Member(number: number, scenario: scenario)
            if let known = families.firstIndex(where: { $0.name == name }) {
                families[known].members.append(member)
            } else {
                families.append((name, [member]))
            }
        }
        return families.compactMap { article($0.name, $0.members, report.builds) }.joined(separator: "\n")
    }

    private static func article(_ name: String, _ members: [Member], _ builds: BuildNames) -> String? {
        let sorted = members.sorted { $0.number < $1.number }
        guard sorted.count >= 3, let unit = sorted.first?.scenario.unit else { return nil }
        guard sorted.allSatisfy({ $0.scenario.unit == unit }) else { return nil }
        let curves = builds.all.map { build in
            CurveChart.Curve(
                name: build.rawValue, style: builds.role(of: build),
                points: sorted.compactMap { member in
                    member.scenario.builds[build.rawValue].map { CurveChart.Point(x: member.number, y: $0.median) }
                })
        }
        let chart = CurveChart(
            label: "\(name): medians in \(unit) by number, both axes logarithmic; the figures are in the table below",
            xTitle: "\(name)/N", yTitle: unit, curves: curves.filter { !$0.points.isEmpty },
            xMarks: sorted.map { (place: $0.number, text: Figures.grouped(Int($0.number))) },
            yText: { Figures.number($0) })
        guard let svg = chart.svg() else { return nil }
        let title = Markup.element("h3", [], Markup.escaped("\(name), \(unit)"))
        let shown = builds.all.map(\.rawValue).filter { build in sorted.contains { $0.scenario.builds[build] != nil } }
        return Markup.element("article", [], title + svg + table(name, unit, sorted, shown))
    }

    private static func table(_ name: String, _ unit: String, _ members: [Member], _ builds: [String]) -> String {
        let rows = members.map { member in
            let cells = builds.map { build in
                let median = member.scenario.builds[build]?.median
                return HTMLReport.cell(
                    member.scenario.name, "builds.\(build).median", median, median.map(Figures.number) ?? "–")
            }
            let number = Figures.grouped(Int(member.number))
            return Markup.element("th", [("scope", "row")], number) + cells.joined()
        }
        return HTMLReport.table(caption: "\(name)/N in \(unit), medians", ["N"] + builds, rows)
    }
}
