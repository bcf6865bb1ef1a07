import Foundation

/// Elements of HTML and SVG. Attributes and texts are escaped.
enum Markup {
    /// `text`, escaped for an element or a quoted attribute.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    /// An element around `content`, which is markup and isn't escaped.
    static func element(_ name: String, _ attributes: [(String, String)] = [], _ content: String = "") -> String {
        let written = attributes.map { " \($0.0)=\"\(escaped($0.1))\"" }.joined()
        return "<\(name)\(written)>\(content)</\(name)>"
    }

    /// A coordinate with one decimal place.
    static func number(_ value: Double) -> String {
        let text = String(format: "%.1f", value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The anchor of a scenario.
    static func anchor(_ name: String) -> String {
        "scenario-" + String(name.map { $0.isLetter || $0.isNumber ? $0 : "-" })
    }

    /// An image with a label for screen readers.
    static func image(width: Double, height: Double, label: String, _ content: String) -> String {
        element(
            "svg",
            [
                ("role", "img"), ("aria-label", label), ("viewBox", "0 0 \(number(width)) \(number(height))"),
                ("width", number(width)), ("height", number(height)),
            ], content)
    }

    static func text(_ text: String, x: Double, y: Double, anchor: String = "start", _ style: String = "") -> String {
        element(
            "text",
            [("x", number(x)), ("y", number(y)), ("text-anchor", anchor)] + (style.isEmpty ? [] : [("class", style)]),
            escaped(text))
    }

    static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) -> String {
        element(
            "line",
            [("x1", number(x1)), ("y1", number(y1)), ("x2", number(x2)), ("y2", number(y2)), ("class", style)])
    }

    /// The names of places of equal width beside each other, as many as there is space for. None leaves a picture of `width`.
    ///
    /// - Parameters:
    ///   - character: The width of a character.
    ///   - gap: The least distance of two names.
    static func names(
        _ names: [String], from start: Double, to end: Double, y: Double, character: Double, gap: Double, width: Double
    ) -> String {
        let cell = (end - start) / Double(max(1, names.count))
        let widest = Double(names.map(\.count).max() ?? 0) * character + gap
        return stride(from: 0, to: names.count, by: max(1, Int((widest / cell).rounded(.up)))).map { index in
            let reach = Double(names[index].count) * character / 2
            let x = min(max(start + (Double(index) + 0.5) * cell, reach), width - reach)
            return text(names[index], x: x, y: y, anchor: "middle", "mark")
        }.joined()
    }

    static func circle(_ x: Double, _ y: Double, radius: Double, _ style: String) -> String {
        element("circle", [("cx", number(x)), ("cy", number(y)), ("r", number(radius)), ("class", style)])
    }

    static func box(x: Double, y: Double, width: Double, height: Double, _ style: String) -> String {
        element(
            "rect",
            [
                ("x", number(x)), ("y", number(y)), ("width", number(width)), ("height", number(height)),
                ("class", style),
            ])
    }
}
