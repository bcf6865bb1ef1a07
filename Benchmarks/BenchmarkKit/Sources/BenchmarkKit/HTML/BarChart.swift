/// A bar for each build of a scenario, with a line from its smallest to its largest sample.
struct BarChart {
    struct Bar {
        var name: String
        /// The class that sets the colour.
        var style: String
        var value: Double
        var least: Double
        var most: Double
    }

    let title: String
    let unit: String
    let bars: [Bar]

    private let width = 540.0
    private let left = 76.0
    private let right = 96.0
    private let rowHeight = 30.0

    func svg() -> String {
        let height = Double(bars.count) * rowHeight + 8
        // An outlier must not shrink the bars. Its line ends at the edge.
        let longest = bars.map(\.value).max() ?? 0
        let scale = min(bars.map(\.most).max() ?? 0, 1.6 * longest)
        guard scale > 0 else { return "" }
        let reach = width - left - right
        var content = ""
        for (index, bar) in bars.enumerated() {
            let top = Double(index) * rowHeight + 6
            let middle = top + 10
            let length = max(1, bar.value / scale * reach)
            content += Markup.text(bar.name, x: left - 8, y: middle + 4, anchor: "end")
            content += Markup.element(
                "rect",
                [
                    ("x", Markup.number(left)), ("y", Markup.number(top)), ("width", Markup.number(length)),
                    ("height", "20"), ("rx", "2"), ("class", "fill \(bar.style)"),
                ])
            let ends = [bar.least, bar.most].map { left + min(1, $0 / scale) * reach }
            content += Markup.line(ends[0], middle, ends[1], middle, "whisker")
            for end in ends { content += Markup.line(end, middle - 4, end, middle + 4, "whisker") }
            content += Markup.text(Figures.number(bar.value), x: max(left + length, ends[1]) + 6, y: middle + 4)
        }
        let said = bars.map { "\($0.name) \(Figures.number($0.value))" }.joined(separator: ", ")
        return Markup.image(width: width, height: height, label: "\(title), medians in \(unit): \(said)", content)
    }
}
