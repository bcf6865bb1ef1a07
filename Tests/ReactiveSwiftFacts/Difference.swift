import Foundation

/// One thing that Corinth does in another way than ReactiveSwift: a row of `Differences/kinds.tsv`.
struct Kind: Sendable {
    let id: String
    /// What it is about, in the names of the interface.
    let subject: String
    /// The law that wants it, or the reason.
    let law: String
    /// The names of operators in random programs. A random program with none of them can't differ for this reason.
    let operators: Set<String>
    let reactiveSwift: String
    let corinth: String

    /// Differences that nobody wants. Their kinds go when the last one is cured.
    var isToBeCured: Bool { id.hasPrefix("cure-") }

    static let file = Recorded.folder.appendingPathComponent("Differences/kinds.tsv")

    static func all() throws -> [Kind] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 6 else { throw MalformedRow(row: String(line)) }
            return Kind(
                id: fields[0], subject: fields[1], law: fields[2],
                operators: Set(fields[3].split(separator: " ").map(String.init)),
                reactiveSwift: fields[4], corinth: fields[5])
        }
    }
}

/// A fact for which Corinth prints something else than ReactiveSwift, what it prints, and the kinds of difference that explain it.
struct Difference {
    let kinds: [String]
    let fact: String
    let output: String

    var row: String {
        "\(kinds.joined(separator: " "))\t\(fact)\t\(output.replacingOccurrences(of: "\n", with: Self.lineBreak))"
    }

    /// What stands between the lines of an output in a table.
    static let lineBreak = " ⏎ "
}

/// The differences in the facts of one file, `Differences/SUBJECT.tsv`: the kinds, the name of the fact, and what Corinth prints.
struct Differences {
    private let file: URL
    private(set) var rows: [Difference] = []

    init(_ subject: String) throws {
        file = Recorded.folder.appendingPathComponent("Differences/\(subject).tsv")
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 3 else { throw MalformedRow(row: String(line)) }
            let kinds = fields[0].split(separator: " ").map(String.init)
            let output = fields[2].replacingOccurrences(of: Difference.lineBreak, with: "\n")
            rows.append(Difference(kinds: kinds, fact: fields[1], output: output))
        }
    }

    func write(_ rows: [Difference]) throws {
        try rows.map { $0.row + "\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
    }
}
