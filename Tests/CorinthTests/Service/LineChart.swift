import Foundation

/// Lines over time, as SVG for a page with the classes of ``ServiceReport``.
struct LineChart {
    struct Line {
        var name: String
        var style: Int
        var points: [(x: Double, y: Double)]
    }

    var title: String
    var unit: String
    var isLogarithmic = false
    var lines: [Line]
    /// Drawn behind the lines, with a scale of their own.
    var bars: [(x: Double, y: Double)] = []

    private static let size = (width: 720.0, height: 300.0)
    private static let margin = (left: 84.0, right: 8.0, top: 16.0, bottom: 34.0)

    private var longest: Double {
        max(1e-9, (lines.flatMap { $0.points.map(\.x) } + bars.map(\.x)).max() ?? 1)
    }

    private var values: [Double] { lines.flatMap { $0.points.map(\.y) } }

    /// The marks of the vertical axis, from the lowest to the highest.
    private var ticks: [Double] {
        if isLogarithmic {
            let positive = values.filter { $0 > 0 }
            let low = Int(log10(positive.min() ?? 1).rounded(.down))
            let high = max(low + 1, Int(log10(positive.max() ?? 1).rounded(.up)))
            return (low...high).map { pow(10, Double($0)) }
        }
        let high = max(values.max() ?? 1, 1e-9)
        let rough = high / 4
        let power = pow(10, log10(rough).rounded(.down))
        let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= rough } ?? power
        return (0...Int((high / step).rounded(.up))).map { Double($0) * step }
    }

    private func x(_ seconds: Double) -> Double {
        Self.margin.left + (Self.size.width - Self.margin.left - Self.margin.right) * seconds / longest
    }

    private func y(_ value: Double, _ ticks: [Double]) -> Double {
        let scale = { (value: Double) in isLogarithmic ? log10(max(value, ticks[0])) : value }
        let (low, high) = (scale(ticks[0]), scale(ticks[ticks.count - 1]))
        let share = (scale(value) - low) / (high - low)
        return Self.size.height - Self.margin.bottom
            - (Self.size.height - Self.margin.top - Self.margin.bottom) * share
    }

    private static func text(_ number: Double) -> String { String(format: "%.1f", number) }

    /// A figure with a legend, if there are several lines.
    var svg: String {
        let ticks = ticks
        let (left, right) = (Self.margin.left, Self.size.width - Self.margin.right)
        var parts: [String] = []
        if lines.count > 1 {
            let items = lines.map { "<span><i class=\"fill\($0.style)\"></i>\(ServiceReport.escaped($0.name))</span>" }
            parts.append("<div class=\"legend\">\(items.joined())</div>")
        }
        parts.append(
            "<svg viewBox=\"0 0 \(Int(Self.size.width)) \(Int(Self.size.height))\" role=\"img\" "
                + "aria-label=\"\(ServiceReport.escaped(title))\">")
        parts.append(contentsOf: barMarks)
        for (index, tick) in ticks.enumerated() {
            let height = Self.text(y(tick, ticks))
            parts.append("<line class=\"grid\" x1=\"\(left)\" x2=\"\(right)\" y1=\"\(height)\" y2=\"\(height)\"/>")
            let unit = index == ticks.count - 1 && !unit.isEmpty ? " \(unit)" : ""
            let number = tick.formatted(
                .number.precision(.significantDigits(1...3)).locale(Locale(identifier: "en_US")))
            parts.append(
                "<text x=\"\(left - 6)\" y=\"\(Self.text(y(tick, ticks) + 4))\" text-anchor=\"end\">\(number)\(unit)</text>"
            )
        }
        for quarter in 0...4 {
            let seconds = longest * Double(quarter) / 4
            let anchor = quarter == 0 ? "start" : quarter == 4 ? "end" : "middle"
            parts.append(
                "<text x=\"\(Self.text(x(seconds)))\" y=\"\(Self.size.height - 6)\" text-anchor=\"\(anchor)\">"
                    + "\(Self.time(seconds))</text>")
        }
        for line in lines.reversed() {
            let points = line.points.map { "\(Self.text(x($0.x))),\(Self.text(y($0.y, ticks)))" }
            parts.append("<polyline class=\"line line\(line.style)\" points=\"\(points.joined(separator: " "))\"/>")
        }
        parts.append("</svg>")
        return parts.joined(separator: "\n")
    }

    private var barMarks: [String] {
        let most = max(1, bars.map(\.y).max() ?? 1)
        let bottom = Self.size.height - Self.margin.bottom
        let width = (Self.size.width - Self.margin.left - Self.margin.right) / Double(max(1, bars.count))
        return bars.filter { $0.y > 0 }.map { bar in
            let height = 60 * bar.y / most
            return "<rect class=\"bar\" x=\"\(Self.text(x(bar.x) - width))\" y=\"\(Self.text(bottom - height))\" "
                + "width=\"\(Self.text(max(1, width - 1)))\" height=\"\(Self.text(height))\"/>"
        }
    }

    private static func time(_ seconds: Double) -> String {
        seconds < 120 ? "\(Int(seconds.rounded())) s" : "\(String(format: "%.1f", seconds / 60)) min"
    }
}
