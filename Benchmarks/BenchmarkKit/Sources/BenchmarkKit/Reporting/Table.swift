/// A table, as text with aligned columns, Markdown or CSV.
public struct Table {
    public enum Alignment: Sendable {
        case left
        case right
    }

    private let titles: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// - Parameter alignments: By default, the first column is aligned left and the others right.
    public init(_ titles: [String], alignments: [Alignment]? = nil) {
        self.titles = titles
        self.alignments = alignments ?? titles.indices.map { $0 == 0 ? .left : .right }
        precondition(self.alignments.count == titles.count, "Each column has one title and one alignment.")
    }

    public var isEmpty: Bool { rows.isEmpty }

    public mutating func add(_ cells: [String]) {
        precondition(cells.count == titles.count, "A row has \(titles.count) cells, not \(cells.count).")
        rows.append(cells)
    }

    /// The table with underlined titles, without trailing blanks.
    public func text() -> String {
        let all = [titles] + rows
        let widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        let rule = String(repeating: "─", count: widths.reduce(0, +) + 2 * (widths.count - 1))
        var lines = all.map { line(of: $0, widths) }
        lines.insert(rule, at: 1)
        return lines.joined(separator: "\n")
    }

    /// The table in Markdown.
    public func markdown() -> String {
        func line(_ cells: [String]) -> String {
            "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
        }
        let rule = "|" + alignments.map { $0 == .left ? " --- " : " ---: " }.joined(separator: "|") + "|"
        return ([line(titles), rule] + rows.map(line)).joined(separator: "\n")
    }

    /// The table as comma-separated values (RFC 4180, but each line ends with a line feed).
    public func csv() -> String {
        func cell(_ text: String) -> String {
            let isPlain = !text.contains { ",\"\r\n".contains($0) }
            return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
        }
        return ([titles] + rows).map { $0.map(cell).joined(separator: ",") }.joined(separator: "\n")
    }

    private func line(of cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for column in cells.indices {
            let blanks = String(repeating: " ", count: widths[column] - cells[column].count)
            line += alignments[column] == .left ? cells[column] + blanks : blanks + cells[column]
            if column + 1 < cells.count { line += "  " }
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
