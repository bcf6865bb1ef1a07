/// A comparison as text.
public enum ComparisonText {
    /// A row for each figure.
    public static func table(of comparison: Comparison) -> Table {
        var table = Table(
            ["scenario", "build", "unit", "before", "after", "change", ""],
            alignments: [.left, .left, .left, .right, .right, .right, .left])
        for row in comparison.rows {
            table.add([
                row.scenario, row.build, row.unit, figure(row.before), figure(row.after),
                change(row, isCounted: comparison.isCounted), row.isRegression ? "REGRESSION" : "",
            ])
        }
        return table
    }

    /// A summary of the table, and how to read it.
    public static func summary(of comparison: Comparison) -> String {
        let rows = comparison.rows
        func count(_ verdict: Comparison.Verdict) -> Int { rows.count { $0.verdict == verdict } }
        var lines = [
            "\(rows.count) figures: \(count(.same)) without a difference, \(count(.more)) higher, \(count(.less)) lower, "
                + "\(comparison.regressions.count) above the threshold."
        ]
        if count(.inconclusive) > 0 { lines[0] += " \(count(.inconclusive)) inconclusive." }
        if !comparison.isCounted {
            let what = comparison.isPaired ? "of pairs measured in turn" : "of multiples of direct"
            lines.append(
                "Changes are \(what). All intervals together contain the true values with 95 % confidence.")
        }
        lines += comparison.warnings.map { "Warning: \($0)." }
        return lines.joined(separator: "\n")
    }

    private static func change(_ row: Comparison.Row, isCounted: Bool) -> String {
        switch row.verdict {
        case .added, .removed: return row.verdict.rawValue
        case .same where isCounted: return row.verdict.rawValue
        default: break
        }
        guard let change = row.change else { return row.verdict.rawValue }
        if row.verdict == .inconclusive { return "\(row.verdict.rawValue) (\(percent(change.median)))" }
        if isCounted { return percent(change.median) }
        let interval = "[\(percent(change.low)) to \(percent(change.high))]"
        return row.verdict == .same ? "no difference \(interval)" : "\(percent(change.median)) \(interval)"
    }

    private static func figure(_ value: Double?) -> String {
        value.map { $0 == 0 ? "0" : Figures.number($0) } ?? "–"
    }

    /// `+5.2 %` for 1.052.
    static func percent(_ ratio: Double) -> String {
        let percent = (ratio - 1) * 100
        return (percent < 0 ? "−" : "+") + Figures.number(abs(percent)) + " %"
    }
}
