/// Reads a line of marbles, a character at a time.
struct MarblesParser {
    private let line: String
    private var steps: [[Marbles.Marble]] = []

    /// The end that was read, if there was one.
    private var end: Character?

    /// The events since an opening parenthesis, and its position.
    private var group: (events: [Marbles.Marble], position: Int)?

    /// The text since an opening bracket, and its position.
    private var text: (value: String, position: Int)?

    init(_ line: String) {
        self.line = line
    }

    mutating func read(_ character: Character, at position: Int) {
        if let begun = text, character != "]" {
            if character == "[" { refuse("has a bracket inside brackets", at: position) }
            text = (begun.value + String(character), begun.position)
            return
        }
        if let end, character != ")" { refuse("has \"\(character)\" after the end \"\(end)\"", at: position) }
        switch character {
        case "[": text = ("", position)
        case "]":
            guard let closed = text else { refuse("closes a bracket that isn't open", at: position) }
            text = nil
            add(.value(closed.value))
        case "(":
            if group != nil { refuse("has a parenthesis inside parentheses", at: position) }
            group = ([], position)
        case ")":
            guard let closed = group else { refuse("closes a parenthesis that isn't open", at: position) }
            group = nil
            steps.append(closed.events)
        case "-":
            if group != nil { refuse("has a step inside parentheses", at: position) }
            steps.append([])
        case "|": add(.completed, end: character)
        case "#": add(.failed, end: character)
        case "!": add(.interrupted, end: character)
        case _ where character.isMarble: add(.value(String(character)))
        default:
            refuse("has \"\(character)\", which must be in brackets: it is neither a letter nor a digit", at: position)
        }
    }

    private mutating func add(_ marble: Marbles.Marble, end: Character? = nil) {
        self.end = end
        if group == nil { steps.append([marble]) } else { group?.events.append(marble) }
    }

    /// The steps of the whole line.
    func finish() -> [[Marbles.Marble]] {
        if let text { refuse("doesn't close a bracket", at: text.position) }
        if let group { refuse("doesn't close a parenthesis", at: group.position) }
        return steps
    }

    /// Not a precondition, which says nothing in an optimised build.
    private func refuse(_ fault: String, at position: Int) -> Never {
        fatalError("the line of marbles \"\(line)\" \(fault), at character \(position + 1)")
    }
}

extension Character {
    /// Whether it is a value in a line without brackets.
    var isMarble: Bool { isLetter || isNumber }
}
