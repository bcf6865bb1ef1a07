import Foundation

/// A comparison as text.
public enum ComparisonText {
    /// The comparison for a terminal. The verdict is the last line.
    public static func text(
        of comparison: Comparison,
        program: String,
        against: String? = nil,
        on terminal: Terminal
    ) -> String {
        var table = table(of: comparison)
        var unit = ""
        // A column that says the same in every row isn't needed.
        let units = Set(comparison.rows.map(\.unit))
        if units.count == 1 {
            table = table.without(columnsOf: units).table
            unit = "Figures are in \(units.first ?? ""). "
        }
        let builds = Set(comparison.rows.map(\.build))
        if builds.count == 1 { table = table.without(columnsOf: builds).table }
        let fitted = table.fitted(to: terminal.width, expendable: ["before", "unit"]).table
        var lines = (unit + summary(of: comparison, program: program, against: against))
            .split(separator: "\n").map { terminal.wrapped(String($0)) }
        let style: Terminal.Style? =
            (1...2).contains(comparison.status(requiringConclusions: false))
            ? .bad : comparison.inconclusive.isEmpty ? .good : .doubtful
        if let last = lines.popLast() { lines.append(terminal.styled(last, style)) }
        return fitted.text(terminal) + "\n\n" + lines.joined(separator: "\n")
    }

    private static func style(_ row: Comparison.Row) -> Terminal.Style? {
        switch row.verdict {
        case .more: row.isRegression ? .bad : nil
        case .less: .good
        case .inconclusive: .doubtful
        case .missing, .failed, .otherUnit: .bad
        case .same, .added: nil
        }
    }

    /// A row for each figure.
    ///
    /// - Parameter isFull: Whether the columns have everything, for programs that read them.
    public static func table(of comparison: Comparison, isFull: Bool = false) -> Table {
        var titles = ["scenario", "build", "unit", "before", "after", "change"]
        if isFull { titles += ["verdict", "low", "high", "smallest found", "samples needed"] }
        var table = Table(
            titles, alignments: titles.map { ["before", "after", "low", "high"].contains($0) ? .right : .left })
        for row in comparison.rows {
            var cells = [row.scenario, row.build, row.unit, figure(row.before), figure(row.after)]
            cells.append(change(row, comparison))
            if isFull {
                cells += [row.isRegression ? "regression" : row.verdict.text]
                cells += [row.change?.low, row.change?.high, row.smallestFound].map { $0.map { "\($0)" } ?? "" }
                cells += [row.samplesNeeded.map { "\($0)" } ?? ""]
            }
            table.add(cells, style: style(row))
        }
        return table
    }

    /// A summary of the table, and how to read it. The verdict is the last line.
    ///
    /// - Parameters:
    ///   - program: The command that starts the tool.
    ///   - against: The value of `--against`, if one run measured both.
    public static func summary(of comparison: Comparison, program: String, against: String? = nil) -> String {
        var lines: [String] = []
        if !comparison.isCounted {
            let runs = comparison.runsBefore > 1 ? ", from the median of \(comparison.runsBefore) runs" : ""
            lines.append(
                "Changes are \(basis(of: comparison))\(runs). All intervals together contain the true values with 95 % confidence. "
                    + "same: the interval lies within ±\(number(comparison.threshold)).")
        }
        lines += comparison.warnings.map { "Warning: \($0)." }
        if let advice = advice(for: comparison, program, against) { lines.append(advice) }
        lines.append(verdict(of: comparison))
        return lines.joined(separator: "\n")
    }

    /// What was divided by what.
    private static func basis(of comparison: Comparison) -> String {
        if comparison.isPaired { return "of pairs measured in turn" }
        let names = comparison.withoutDirect
        guard !names.isEmpty else { return "of multiples of direct" }
        let isAll = Set(comparison.rows.map(\.scenario)).isSubset(of: names)
        if isAll { return "of times, in which the machine's speed isn't cancelled" }
        let some = names.count <= 8 ? names.joined(separator: ", ") : "\(names.count) scenarios"
        return "of multiples of direct, and of times without direct in \(some)"
    }

    /// The last line of a summary.
    static func verdict(of comparison: Comparison) -> String {
        let rows = comparison.rows
        let parts: [(Int, String)] = [
            (rows.count { $0.verdict == .same }, "same"), (rows.count { $0.verdict == .more }, "higher"),
            (rows.count { $0.verdict == .less }, "lower"), (comparison.inconclusive.count, "inconclusive"),
            (rows.count { $0.verdict == .added }, "added"), (rows.count { $0.verdict == .missing }, "missing"),
            (rows.count { $0.verdict == .failed }, "failed"),
            (rows.count { $0.verdict == .otherUnit }, "in another unit"),
        ]
        let counts = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "\(rows.count) figures\(counts.isEmpty ? "" : ": " + counts); \(found(by: comparison))."
    }

    private static func found(by comparison: Comparison) -> String {
        func names(_ rows: [Comparison.Row], _ name: (Comparison.Row) -> String) -> String {
            rows.map(name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
        }
        let (regressions, lost) = (comparison.regressions, comparison.lost)
        var parts: [String] = []
        if comparison.isEmpty { parts.append("NOTHING COMPARED") }
        if !regressions.isEmpty {
            let list = names(regressions) { $0.unit.contains("/") ? $0.scenario : "\($0.scenario) (\($0.unit))" }
            parts.append("\(regressions.count) REGRESSION\(regressions.count == 1 ? "" : "S"): \(list)")
        }
        for verdict in [Verdict.failed, .missing, .otherUnit] {
            let rows = lost.filter { $0.verdict == verdict }
            if !rows.isEmpty { parts.append("\(verdict.text.uppercased()): \(names(rows, \.scenario))") }
        }
        return parts.isEmpty ? "no regression found" : parts.joined(separator: "; ")
    }

    /// What to run to find changes of the threshold in the inconclusive rows; nil if there are none.
    private static func advice(for comparison: Comparison, _ program: String, _ against: String?) -> String? {
        let rows = comparison.inconclusive.filter { $0.reason == nil }
        guard !rows.isEmpty else { return nil }
        let names = rows.map(\.scenario).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let needed = rows.compactMap(\.samplesNeeded).max()
        let filter = names.count <= 8 ? " --filter '\(names.map { $0 + "$" }.joined(separator: ","))'" : ""
        let command = "\(program)\(filter) --samples \(needed ?? TimeChange.mostSamples)"
        let size = number(comparison.threshold)
        let doubt = rows.contains { $0.samplesNeeded == nil } ? " (not certain for all of them)" : ""
        if comparison.isPaired {
            return "To find \(size) in the inconclusive rows\(doubt): \(command) --against \(against ?? "BEFORE")"
        }
        return "To find \(size) in the inconclusive rows\(doubt), measure both in turn, where the machine cancels: "
            + "\(command) --against BEFORE"
    }

    static func change(_ row: Comparison.Row, _ comparison: Comparison) -> String {
        guard let change = row.change, row.verdict != .added, !row.verdict.isLost else {
            return row.verdict.text + (row.reason.map { ": \($0)" } ?? "")
        }
        let mark = row.isRegression ? " REGRESSION" : ""
        if comparison.isCounted {
            return row.verdict == .same ? row.verdict.rawValue : percent(change.median) + mark
        }
        let interval = "[\(end(change.low)) to \(end(change.high))]"
        switch row.verdict {
        case .same: return "same \(interval)"
        case .inconclusive: return "inconclusive \(interval); \(limits(row, comparison))"
        default: return "\(percent(change.median)) \(interval)\(mark)"
        }
    }

    /// What an inconclusive row could have found, and what finds less.
    private static func limits(_ row: Comparison.Row, _ comparison: Comparison) -> String {
        if let reason = row.reason { return reason }
        let found = row.smallestFound.map { "finds \(amount($0)) or more; " } ?? ""
        let size = number(row.threshold ?? comparison.threshold)
        guard let samples = row.samplesNeeded else {
            return found
                + (comparison.isPaired
                    ? "\(size) needs more than \(Figures.grouped(TimeChange.mostSamples)) samples; compare counts"
                    : "\(size) needs --against")
        }
        return found + "\(size) needs --samples \(samples)"
    }

    private static func figure(_ value: Double?) -> String {
        value.map { $0 == 0 ? "0" : Figures.number($0) } ?? "–"
    }

    /// A change: `20 %` for 0.2, `a factor of 3.0` for 2.
    private static func amount(_ change: Double) -> String {
        change < 2 ? number(change) : "a factor of \(Figures.number(min(1 + change, 1e9)))"
    }

    /// `20 %` for 0.2.
    private static func number(_ share: Double) -> String {
        let percent = share * 100
        return percent >= 10 || percent == percent.rounded()
            ? "\(Figures.grouped(Int(min(percent, 1e9).rounded(.up)))) %" : "\(Figures.number(percent)) %"
    }

    /// An end of an interval, without digits that mean nothing.
    private static func end(_ ratio: Double) -> String {
        let percent = (ratio - 1) * 100
        let sign = percent < 0 ? "−" : "+"
        let size = min(abs(percent), 1e9)
        return sign + (size < 9.95 ? String(format: "%.1f", size) : Figures.grouped(Int(size.rounded()))) + " %"
    }

    /// `+5.2 %` for 1.052.
    static func percent(_ ratio: Double) -> String {
        let percent = (ratio - 1) * 100
        return (percent < 0 ? "−" : "+") + Figures.number(abs(percent)) + " %"
    }
}
