/// A stream as a line of text, one character for each step of time.
///
///     --a-(bc)--|
///
/// `-` is a step in which nothing happens, `|` the completion, `#` a failure, `!` an interruption, and any other character
/// a value. A value of several characters is in brackets, as in `[ab]`. What is in parentheses are events of one and the
/// same step, in their order. Spaces are there for the reader. The first character is the step at time 0.
public struct Marbles: Equatable, Sendable {
    /// What happens in one step.
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

    /// What happens in each step; nothing after the last one.
    public internal(set) var steps: [[Marble]] = []

    /// Reads a line. It is an error if a parenthesis or a bracket has no partner.
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

    /// Adds an event to a step, which is the last one or comes after it.
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
    /// Reads a line.
    public init(stringLiteral line: String) { self.init(line) }
}

extension Marbles: CustomStringConvertible {
    /// The line. Values of several characters are in brackets.
    public var description: String {
        steps.map { step in
            let text = step.map(\.description).joined()
            return step.isEmpty ? "-" : step.count == 1 ? text : "(\(text))"
        }.joined()
    }
}

extension Marbles.Marble: CustomStringConvertible {
    /// The character of a line; a value of several characters in brackets.
    public var description: String {
        switch self {
        case .value(let text): text.count == 1 ? text : "[\(text)]"
        case .failed: "#"
        case .completed: "|"
        case .interrupted: "!"
        }
    }
}

/// The failure in a ``Marbles`` line.
public struct MarbleError: Error, Equatable {
    /// Makes one. They are all alike.
    public init() {}
}
