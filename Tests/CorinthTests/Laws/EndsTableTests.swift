import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// The table of `Ends.md`: what comes when a source ends, and when what it held is disposed of, operator by operator.
struct EndsTableTests {
    private static let tests = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let article = tests.deletingLastPathComponent()
        .appendingPathComponent("Sources/Corinth/Corinth.docc/Ends.md")

    /// `CORINTH_WRITE_TABLES=1` has the table written instead of compared.
    @Test func theTableIsWhatHappens() throws {
        let text = try String(contentsOf: Self.article, encoding: .utf8)
        let head = "| Operator |"
        let start = try #require(text.range(of: head)?.lowerBound)
        let end = text.range(of: "\n\n", range: start..<text.endIndex)?.lowerBound ?? text.endIndex
        let table = try Self.table().joined(separator: "\n")
        if ProcessInfo.processInfo.environment["CORINTH_WRITE_TABLES"] != nil {
            try text.replacingCharacters(in: start..<end, with: table)
                .write(to: Self.article, atomically: true, encoding: .utf8)
        } else {
            #expect(String(text[start..<end]) == table, "write it with CORINTH_WRITE_TABLES=1")
        }
    }

    private static func table() throws -> [String] {
        let known = try namesOfReactiveSwift()
        var rows = [
            "| Operator | `completed` | `failed` | `interrupted` |",
            "|---|---|---|---|",
        ]
        for entry in OperatorRegistry.all where entry.producer != nil {
            let cells = [Move.Ending.completed, .failed, .interrupted].map { outcome(of: $0, on: entry) }
            let name = known.contains(entry.name) ? "`\(entry.name)`" : "*`\(entry.name)`*"
            let variant = entry.variant.isEmpty ? "" : ", \(entry.variant)"
            rows.append("| \(name)\(variant) | \(cells.joined(separator: " | ")) |")
        }
        return rows
    }

    /// The names that ReactiveSwift's users know.
    private static func namesOfReactiveSwift() throws -> Set<String> {
        let rows = try String(contentsOf: tests.appendingPathComponent("api-surface.tsv"), encoding: .utf8)
            .split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        return Set(rows.filter { $0[0] == "SignalProducer" }.map { $0[1] })
    }

    /// What happens, in order, when the source ends after two values: before that has returned, and then as time passes.
    private static func outcome(of ending: Move.Ending, on entry: OperatorEntry) -> String {
        let rig = Rig(entry, .producer, .taps)
        let steps = Steps()
        rig.tap.onChange = { source, isStart in
            if source == 0 { steps.add(isStart ? "start" : "disposal") }
        }
        let disposable = rig.producer?.start { event in
            switch event {
            case .value: steps.addValue()
            case .failed: steps.add("failed")
            case .completed: steps.add("completed")
            case .interrupted: steps.add("interrupted")
            }
        }
        rig.scheduler.advance(by: .seconds(1))
        rig.make(rig.prelude + [.value(2, source: 0), .value(4, source: 0)])
        if steps.take().contains(where: { ["completed", "failed", "interrupted"].contains($0) }) {
            return "ended before"
        }
        rig.make(.end(ending, source: 0))
        let atOnce = steps.take()
        rig.scheduler.advance(by: .seconds(50))
        let later = steps.take()
        rig.tap.onChange = nil
        disposable?.dispose()
        return (atOnce.isEmpty ? "–" : atOnce.joined(separator: ", "))
            + (later.isEmpty ? "" : "; then \(later.joined(separator: ", "))")
    }

    /// What has happened. Of values that follow one another, only that there are some.
    private final class Steps: @unchecked Sendable {  // One thread does everything.
        private var steps: [String] = []

        func add(_ step: String) { steps.append(step) }

        func addValue() { if steps.last != "value" { steps.append("value") } }

        func take() -> [String] {
            defer { steps = [] }
            return steps
        }
    }
}
