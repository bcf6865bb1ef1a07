/// A table, as text with aligned columns, Markdown or CSV.
public struct Table {
    public enum Alignment: Sendable {
        case left
        case right
    }

    private(set) var titles: [String]
    private var alignments: [Alignment]
    private var rows: [[String]] = []
    private var styles: [Terminal.Style?] = []

    /// - Parameter alignments: By default, the first column is aligned left and the others right.
    public init(_ titles: [String], alignments: [Alignment]? = nil) {
        self.titles = titles
        self.alignments = alignments ?? titles.indices.map { $0 == 0 ? .left : .right }
        precondition(self.alignments.count == titles.count, "Each column has one title and one alignment.")
    }

    public var isEmpty: Bool { rows.isEmpty }

    /// - Parameter style: The colour of the row on a terminal.
    public mutating func add(_ cells: [String], style: Terminal.Style? = nil) {
        precondition(cells.count == titles.count, "A row has \(titles.count) cells, not \(cells.count).")
        rows.append(cells)
        styles.append(style)
    }

    /// The table with underlined titles, without trailing blanks.
    ///
    /// - Parameter terminal: If given, the text fits, whatever the cells are. The last column is broken into lines if it is
    ///   aligned left. If that isn't enough, each cell has a line of its own, with its title.
    public func text(_ terminal: Terminal? = nil) -> String {
        if let terminal, !fits(terminal.width) { return stacked(terminal) }
        var widths = self.widths
        if let terminal, alignments.last == .left, let last = widths.indices.last {
            let others = widths.dropLast().reduce(0) { $0 + $1 + 2 }
            widths[last] = min(widths[last], max(Self.narrowest, terminal.width - others))
        }
        let rule = String(repeating: "─", count: widths.reduce(0, +) + 2 * (widths.count - 1))
        var lines = [self.lines(of: titles, widths), [rule]]
        for (row, style) in zip(rows, styles) {
            lines.append(self.lines(of: row, widths).map { terminal?.styled($0, style) ?? $0 })
        }
        return lines.flatMap(\.self).joined(separator: "\n")
    }

    /// A last column isn't made narrower than this.
    private static let narrowest = 28

    private var widths: [Int] {
        titles.indices.map { column in ([titles] + rows).map { $0[column].count }.max() ?? 0 }
    }

    /// The columns that the table needs, if its last column is broken into lines.
    private var neededWidth: Int {
        let widths = widths
        let last =
            alignments.last == .left && widths.count > 1 ? min(widths.last ?? 0, Self.narrowest) : widths.last ?? 0
        return widths.dropLast().reduce(0) { $0 + $1 + 2 } + last
    }

    /// The table without the columns whose cells are all one of `words`. If there are no rows, all columns remain.
    public func without(columnsOf words: Set<String>) -> (table: Table, removed: [String]) {
        let removed = titles.indices.dropFirst().filter { column in
            !rows.isEmpty && rows.allSatisfy { words.contains($0[column]) }
        }
        return (removing(Array(removed)), removed.map { titles[$0] })
    }

    /// The table without as many of the columns `expendable`, the first one first, as don't fit.
    public func fitted(to width: Int, expendable: [String]) -> (table: Table, removed: [String]) {
        var table = self
        var removed: [String] = []
        for title in expendable where table.neededWidth > width {
            guard let column = table.titles.firstIndex(of: title) else { continue }
            table = table.removing([column])
            removed.append(title)
        }
        return (table, removed)
    }

    /// Whether the table fits.
    func fits(_ width: Int) -> Bool { neededWidth <= width }

    private func removing(_ columns: [Int]) -> Table {
        func kept<Value>(_ values: [Value]) -> [Value] {
            values.indices.filter { !columns.contains($0) }.map { values[$0] }
        }
        var table = self
        table.titles = kept(titles)
        table.alignments = kept(alignments)
        table.rows = rows.map(kept)
        return table
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

    /// The rows below each other: the first cell of each, and below it the others with their titles.
    private func stacked(_ terminal: Terminal) -> String {
        let widest = titles.dropFirst().map(\.count).max() ?? 0
        return zip(rows, styles).map { row, style in
            var lines = Self.broken(row[0], terminal.width, indent: 2)
            for (title, cell) in zip(titles, row).dropFirst() {
                let blanks = String(repeating: " ", count: widest - title.count + 2)
                lines += Self.broken("  " + title + blanks + cell, terminal.width, indent: 4)
            }
            return terminal.styled(lines.joined(separator: "\n"), style)
        }.joined(separator: "\n")
    }

    /// `text` in lines of at most `width` characters. They are broken at blanks, and in words that are longer than a line.
    /// Lines after the first begin with `indent` blanks.
    private static func broken(_ text: String, _ width: Int, indent: Int = 0) -> [String] {
        let blanks = String(repeating: " ", count: indent)
        var lines: [String] = []
        for line in Terminal.wrap(text, width, indent: indent) {
            var rest = Substring(line)
            while rest.count > width {
                lines.append(String(rest.prefix(width)))
                rest = blanks + rest.dropFirst(width)
            }
            lines.append(String(rest))
        }
        return lines
    }

    /// A row; more than one line if its last cell is broken.
    private func lines(of cells: [String], _ widths: [Int]) -> [String] {
        let last = alignments.last == .left ? Self.broken(cells.last ?? "", widths.last ?? 0) : [cells.last ?? ""]
        let indent = String(repeating: " ", count: widths.dropLast().reduce(0) { $0 + $1 + 2 })
        return [line(of: cells.dropLast() + [last[0]], widths)] + last.dropFirst().map { indent + $0 }
    }

    private func line(of cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for column in cells.indices {
            let blanks = String(repeating: " ", count: max(0, widths[column] - cells[column].count))
            line += alignments[column] == .left ? cells[column] + blanks : blanks + cells[column]
            if column + 1 < cells.count { line += "  " }
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
