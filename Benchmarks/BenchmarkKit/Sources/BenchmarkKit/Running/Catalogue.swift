/// Selects scenarios by name.
public enum Catalogue {
    /// The entries of `catalogue` whose names begin with one of `prefixes`, in the catalogue's order.
    ///
    /// - Throws: ``UsageError`` that suggests names if no name begins with a prefix.
    public static func filter(_ catalogue: [ScenarioEntry], by prefixes: [String]) throws -> [ScenarioEntry] {
        for prefix in prefixes {
            guard !prefix.isEmpty else { throw UsageError("--filter has an empty prefix; see --list") }
            guard !catalogue.contains(where: { $0.name.hasPrefix(prefix) }) else { continue }
            let near = NearMiss.suggestions(for: prefix, among: catalogue.map(\.name))
            let hint = near.isEmpty ? "see --list" : "near: \(near.joined(separator: ", "))"
            throw UsageError("no scenario begins with '\(prefix)'; \(hint)")
        }
        return catalogue.filter { entry in prefixes.contains { entry.name.hasPrefix($0) } }
    }
}
