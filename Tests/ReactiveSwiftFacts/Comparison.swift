import Foundation
import Testing

/// A program whose output on ReactiveSwift is recorded, and what it prints on Corinth.
struct Fact {
    let name: String
    /// What a reader needs to see to understand the program.
    let program: String
    /// The operators of a random program; none for a program that somebody wrote.
    var operators: Set<String> = []
    let expected: String
    let output: String
}

/// Compares facts with what Corinth prints: that is what ReactiveSwift printed, or a recorded difference.
///
/// With `CORINTH_WRITE_TABLES=1`, the recorded outputs are written anew, and rows of what no longer differs are dropped. Nothing
/// invents a kind: whoever accepts a new difference writes a row for it, with its kinds and without an output.
struct Comparison {
    private let subject: String
    private let kinds: [String: Kind]
    private let recorded: [String: Difference]
    private var rows: [Difference] = []
    /// What is wrong, in words, in the order of the facts.
    private var findings: [String] = []

    static let writes = ProcessInfo.processInfo.environment["CORINTH_WRITE_TABLES"] != nil

    init(_ subject: String) throws {
        self.subject = subject
        kinds = Dictionary(try Kind.all().map { ($0.id, $0) }) { first, _ in first }
        recorded = Dictionary(try Differences(subject).rows.map { ($0.fact, $0) }) { first, _ in first }
    }

    /// Compares all facts of the subject, reports the first ten findings, and writes the differences if that is wanted.
    static func check(_ subject: String, _ facts: [Fact]) throws {
        var comparison = try Comparison(subject)
        for fact in facts { comparison.compare(fact) }
        comparison.findMissing(facts)
        if writes { try Differences(subject).write(comparison.rows) }
        let findings = comparison.findings
        guard !findings.isEmpty else { return }
        let rest = findings.count > 10 ? "\n… and \(findings.count - 10) more" : ""
        Issue.record("\(findings.prefix(10).joined(separator: "\n") + rest)")
    }

    private mutating func compare(_ fact: Fact) {
        let known = recorded[fact.name]
        guard fact.output != fact.expected else {
            if known != nil, !Self.writes {
                find(fact, "no longer differs, but has a row in Differences/\(subject).tsv")
            }
            return
        }
        guard let known else { return find(fact, "differs, and has no row in Differences/\(subject).tsv") }
        // A kind that has been deleted no longer explains anything.
        let explaining = known.kinds.filter { explains($0, fact) }
        rows.append(Difference(kinds: explaining, fact: fact.name, output: fact.output))
        if explaining.isEmpty {
            find(fact, "differs, and none of the kinds of its row explains it: \(known.kinds)")
        } else if !Self.writes, explaining != known.kinds {
            find(fact, "has kinds in its row that don't explain it: \(known.kinds.filter { !explaining.contains($0) })")
        } else if !Self.writes, known.output != fact.output {
            find(fact, "differs otherwise than recorded: \(known.output)")
        }
    }

    private func explains(_ id: String, _ fact: Fact) -> Bool {
        guard let kind = kinds[id] else { return false }
        return fact.operators.isEmpty || !kind.operators.isDisjoint(with: fact.operators)
    }

    private mutating func findMissing(_ facts: [Fact]) {
        let names = Set(facts.map(\.name))
        for name in recorded.keys.sorted() where !names.contains(name) && !Self.writes {
            findings.append("\(subject) \(name): Differences/\(subject).tsv has a row for it, but it isn't a fact")
        }
    }

    private func indented(_ text: String) -> String {
        text.replacingOccurrences(of: "\n", with: "\n            ")
    }

    private mutating func find(_ fact: Fact, _ what: String) {
        findings.append(
            """
            \(subject) \(fact.name): \(what)
              program:  \(fact.program)
              expected: \(indented(fact.expected))
              got:      \(indented(fact.output))
            """)
    }
}
