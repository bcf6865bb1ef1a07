import Foundation

/// A curve for each build, or dots, over two logarithmic axes.
struct CurveChart {
    enum Side { case aboveLeft, belowRight }

    struct Point {
        var x: Double
        var y: Double
        /// The name of a dot; nil for a point of a line.
        var name: String?
        /// Where the name is written beside the dot; nil for nowhere.
        var side: Side?
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
        for curve in curves { content += markup(curve, place) }
        content += Markup.text(xTitle, x: width - right, y: height - 8, anchor: "end", "mark")
        content += Markup.text(yTitle, x: 4, y: 38, "mark")
        content += legend()
        return Markup.image(width: width, height: height, label: label, content)
    }

    private func legend() -> String {
        curves.enumerated().map { index, curve in
            let x = left + Double(index) * 140
            let isLine = curve.points.contains { $0.name == nil }
            let sample =
                isLine
                ? Markup.line(x, 10, x + 28, 10, "curve \(curve.style)")
                : Markup.circle(x + 24, 10, radius: 4, "dot \(curve.style)")
            return sample + Markup.text(curve.name, x: x + 34, y: 15)
        }.joined()
    }

    private func markup(_ curve: Curve, _ place: (Point) -> (x: Double, y: Double)) -> String {
        let points = curve.points.filter { $0.x > 0 && $0.y > 0 }
        let path = points.filter { $0.name == nil }.map { point in
            let (x, y) = place(point)
            return "\(Markup.number(x)),\(Markup.number(y))"
        }
        var content = ""
        if !path.isEmpty {
            let attributes = [("points", path.joined(separator: " ")), ("class", "curve \(curve.style)")]
            content += Markup.element("polyline", attributes)
        }
        var named: [(x: Double, y: Double)] = []
        for point in points {
            let place = place(point)
            // Names of neighbours would cover each other.
            let isFree = !named.contains { abs($0.x - place.x) < 110 && abs($0.y - place.y) < 16 }
            if isFree, point.side != nil { named.append(place) }
            content += dot(point, place, curve.style, isNamed: isFree)
        }
        return content
    }

    /// A dot with its name, which a reader sees who points at it; nothing for a point of a line.
    private func dot(_ point: Point, _ place: (x: Double, y: Double), _ style: String, isNamed: Bool) -> String {
        guard let name = point.name else { return "" }
        var content = Markup.element("title", [], Markup.escaped(name))
        content += Markup.circle(place.x, place.y, radius: 4, "dot \(style)")
        switch isNamed ? point.side : nil {
        case .aboveLeft: content += Markup.text(name, x: place.x - 8, y: place.y - 2, anchor: "end", "mark")
        case .belowRight: content += Markup.text(name, x: place.x + 8, y: place.y + 12, "mark")
        case nil: break
        }
        return Markup.element("g", [], content)
    }
}
