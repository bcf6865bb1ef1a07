/// A stream as a line of text, with one character for each step of time.
///
///     --a-(bc)--|
///
/// `-` is a step without an event, `|` the completion, `#` a failure, `!` an interruption, and a letter or a digit a value.
/// Brackets enclose any other value, as in `[ab]`. Parentheses enclose the events of a single step, in order. Spaces are ignored.
/// The first character is the step at time 0. Nothing follows an end.
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

    /// Parses a line.
    ///
    /// Stops the program, in every build with a message that names the line and the position, if something comes after an end, if
    /// a parenthesis or a bracket is unmatched or nested, if parentheses enclose a `-`, or if a value that is neither a letter nor a
    /// digit isn't in brackets. So a typing error isn't played as another stream.
    ///
    /// - Complexity: O(length).
    public init(_ line: String) {
        var parser = MarblesParser(line)
        for (position, character) in line.enumerated() where !character.isWhitespace {
            parser.read(character, at: position)
        }
        steps = parser.finish()
    }

    init() {}

    /// Adds an event to the last step or to a later one.
    mutating func add(_ marble: Marble, at step: Int) {
        while steps.count <= step { steps.append([]) }
        steps[step].append(marble)
    }
}

extension Marbles: ExpressibleByStringLiteral {
    /// Parses a line.
    public init(stringLiteral line: String) { self.init(line) }
}

extension Marbles: CustomStringConvertible {
    /// The line. Brackets enclose values that aren't one letter or digit.
    public var description: String {
        steps.map { step in
            let text = step.map(\.description).joined()
            return step.isEmpty ? "-" : step.count == 1 ? text : "(\(text))"
        }.joined()
    }
}

extension Marbles.Marble: CustomStringConvertible {
    /// The event as text. Brackets enclose a value that isn't one letter or digit.
    public var description: String {
        switch self {
        case .value(let text): text.count == 1 && text.allSatisfy(\.isMarble) ? text : "[\(text)]"
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
