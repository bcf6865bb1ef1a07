import Foundation

/// A curve for each build, over two logarithmic axes.
struct CurveChart {
    struct Point {
        var x: Double
        var y: Double
    }

    struct Curve {
        var name: String
        /// The class that sets the colour.
        var style: String
        var points: [Point]
    }

    let label: String
    let xTitle: String
    let yTitle: String
    let curves: [Curve]
    /// The marks of the horizontal axis.
    let xMarks: [(place: Double, text: String)]
    /// The text of a mark of the vertical axis.
    let yText: (Double) -> String

    private let width = 540.0
    private let height = 300.0
    private let left = 98.0
    private let right = 34.0
    private let top = 48.0
    private let bottom = 44.0

    /// nil if a logarithmic axis can't show the points.
    func svg() -> String? {
        let points = curves.flatMap(\.points).filter { $0.x > 0 && $0.y > 0 }
        guard let lowX = points.map(\.x).min(), let highX = points.map(\.x).max(), highX > lowX,
            let lowY = points.map(\.y).min(), let highY = points.map(\.y).max()
        else { return nil }
        let horizontal = log10(lowX)...log10(highX)
        let vertical = log10(lowY).rounded(.down)...max(log10(highY).rounded(.up), log10(lowY).rounded(.down) + 1)
        func place(_ point: Point) -> (x: Double, y: Double) {
            let shareX = (log10(point.x) - horizontal.lowerBound) / (horizontal.upperBound - horizontal.lowerBound)
            let shareY = (log10(point.y) - vertical.lowerBound) / (vertical.upperBound - vertical.lowerBound)
            return (left + shareX * (width - left - right), height - bottom - shareY * (height - top - bottom))
        }
        var content = ""
        for exponent in stride(from: vertical.lowerBound, through: vertical.upperBound, by: 1) {
            let value = pow(10, exponent)
            let y = place(Point(x: lowX, y: value)).y
            content += Markup.line(left, y, width - right, y, "grid")
            content += Markup.text(yText(value), x: left - 8, y: y + 4, anchor: "end", "mark")
        }
        for mark in xMarks where mark.place >= lowX && mark.place <= highX {
            let x = place(Point(x: mark.place, y: highY)).x
            content += Markup.line(x, top, x, height - bottom, "grid")
            content += Markup.text(mark.text, x: x, y: height - bottom + 16, anchor: "middle", "mark")
        }
        for curve in curves {
            let path = curve.points.filter { $0.x > 0 && $0.y > 0 }.map { point in
                let (x, y) = place(point)
                return "\(Markup.number(x)),\(Markup.number(y))"
            }
            content += Markup.element(
                "polyline", [("points", path.joined(separator: " ")), ("class", "curve \(curve.style)")])
        }
        content += Markup.text(xTitle, x: width - right, y: height - 8, anchor: "end", "mark")
        content += Markup.text(yTitle, x: 4, y: 38, "mark")
        for (index, curve) in curves.enumerated() {
            let x = left + Double(index) * 140
            content += Markup.line(x, 10, x + 28, 10, "curve \(curve.style)")
            content += Markup.text(curve.name, x: x + 34, y: 15)
        }
        return Markup.image(width: width, height: height, label: label, content)
    }
}
