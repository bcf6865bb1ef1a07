import Foundation

/// How often each value occurred in each interval: a picture of latency over time.
///
/// The darker a cell, or the brighter on a dark page, the larger the logarithm of its count. Cells with the count 0 are empty.
/// The picture has the colours of the page that it is in: see ``HTMLPage``.
public struct HeatMap: Sendable {
    private let title: String
    private let xLabel: String
    private let yLabel: String
    private let columns: [String]
    private let rows: [String]
    private let counts: [[UInt64]]

    private let width = 540.0
    private let right = 12.0
    private let top = 48.0
    private let bottom = 44.0
    private let levels = 8
    /// The width of a character, of the larger font of phones.
    private let character = 8.5

    /// - Parameters:
    ///   - title: What is counted: a few words above the picture, and its description for screen readers.
    ///   - xLabel: What the columns are, with the unit.
    ///   - yLabel: What the rows are, with the unit.
    ///   - columns: The names of the columns, from left to right. If there are many, some are shown.
    ///   - rows: The names of the rows, from the lowest one upwards.
    ///   - counts: By column, then by row: as many as there are names.
    public init(
        title: String, xLabel: String, yLabel: String, columns: [String], rows: [String], counts: [[UInt64]]
    ) {
        precondition(
            counts.count == columns.count && counts.allSatisfy { $0.count == rows.count },
            "A column has a count for each row: got \(counts.map(\.count)) for \(columns.count) × \(rows.count).")
        self.title = title
        self.xLabel = xLabel
        self.yLabel = yLabel
        self.columns = columns
        self.rows = rows
        self.counts = counts
    }

    /// The picture as an element of a page. It has at most 540 units of width and about 330 of height, whatever it contains.
    ///
    /// - Complexity: O(n) for n counts. A cell takes about 20 bytes.
    public var svg: String {
        let most = counts.joined().max() ?? 0
        let left = min(160, Double(rows.map(\.count).max() ?? 0) * character + 12)
        let plot = (width: width - left - right, height: min(240, 20 * Double(max(1, rows.count))))
        let height = top + plot.height + bottom
        var content = Markup.text(shortened(title, to: width), x: 0, y: 15)
        content += Markup.text(yLabel, x: 0, y: 38, "mark")
        if most > 0 { content += legend(most) }
        content += cells(most, left, plot)
        content += Markup.names(
            columns, from: left, to: left + plot.width, y: top + plot.height + 18, character: character, gap: 14,
            width: width)
        content += rowNames(left, plot)
        content += Markup.line(left, top + plot.height, width - right, top + plot.height, "grid")
        content += Markup.text(xLabel, x: width - right, y: height - 8, anchor: "end", "mark")
        let label = "\(title): counts by \(xLabel) and \(yLabel); the largest is \(text(most))"
        return Markup.image(width: width, height: height, label: label, content)
    }

    /// One path for each colour, with all of its cells.
    private func cells(_ most: UInt64, _ left: Double, _ plot: (width: Double, height: Double)) -> String {
        // Neighbours have the same rounded edges, so that no line of the page shows between them.
        func edge(_ index: Int, _ count: Int, _ length: Double) -> Double {
            (10 * length * Double(index) / Double(max(1, count))).rounded() / 10
        }
        var paths = Array(repeating: "", count: levels)
        for (column, values) in counts.enumerated() {
            let x = edge(column, columns.count, plot.width)
            let width = edge(column + 1, columns.count, plot.width) - x
            for (row, count) in values.enumerated() where count > 0 {
                let y = edge(row + 1, rows.count, plot.height)
                let height = y - edge(row, rows.count, plot.height)
                let corner = "M\(Markup.number(left + x)) \(Markup.number(top + plot.height - y))"
                let size = (Markup.number(width), Markup.number(height))
                paths[level(count, most)] += "\(corner)h\(size.0)v\(size.1)h-\(size.0)z"
            }
        }
        return paths.enumerated().filter { !$0.element.isEmpty }.map { level, path in
            Markup.element("path", [("class", "heat"), ("fill-opacity", opacity(level)), ("d", path)])
        }.joined()
    }

    /// The colour of a count: the levels divide the logarithms from 1 to the largest count evenly.
    private func level(_ count: UInt64, _ most: UInt64) -> Int {
        guard most > 1 else { return levels - 1 }
        return min(levels - 1, Int(log(Double(count)) / log(Double(most)) * Double(levels)))
    }

    private func opacity(_ level: Int) -> String {
        String(format: "%.2f", 0.15 + 0.85 * Double(level) / Double(levels - 1))
    }

    /// The colours from the count 1 to the largest one, at the right edge.
    private func legend(_ most: UInt64) -> String {
        let last = text(most)
        let used = most > 1 ? Array(0..<levels) : [levels - 1]
        let end = width - right - Double(last.count) * character - 6
        var content = Markup.text(last, x: width - right, y: 38, anchor: "end", "mark")
        for (place, level) in used.reversed().enumerated() {
            content += Markup.element(
                "rect",
                [
                    ("x", Markup.number(end - 14 * Double(place + 1))), ("y", "27"), ("width", "14"), ("height", "12"),
                    ("class", "heat"), ("fill-opacity", opacity(level)),
                ])
        }
        let start = end - 14 * Double(used.count) - 6
        return content + Markup.text(most > 1 ? "count 1" : "count", x: start, y: 38, anchor: "end", "mark")
    }

    private func rowNames(_ left: Double, _ plot: (width: Double, height: Double)) -> String {
        let cell = plot.height / Double(max(1, rows.count))
        let step = max(1, Int((18 / cell).rounded(.up)))
        return stride(from: 0, to: rows.count, by: step).map { index in
            let y = top + plot.height - (Double(index) + 0.5) * cell + 4
            return Markup.text(shortened(rows[index], to: left - 8), x: left - 8, y: y, anchor: "end", "mark")
        }.joined()
    }

    private func shortened(_ text: String, to width: Double) -> String {
        let most = Int(width / character)
        return text.count <= most ? text : text.prefix(most - 1) + "…"
    }

    private func text(_ count: UInt64) -> String { Figures.grouped(Int(clamping: count)) }
}
