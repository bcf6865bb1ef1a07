/// The samples of each build in the order in which they were taken, pass by pass: two modes, drift, and a process that differs
/// from the others are seen.
struct SampleChart {
    struct Strip {
        var name: String
        /// The class that sets the colour.
        var style: String
        var median: Double
        var passes: [[Double]]
        /// The positions of the disturbed samples in each pass.
        var disturbed: [[Int]]
    }

    let title: String
    let unit: String
    let strips: [Strip]

    private let width = 540.0
    private let left = 64.0
    private let right = 8.0
    /// The name of a strip is above it.
    private let head = 22.0
    private let plotHeight = 78.0

    /// nil if no build has samples.
    func svg() -> String? {
        let strips = strips.filter { !$0.passes.joined().isEmpty }
        guard let passes = strips.map(\.passes.count).max() else { return nil }
        let height = Double(strips.count) * (head + plotHeight) + 22
        var content = ""
        for (index, strip) in strips.enumerated() {
            content += markup(strip, passes, top: Double(index) * (head + plotHeight) + head)
        }
        let passWidth = (width - left - right) / Double(passes)
        let step = max(1, Int((26 / passWidth).rounded(.up)))
        for pass in stride(from: 0, to: passes, by: step) {
            let x = left + (Double(pass) + 0.5) * passWidth
            content += Markup.text("\(pass + 1)", x: x, y: height - 6, anchor: "middle", "mark")
        }
        content += Markup.text("pass", x: left - 8, y: height - 6, anchor: "end", "mark")
        let label = "\(title): each sample in \(unit), by pass; medians and ranges are in the table below"
        return Markup.image(width: width, height: height, label: label, content)
    }

    private func markup(_ strip: Strip, _ passes: Int, top: Double) -> String {
        let values = strip.passes.flatMap(\.self)
        let range = Self.range(of: values)
        let bottom = top + plotHeight
        func y(_ value: Double) -> Double {
            let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
            return bottom - 6 - min(max(share, 0), 1) * (plotHeight - 12)
        }
        let passWidth = (width - left - right) / Double(passes)
        var content = Markup.text(strip.name, x: left, y: top - 6)
        for pass in stride(from: 0, to: passes, by: 2) {
            content += Markup.box(
                x: left + Double(pass) * passWidth, y: top, width: passWidth, height: plotHeight, "band")
        }
        let middle = y(strip.median)
        content += Markup.line(left, middle, width - right, middle, "grid")
        for value in [range.lowerBound, strip.median, range.upperBound] {
            let place = y(value)
            // The ends give way to the median.
            if value != strip.median, abs(place - middle) < 15 { continue }
            content += Markup.text(Figures.number(value), x: left - 8, y: place + 4, anchor: "end", "mark")
        }
        var (dots, holes, arrows) = ("", "", "")
        for (pass, samples) in strip.passes.enumerated() {
            for (position, value) in samples.enumerated() {
                let x = left + (Double(pass) + (Double(position) + 1) / Double(samples.count + 1)) * passWidth
                let place = "M\(Markup.number(x)) \(Markup.number(y(value)))"
                if value > range.upperBound {
                    arrows += place + "m-4 3l4 -7l4 7z"
                } else {
                    dots += place + "h0"
                }
                let found = pass < strip.disturbed.count ? strip.disturbed[pass] : []
                // A figure of a whole pass has all of its rounds.
                if samples.count == 1 ? !found.isEmpty : found.contains(position) { holes += place + "h0" }
            }
        }
        for (path, style) in [(dots, "dots \(strip.style)"), (arrows, "arrow \(strip.style)"), (holes, "holes")]
        where !path.isEmpty { content += Markup.element("path", [("class", style), ("d", path)]) }
        return content
    }

    /// What is shown: all values but outliers that would make the others' distances too small to see. Those are arrows at the
    /// upper edge.
    static func range(of values: [Double]) -> ClosedRange<Double> {
        let sorted = values.sorted()
        guard let least = sorted.first, let most = sorted.last else { return 0...1 }
        let low = Statistics.quantile(0.25, ofSorted: sorted)
        let high = Statistics.quantile(0.75, ofSorted: sorted)
        let fence = max(high + 4 * (high - low), 1.02 * high)
        let upper = sorted.last { $0 <= fence } ?? most
        return upper > least ? least...upper : least...least + max(abs(least) * 0.01, .leastNormalMagnitude)
    }
}
