import Foundation
import Scenarios
import Testing

@testable import BenchmarkKit
@testable import corinth_bench

/// The commands in the documentation are valid.
@Suite struct DocumentationTests {
    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The words after `Benchmarks/run`, for each such line of a document's code.
    private static func commands(in document: String) throws -> [[String]] {
        let text = try String(contentsOf: repository.appendingPathComponent(document), encoding: .utf8)
        var isCode = false
        return text.split(separator: "\n").compactMap { line in
            if line.hasPrefix("```") { isCode.toggle() }
            guard isCode, line.hasPrefix("Benchmarks/run") else { return nil }
            let typed = line.split(separator: "#", maxSplits: 1)[0]
            return typed.split(separator: " ").dropFirst().map(String.init)
        }
    }

    @Test(arguments: ["Benchmarks/README.md", "README.md", "CONTRIBUTING.md", "Contributing/Commands.md"])
    func commandsAreValid(document: String) throws {
        let commands = try Self.commands(in: document)
        for words in commands {
            let (_, arguments) = try CorinthBench.tool.parse(words)
            _ = try CorinthBench.tool.entries(arguments)
        }
        if document.hasPrefix("Benchmarks") { #expect(commands.count > 10) }
    }

    /// `Benchmarks/run --help` prints this file, so that nobody waits for a build. With another option, as in
    /// `Benchmarks/run --help --quick`, it prints what the tool says.
    @Test func theHelpIsThatOfTheTool() throws {
        let file = try String(contentsOf: Self.repository.appendingPathComponent("Benchmarks/help"), encoding: .utf8)
        let text = HelpText.text(of: CorinthBench.tool.commands, program: "Benchmarks/run", width: 80)
        #expect(file == Terminal(width: 80).wrapped(text) + "\n")
    }

    /// A document has a place for the table, and in it the table that the kept runs make, as Benchmarks/table writes it.
    @Test(arguments: [("Benchmarks/README.md", "rows.tsv"), ("README.md", "readme.tsv")])
    func theTableIsThatOfTheKeptRuns(document: String, rows: String) throws {
        let before = try String(contentsOf: Self.repository.appendingPathComponent(document), encoding: .utf8)
        _ = try TableCommand.replacing("", in: before, document)
        let results = Self.repository.appendingPathComponent("Benchmarks/results")
        // All rows are scenarios.
        let text = try String(contentsOf: results.appendingPathComponent(rows), encoding: .utf8)
        let names = AllScenarios.entries.map(\.name)
        let listed = try ResultsTable.Rows(text, builds: 3).scenarios.map(\.name)
        for name in listed { #expect(names.contains(name) && AllScenarios.main.contains(name), "\(name)") }
        if rows == "rows.tsv" { #expect(listed == AllScenarios.main) }
        let runs = try FileManager.default.contentsOfDirectory(atPath: results.path)
            .filter { $0.hasPrefix("2") && $0.hasSuffix(".json") }.sorted()
        // Without a kept run, Benchmarks/table has nothing to write.
        guard !runs.isEmpty else { return }
        let words =
            ["table"] + runs.map { "\(results.path)/\($0)" }
            + ["--counts", "\(results.path)/counts.json", "--rows", "\(results.path)/\(rows)"]
        let table = TableCommand(tool: CorinthBench.tool, arguments: try CorinthBench.tool.parse(words).1)
        let written = try TableCommand.replacing(try table.text("markdown"), in: before, document)
        #expect(written == before, "Benchmarks/table writes another table")
    }

    @Test func everyScenarioIsExplained() throws {
        let file = Self.repository.appendingPathComponent("Benchmarks/README.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        for entry in AllScenarios.entries {
            let family = entry.name.split(separator: "/")[0]
            #expect(text.contains("`\(entry.name)`") || text.contains("`\(family)/"), "\(entry.name)")
        }
    }
}
