/// Ratios with their intervals, one below the other over a logarithmic axis.
struct ForestPlot {
    struct Row {
        var name: String
        /// The place on the page that tells more, without `#`.
        var anchor: String
        var estimate: RatioEstimate
        /// The class of the row, see ``ForestPlot/key``.
        var style: String
        /// Whether the machine disturbed the measurement so much that a reader should know.
        var isDisturbed: Bool
    }

    /// What is divided by what.
    let title: String
    let rows: [Row]
    /// The smallest change that matters: 0.1 is 10 %. The band of what is the same is as wide.
    let threshold: Double

    private let width = 540.0
    private let right = 62.0
    private let rowHeight = 19.0
    private let top = 46.0
    /// The width of a character, of the larger font of phones.
    private let character = 8.6
    private let longestName = 26

    /// The class of a row whose ratio has this verdict.
    static func style(_ verdict: Verdict, isRegression: Bool = false) -> String {
        isRegression ? "regression" : verdict.rawValue
    }

    /// What the colours and shapes mean, as markup.
    ///
    /// - Parameter styles: Classes, with their meaning.
    static func key(_ styles: [(style: String, text: String)], hasDisturbed: Bool) -> String {
        var parts = styles.map { style, text in
            Markup.element("span", [("class", "key \(style)")], "●") + " " + Markup.escaped(text)
        }
        parts.append("shaded: the same")
        if hasDisturbed { parts.append("hollow: the machine disturbed more than a fifth of the rounds") }
        return Markup.element("p", [("class", "quiet")], parts.joined(separator: "; ") + ".")
    }

    /// nil if there are no rows.
    func svg() -> String? {
        let rows = rows.filter { $0.estimate.median > 0 && $0.estimate.median.isFinite }
        let longest = min(longestName, rows.map(\.name.count).max() ?? 0)
        let left = Double(longest) * character + 10
        let same = 1 / (1 + threshold)...1 + threshold
        // A wide interval mustn't make all others small. It ends at the edge, with an arrow.
        let medians = rows.map(\.estimate.median) + [same.lowerBound, same.upperBound]
        let (least, most) = ((medians.min() ?? 1) / 1.5, (medians.max() ?? 1) * 1.5)
        let ends = rows.flatMap { [$0.estimate.low, $0.estimate.high] }.map { min(max($0, least), most) }
        guard !rows.isEmpty, let axis = LogAxis(around: medians + ends, from: left, to: width - right) else {
            return nil
        }
        let bottom = top + Double(rows.count) * rowHeight
        var content = Markup.text(title, x: 0, y: 15)
        let band = [axis.place(same.lowerBound), axis.place(same.upperBound)]
        content += Markup.box(x: band[0], y: top, width: band[1] - band[0], height: bottom - top, "band")
        for mark in axis.marks(atMost: 6) {
            let x = axis.place(mark)
            content += Markup.line(x, top, x, bottom, "grid")
            content += Markup.text(LogAxis.text(mark) + "×", x: x, y: top - 8, anchor: "middle", "mark")
        }
        let one = axis.place(1)
        content += Markup.line(one, top - 4, one, bottom, "one")
        for (index, row) in rows.enumerated() { content += markup(row, axis, top + (Double(index) + 0.5) * rowHeight) }
        let label = "\(title), with intervals, on a logarithmic axis; the figures are in the table below"
        return Markup.image(width: width, height: bottom + 6, label: label, content)
    }

    private func markup(_ row: Row, _ axis: LogAxis, _ y: Double) -> String {
        let (low, high) = (axis.place(row.estimate.low), axis.place(row.estimate.high))
        let short = row.name.count > longestName ? row.name.prefix(longestName - 1) + "…" : row.name
        let name = Markup.text(short, x: axis.start - 10, y: y + 4, anchor: "end")
        var content = Markup.element("a", [("href", "#" + row.anchor)], name)
        content += Markup.line(low, y, high, y, "reach \(row.style)")
        for (value, x, outwards) in [(row.estimate.low, low, -5.0), (row.estimate.high, high, 5.0)] {
            if axis.values.contains(value) {
                content += Markup.line(x, y - 4, x, y + 4, "reach \(row.style)")
            } else {
                let points = [(x, y - 4), (x + outwards, y), (x, y + 4)].map {
                    "\(Markup.number($0.0)),\(Markup.number($0.1))"
                }
                content += Markup.element(
                    "polygon", [("points", points.joined(separator: " ")), ("class", "arrow \(row.style)")])
            }
        }
        content += Markup.circle(
            axis.place(row.estimate.median), y, radius: 4, "dot \(row.style)\(row.isDisturbed ? " hollow" : "")")
        let figure = Figures.number(row.estimate.median) + "×"
        content += Markup.text(figure, x: width, y: y + 4, anchor: "end", "mark")
        let said = "\(row.name): \(figure) \(Figures.interval(row.estimate))"
        return Markup.element("g", [], Markup.element("title", [], Markup.escaped(said)) + content)
    }
}
