import CBenchmarkSupport
import Foundation

/// What standard output shows: how wide, and whether in colour.
public struct Terminal: Equatable, Sendable {
    /// The number of columns.
    public var width: Int
    public var isColored: Bool

    /// The width where there is no terminal.
    public static let defaultWidth = 80

    public init(width: Int = Terminal.defaultWidth, isColored: Bool = false) {
        self.width = max(20, width)
        self.isColored = isColored
    }

    /// Standard output. `--color` decides about colour, then `NO_COLOR` (https://no-color.org), then whether it is a terminal.
    public init(_ arguments: ParsedArguments) {
        let columns = Self.columns(of: STDOUT_FILENO)
        self.init(
            width: columns ?? Self.defaultWidth,
            isColored: Self.isColored(
                arguments["--color"], isTerminal: columns != nil, ProcessInfo.processInfo.environment))
    }

    static func isColored(_ choice: String?, isTerminal: Bool, _ environment: [String: String]) -> Bool {
        switch choice {
        case "always": true
        case "never": false
        default: isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        }
    }

    /// The columns of the terminal behind a descriptor; nil if it is none. A terminal that doesn't say has 80.
    static func columns(of descriptor: Int32) -> Int? {
        let columns = Int(bench_terminal_columns(descriptor))
        return columns < 0 ? nil : columns == 0 ? defaultWidth : columns
    }

    /// The meaning of a colour.
    public enum Style: String, Sendable {
        case bad = "31"
        case good = "32"
        case doubtful = "33"
        case heading = "1"
    }

    func styled(_ text: String, _ style: Style?) -> String {
        guard isColored, let style else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { "\u{1B}[\(style.rawValue)m\($0)\u{1B}[0m" }.joined(separator: "\n")
    }

    /// `text` in lines that fit, broken at blanks. Lines after the first begin with `indent` blanks.
    public func wrapped(_ text: String, indent: Int = 0) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Self.wrap(String($0), width, indent: indent).joined(separator: "\n") }.joined(separator: "\n")
    }

    /// A word that is longer than a line has a line of its own.
    static func wrap(_ text: String, _ width: Int, indent: Int = 0) -> [String] {
        guard text.count > width else { return [text] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = String(repeating: " ", count: indent) + word
            } else {
                line += (line.isEmpty ? "" : " ") + word
            }
        }
        return lines + [line]
    }
}
