import Foundation
import Testing

/// The documentation lists the differences, and no others. With `CORINTH_WRITE_TABLES=1`, the tests write its tables.
struct GuideTests {
    @Test func theGuideHasARowForEachKind() throws {
        let links = try Article("Contracts").linksToLaws()
        let rows = try Kind.all().filter { !$0.isToBeCured }.map { kind in
            let law = kind.law.replacing(#/\b[A-Z]\d\b/#) { links[String($0.output)] ?? String($0.output) }
            return "| \(kind.subject) | \(kind.reactiveSwift) | \(kind.corinth) | \(law) |"
        }
        try Article("ComingFromReactiveSwift").check(
            ["| What | ReactiveSwift | Corinth | Why |", "|---|---|---|---|"] + rows)
    }

    @Test func theArticleOnEndsHasARowForEachOperatorThatDiffers() throws {
        let recorded = try EndTests.recorded()
        let rows = try Differences("ends").rows.map { difference in
            "| \(Article.name(of: difference.fact)) | \(recorded[difference.fact] ?? "") |"
        }
        try Article("Ends").check(
            ["| Operators | `completed` | `failed` | `interrupted` |", "|---|---|---|---|"] + rows)
    }

    /// The article is written from the laws' registry, whose programs are others than those of the facts. In two rows they differ in
    /// what they do: the predicate here ends the stream at the first value, and the replacement here has sent one.
    @Test func theArticleOnEndsSaysWhatTheProgramsDo() throws {
        let others: Set = ["take(until:) (predicate)", "take(untilReplacement:)"]
        let cells = try Article("Ends").cells()
        for (name, start) in EndingPrograms().all where !others.contains(name) {
            let outcome = EndingPrograms.outcome(of: start)
            #expect(cells[Article.name(of: name)] == outcome, "Ends.md says otherwise of \(name)")
        }
    }

    @Test func theLawsExist() throws {
        let links = try Article("Contracts").linksToLaws()
        for kind in try Kind.all() {
            for law in kind.law.matches(of: #/\b[A-Z]\d\b/#).map(\.output) {
                #expect(
                    links[String(law)] != nil, "\(kind.id) names the law \(law), which Contracts.md doesn't have")
            }
        }
    }
}

/// An article of the documentation.
struct Article {
    private let file: URL

    init(_ name: String) {
        file = Recorded.folder.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/Corinth/Corinth.docc/\(name).md")
    }

    func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// What cites each law of `Contracts.md`: the one under “### E7: Disposal” is cited as `[E7](doc:Contracts#E7-Disposal)`.
    func linksToLaws() throws -> [String: String] {
        let links = try text().matches(of: #/\n### (?<title>(?<law>\w+): .*)/#).map { match in
            let title = match.title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
            return (String(match.law), "[\(match.law)](doc:Contracts#\(title.replacing(" ", with: "-")))")
        }
        return Dictionary(links) { first, _ in first }
    }

    /// Compares the table between the marks with these rows, or writes it.
    func check(_ rows: [String]) throws {
        let text = try text()
        let begin = try #require(text.range(of: "<!-- differences -->\n")).upperBound
        let end = try #require(text.range(of: "<!-- end -->", range: begin..<text.endIndex)).lowerBound
        let table = rows.map { $0 + "\n" }.joined()
        if Comparison.writes {
            try text.replacingCharacters(in: begin..<end, with: table)
                .write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(
                text[begin..<end] == table,
                "the table of \(file.lastPathComponent) is out of date; run with CORINTH_WRITE_TABLES=1 to write it")
        }
    }

    /// What `Ends.md` says of each operator: in the rule, or in the first table.
    func cells() throws -> [String: String] {
        var cells: [String: String] = [:]
        for line in try text().split(separator: "\n") {
            if line.hasPrefix("The rule holds for ") {
                for name in Self.names(in: line.dropFirst("The rule holds for ".count).dropLast()) {
                    cells[name] = "completed, disposal | failed, disposal | interrupted, disposal"
                }
            } else if line.hasPrefix("<!-- differences -->") {
                break
            } else if line.hasPrefix("| ") {
                let parts = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
                for name in Self.names(in: Substring(parts[0])) {
                    cells[name] = parts.dropFirst().joined(separator: " | ")
                }
            }
        }
        return cells
    }

    /// How the article writes an operator's name: `take(until:) (trigger)` with the first part as code.
    static func name(of fact: String) -> String {
        guard let match = fact.wholeMatch(of: #/(.*) (\(.*\))/#) else { return "`\(fact)`" }
        return "`\(match.1)` \(match.2)"
    }

    /// The names in a list, of which some have commas inside.
    private static func names(in list: Substring) -> [String] {
        list.matches(of: #/\*?(?<code>`[^`]*`)\*?(?<variant> \([^`]*?\))?(?=, |$)/#).map { match in
            String(match.code) + String(match.variant ?? "")
        }
    }
}
