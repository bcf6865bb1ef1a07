/// Selects scenarios by name.
public enum Catalogue {
    /// A part of a filter: `PREFIX`, `NAME$` for exactly that name, or `/EXPRESSION/`.
    struct Pattern {
        private let text: String
        private let expression: Regex<AnyRegexOutput>?

        init(_ text: String) throws {
            self.text = text
            guard text.count > 2, text.hasPrefix("/"), text.hasSuffix("/") else {
                expression = nil
                return
            }
            do {
                expression = try Regex(String(text.dropFirst().dropLast()))
            } catch {
                throw UsageError("'\(text)' isn't a regular expression")
            }
        }

        func matches(_ name: String) -> Bool {
            if let expression { return name.contains(expression) }
            return text.hasSuffix("$") ? name == text.dropLast() : name.hasPrefix(text)
        }

        /// What is wrong if no name matches.
        func problem(among names: [String]) -> String {
            if expression != nil { return "no scenario matches \(text); see --list" }
            let isExact = text.hasSuffix("$")
            let name = isExact ? String(text.dropLast()) : text
            let near = NearMiss.suggestions(for: name, among: names)
            let hint = near.isEmpty ? "see --list" : "near: \(near.joined(separator: ", "))"
            return "no scenario \(isExact ? "is called" : "begins with") '\(name)'; \(hint)"
        }
    }

    /// The entries of `catalogue` that one of `filters` names, in the catalogue's order. A filter is a list with commas of
    /// prefixes and of exact names (`NAME$`), or one regular expression (`/EXPRESSION/`).
    ///
    /// - Parameter option: The option that has the filters, for messages.
    /// - Throws: ``UsageError`` that suggests names if a part of a filter matches no name.
    public static func filter(
        _ catalogue: [ScenarioEntry],
        by filters: [String],
        option: String = "--filter"
    ) throws -> [ScenarioEntry] {
        let patterns = try patterns(filters, among: catalogue.map(\.name), option)
        return catalogue.filter { entry in patterns.contains { $0.matches(entry.name) } }
    }

    /// Which of `names`, those of one or more reports, `--filter` and `--exclude` select: all, without these options.
    ///
    /// - Throws: ``UsageError`` that suggests names if a part of a filter matches none.
    static func selection(
        _ arguments: ParsedArguments, among names: [String]
    ) throws -> (String) -> Bool {
        let wanted = try patterns(arguments.all("--filter"), among: names, "--filter")
        let unwanted = try patterns(arguments.all("--exclude"), among: names, "--exclude")
        return { name in
            (wanted.isEmpty || wanted.contains { $0.matches(name) }) && !unwanted.contains { $0.matches(name) }
        }
    }

    private static func patterns(_ filters: [String], among names: [String], _ option: String) throws -> [Pattern] {
        try filters.flatMap { filter in
            // A regular expression may have commas.
            let isExpression = filter.hasPrefix("/") && filter.hasSuffix("/")
            let parts =
                isExpression
                ? [filter] : filter.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return try parts.map { part in
                guard !part.isEmpty else { throw UsageError("\(option) has an empty prefix; see --list") }
                let pattern = try Pattern(part)
                guard names.contains(where: pattern.matches) else { throw UsageError(pattern.problem(among: names)) }
                return pattern
            }
        }
    }
}
