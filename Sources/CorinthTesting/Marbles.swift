/// A stream as a line of text, with one character for each step of time.
///
///     --a-(bc)--|
///
/// `-` is a step without an event, `|` the completion, `#` a failure, `!` an interruption, and any other character a value.
/// Brackets enclose a value of several characters, as in `[ab]`. Parentheses enclose the events of a single step, in order.
/// Spaces are ignored. The first character is the step at time 0.
public struct Marbles: Equatable, Sendable {
    /// An event in a step.
    public enum Marble: Equatable, Sendable {
        /// A value.
        case value(String)
        /// A failure.
        case failed
        /// The completion.
        case completed
        /// An interruption.
        case interrupted
    }

    /// The events of each step.
    public internal(set) var steps: [[Marble]] = []

    /// Parses a line. Stops the program if a parenthesis or an opening bracket is unmatched.
    public init(_ line: String) {
        var group: [Marble]?
        var text: String?
        for character in line where !character.isWhitespace {
            if let begun = text, character != "]" {
                text = begun + String(character)
                continue
            }
            switch character {
            case "[": text = ""
            case "(":
                precondition(group == nil, "\"\(line)\" has a parenthesis inside parentheses")
                group = []
            case ")":
                guard let events = group else {
                    preconditionFailure("\"\(line)\" closes a parenthesis that isn't open")
                }
                steps.append(events)
                group = nil
            case "-" where group == nil: steps.append([])
            default:
                let marble = text.map { .value($0) } ?? Marble(character)
                text = nil
                if group == nil { steps.append([marble]) } else { group?.append(marble) }
            }
        }
        precondition(group == nil && text == nil, "\"\(line)\" doesn't close a parenthesis or a bracket")
    }

    init() {}

    /// Adds an event to the last step or to a later one.
    mutating func add(_ marble: Marble, at step: Int) {
        while steps.count <= step { steps.append([]) }
        steps[step].append(marble)
    }
}

extension Marbles.Marble {
    init(_ character: Character) {
        self =
            switch character {
            case "|": .completed
            case "#": .failed
            case "!": .interrupted
            default: .value(String(character))
            }
    }
}

extension Marbles: ExpressibleByStringLiteral {
    /// Parses a line.
    public init(stringLiteral line: String) { self.init(line) }
}

extension Marbles: CustomStringConvertible {
    /// The line. Brackets enclose values of several characters.
    public var description: String {
        steps.map { step in
            let text = step.map(\.description).joined()
            return step.isEmpty ? "-" : step.count == 1 ? text : "(\(text))"
        }.joined()
    }
}

extension Marbles.Marble: CustomStringConvertible {
    /// The event as text. Brackets enclose a value of several characters.
    public var description: String {
        switch self {
        case .value(let text): text.count == 1 ? text : "[\(text)]"
        case .failed: "#"
        case .completed: "|"
        case .interrupted: "!"
        }
    }
}

/// The error of a failure in a ``Marbles`` line.
public struct MarbleError: Error, Equatable {
    /// Makes an error. All are equal.
    public init() {}
}
