/// Says what is wrong with the arguments, in one line.
public struct UsageError: Error, Equatable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// Reads a command line from left to right: `--flag`, `--name value`, `--name=value`, words.
public struct ArgumentReader {
    /// One thing on the command line.
    public enum Item: Equatable {
        case option(String)
        case word(String)
    }

    private var rest: ArraySlice<String>
    private var attached: String?
    private let known: [String]

    /// - Parameter known: The names of all options, with their dashes.
    public init(_ arguments: [String], known: [String]) {
        rest = arguments[...]
        self.known = known
    }

    /// The next option or word, or nil at the end.
    public mutating func next() throws -> Item? {
        if let attached { throw UsageError("an option got a value that it doesn't take: '\(attached)'") }
        guard let argument = rest.popFirst() else { return nil }
        guard argument.hasPrefix("-"), argument.count > 1 else { return .word(argument) }
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard known.contains(name) else {
            let near = NearMiss.suggestions(for: name, among: known)
            let hint = near.isEmpty ? "see --help" : "did you mean \(near.joined(separator: " or "))?"
            throw UsageError("unknown option '\(name)'; \(hint)")
        }
        if parts.count == 2 { attached = String(parts[1]) }
        return .option(name)
    }

    /// The value of the option just read.
    public mutating func value(of option: String, _ meaning: String) throws -> String {
        let taken = attached
        attached = nil
        if let value = taken ?? rest.popFirst(), !value.isEmpty { return value }
        throw UsageError("\(option) needs \(meaning)")
    }

    /// The value of the option just read, a whole number from `least`.
    public mutating func count(of option: String, _ meaning: String, least: Int = 1) throws -> Int {
        let text = try value(of: option, meaning)
        guard let number = Int(text), number >= least else {
            throw UsageError("\(option) is \(meaning), a whole number from \(least), not '\(text)'")
        }
        return number
    }
}
