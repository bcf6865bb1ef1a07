import Foundation

/// A figure with its interval in each run, the oldest one on the left, and the run from which it differs.
struct TrendChart {
    let title: String
    /// The names of all runs.
    let runs: [String]
    let trend: Trend
    let change: Trend.Change?

    private let width = 540.0
    private let height = 190.0
    private let left = 64.0
    private let right = 12.0
    private let top = 28.0
    private let bottom = 30.0
    /// The width of a character, of the larger font of phones.
    private let character = 8.5

    /// nil if no run has the figure.
    func svg() -> String? {
        let points = trend.points.filter { $0.estimate.median > 0 }
        let ends = points.flatMap { [$0.estimate.low, $0.estimate.median, $0.estimate.high] }.filter { $0 > 0 }
        guard let axis = LogAxis(around: ends, from: height - bottom, to: top) else { return nil }
        var content = Markup.text(title, x: 0, y: 15)
        for mark in axis.marks(atMost: 5) {
            let y = axis.place(mark)
            content += Markup.line(left, y, width - right, y, "grid")
            content += Markup.text(LogAxis.text(mark), x: left - 8, y: y + 4, anchor: "end", "mark")
        }
        content += Markup.names(
            runs, from: left, to: width - right, y: height - 8, character: character, gap: 8, width: width)
        if let change { content += markup(change, axis) }
        for point in points {
            let x = place(Double(point.run))
            let (low, high) = (axis.place(point.estimate.low), axis.place(point.estimate.high))
            content += Markup.line(x, low, x, high, "reach main")
            for y in [low, high] { content += Markup.line(x - 4, y, x + 4, y, "reach main") }
            let style = "dot main\(point.isDisturbed ? " hollow" : "")"
            content += Markup.circle(x, axis.place(point.estimate.median), radius: 4, style)
        }
        let found = change.map { "; \(words($0)) from \(runs[$0.run]) on" } ?? ""
        let label = "\(title): the figure of each run with its interval, on a logarithmic axis\(found)"
        return Markup.image(width: width, height: height, label: label, content)
    }

    private func place(_ run: Double) -> Double {
        left + (run + 0.5) / Double(max(1, runs.count)) * (width - left - right)
    }

    /// The means before and after, and a line between them.
    private func markup(_ change: Trend.Change, _ axis: LogAxis) -> String {
        let style = change.estimate.median > 1 ? "more" : "less"
        let x = place(Double(change.run) - 0.5)
        var content = Markup.line(x, top, x, height - bottom, "curve \(style)")
        let parts = [trend.points.filter { $0.run < change.run }, trend.points.filter { $0.run >= change.run }]
        for (part, ends) in zip(parts, [(left, x), (x, width - right)]) {
            let mean = exp(Statistics.mean(part.map { log($0.estimate.median) }))
            content += Markup.line(ends.0, axis.place(mean), ends.1, axis.place(mean), "curve \(style)")
        }
        let isLeft = x > width / 2
        let place = (x: x + (isLeft ? -6 : 6), anchor: isLeft ? "end" : "start")
        return content + Markup.text(words(change), x: place.x, y: top + 10, anchor: place.anchor, "mark")
    }

    private func words(_ change: Trend.Change) -> String { Figures.number(change.estimate.median) + "×" }
}
