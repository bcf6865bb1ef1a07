/// The kind of a word or of an option's value, which tells a shell how to complete it.
public enum Completion: Equatable, Sendable {
    case nothing
    case file
    case directory
    case scenario
    case words([String])
}

/// An option of a command, for help, parsing and completion.
public struct OptionDescription: Equatable, Sendable {
    public var name: String
    /// The name of its value in the help; nil if it takes none.
    public var value: String?
    public var help: String
    public var completion: Completion
    /// Whether the help leaves it out.
    public var isHidden: Bool

    public init(
        _ name: String,
        _ value: String? = nil,
        _ help: String,
        completion: Completion = .nothing,
        isHidden: Bool = false
    ) {
        self.name = name
        self.value = value
        self.help = help
        self.completion = completion
        self.isHidden = isHidden
    }
}

/// A subcommand, for help, parsing and completion.
public struct CommandDescription: Equatable, Sendable {
    public var name: String
    /// Its words, as the help shows them.
    public var words: String
    public var summary: String
    /// More about the command, for its own help.
    public var details: String
    public var options: [OptionDescription]
    /// The kind of its first word; later words are files.
    public var completion: Completion
    /// The smallest and the largest number of words.
    public var wordCount: ClosedRange<Int>
    public var isHidden: Bool

    public init(
        _ name: String,
        words: String = "",
        _ summary: String,
        details: String = "",
        options: [OptionDescription] = [],
        completion: Completion = .nothing,
        wordCount: ClosedRange<Int> = 0...0,
        isHidden: Bool = false
    ) {
        self.name = name
        self.words = words
        self.summary = summary
        self.details = details
        self.options = options + [OptionDescription("--help", "print this and exit")]
        self.completion = completion
        self.wordCount = wordCount
        self.isHidden = isHidden
    }
}

extension CommandDescription {
    /// The command with further options, before `--help`.
    func taking(_ options: [OptionDescription]) -> CommandDescription {
        var command = self
        command.options.insert(contentsOf: options, at: command.options.count - 1)
        return command
    }
}

extension OptionDescription {
    /// An option without a value.
    public init(_ name: String, _ help: String) {
        self.init(name, nil, help)
    }
}

/// A command line, parsed according to a description.
public struct ParsedArguments: Equatable, Sendable {
    public private(set) var words: [String] = []
    private var options: [String: [String]] = [:]

    /// Reads `arguments`, those after the command's name.
    ///
    /// - Throws: ``UsageError`` with one line that names the mistake and suggests a correction.
    public init(_ arguments: [String], of command: CommandDescription) throws {
        let known = Set(command.options.map(\.name) + ["-h", "-o"]).sorted()
        var reader = ArgumentReader(arguments, known: known)
        while let item = try reader.next() {
            switch item {
            case .word(let word): words.append(word)
            case .option("-h"): options["--help", default: []].append("")
            case .option(let given):
                let name = given == "-o" ? "--output" : given
                guard let option = command.options.first(where: { $0.name == name }) else {
                    throw UsageError("\(command.name) doesn't take '\(given)'; see \(command.name) --help")
                }
                var value = try option.value.map { try reader.value(of: given, $0) } ?? ""
                if value == "md", option.name == "--format" { value = OutputFormat.markdown.rawValue }
                if case .words(let allowed) = option.completion, !allowed.contains(value) {
                    throw Self.unknown("\(name) is one of \(allowed.joined(separator: ", "))", value, among: allowed)
                }
                options[name, default: []].append(value)
            }
        }
        guard !has("--help") else { return }
        if words.count > command.wordCount.upperBound {
            let unexpected = words[command.wordCount.upperBound]
            throw UsageError("\(command.name) doesn't take '\(unexpected)'; see \(command.name) --help")
        }
        if words.count < command.wordCount.lowerBound {
            throw UsageError("\(command.name) needs \(command.words); see \(command.name) --help")
        }
        if case .words(let allowed) = command.completion, let word = words.first, !allowed.contains(word) {
            throw Self.unknown("\(command.name) takes one of \(allowed.joined(separator: ", "))", word, among: allowed)
        }
    }

    static func unknown(_ what: String, _ value: String, among allowed: [String]) -> UsageError {
        let near = NearMiss.suggestions(for: value, among: allowed)
        let hint = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
        return UsageError("\(what), not '\(value)'\(hint)")
    }

    public func has(_ name: String) -> Bool { options[name] != nil }

    /// All values of an option that may be given more than once.
    public func all(_ name: String) -> [String] { options[name] ?? [] }

    /// The value of an option, the last one if it was given more than once.
    public subscript(name: String) -> String? { options[name]?.last }

    /// A whole number from `least`, or nil if the option isn't there.
    public func count(_ name: String, _ meaning: String, least: Int = 1) throws -> Int? {
        try self[name].map { text in
            guard let number = Int(text), number >= least else {
                throw UsageError("\(name) is \(meaning), a whole number from \(least), not '\(text)'")
            }
            return number
        }
    }

    /// A number above 0, or nil if the option isn't there.
    public func number(_ name: String, _ meaning: String) throws -> Double? {
        try self[name].map { text in
            guard let number = Double(text), number > 0, number.isFinite else {
                throw UsageError("\(name) is \(meaning), a number above 0, not '\(text)'")
            }
            return number
        }
    }
}
