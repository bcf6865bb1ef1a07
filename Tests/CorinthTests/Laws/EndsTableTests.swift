import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// The table in `Ends.md` states, for each operator, what it emits when a source ends, and when it releases what it held.
struct EndsTableTests {
    private static let tests = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let article = tests.deletingLastPathComponent()
        .appendingPathComponent("Sources/Corinth/Corinth.docc/Ends.md")

    /// With `CORINTH_WRITE_TABLES=1`, the test writes both parts instead of comparing them.
    @Test func theTableMatchesTheBehaviour() throws {
        var text = try String(contentsOf: Self.article, encoding: .utf8)
        let writes = ProcessInfo.processInfo.environment["CORINTH_WRITE_TABLES"] != nil
        let groups = try Self.groups()
        let rule = try #require(groups.first { $0.cells == Self.rule })
        var table = ["| Operators | `completed` | `failed` | `interrupted` |", "|---|---|---|---|"]
        for group in groups where group.cells != Self.rule {
            table.append("| \(group.names.joined(separator: ", ")) | \(group.cells.joined(separator: " | ")) |")
        }
        let parts = [
            ("The rule holds for ", "The rule holds for " + rule.names.joined(separator: ", ") + "."),
            ("| Operators |", table.joined(separator: "\n")),
        ]
        for (head, part) in parts {
            let start = try #require(text.range(of: head)?.lowerBound)
            let end = text.range(of: "\n\n", range: start..<text.endIndex)?.lowerBound ?? text.endIndex
            if writes {
                text.replaceSubrange(start..<end, with: part)
            } else {
                #expect(
                    String(text[start..<end]) == part,
                    "“\(head)” is out of date; run with CORINTH_WRITE_TABLES=1 to write it")
            }
        }
        if writes { try text.write(to: Self.article, atomically: true, encoding: .utf8) }
    }

    /// What follows an end, unless an operator does something else.
    private static let rule = ["completed, disposal", "failed, disposal", "interrupted, disposal"]

    /// The operators, in groups of those for which the same follows each end.
    private static func groups() throws -> [(cells: [String], names: [String])] {
        let known = try namesOfReactiveSwift()
        var groups: [(cells: [String], names: [String])] = []
        for entry in OperatorRegistry.all where entry.producer != nil {
            let cells = [Stimulus.Ending.completed, .failed, .interrupted].map { outcome(of: $0, on: entry) }
            let name = known.contains(entry.name) ? "`\(entry.name)`" : "*`\(entry.name)`*"
            let full = entry.variant.isEmpty ? name : "\(name) (\(entry.variant))"
            if let index = groups.firstIndex(where: { $0.cells == cells }) {
                groups[index].names.append(full)
            } else {
                groups.append((cells, [full]))
            }
        }
        return groups
    }

    /// The operator names that ReactiveSwift also has.
    private static func namesOfReactiveSwift() throws -> Set<String> {
        let rows = try String(contentsOf: tests.appendingPathComponent("api-surface.tsv"), encoding: .utf8)
            .split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        return Set(rows.filter { $0[0] == "SignalProducer" }.map { $0[1] })
    }

    /// Returns what happens when the source ends after two values, in order: first before the end returns, then as time passes.
    private static func outcome(of ending: Stimulus.Ending, on entry: OperatorEntry) -> String {
        let harness = OperatorHarness(entry, .producer, .coldInputs)
        let steps = Steps()
        harness.coldInputs.onChange = { source, isStart in
            if source == 0 { steps.add(isStart ? "start" : "disposal") }
        }
        let disposable = harness.producer?.start { event in
            switch event {
            case .value: steps.addValue()
            case .failed: steps.add("failed")
            case .completed: steps.add("completed")
            case .interrupted: steps.add("interrupted")
            }
        }
        harness.scheduler.advance(by: .seconds(1))
        harness.apply(harness.prelude + [.value(2, source: 0), .value(4, source: 0)])
        if steps.take().contains(where: { ["completed", "failed", "interrupted"].contains($0) }) {
            return "ended before"
        }
        harness.apply(.end(ending, source: 0))
        let atOnce = steps.take()
        harness.scheduler.advance(by: .seconds(50))
        let later = steps.take()
        harness.coldInputs.onChange = nil
        disposable?.dispose()
        return (atOnce.isEmpty ? "–" : atOnce.joined(separator: ", "))
            + (later.isEmpty ? "" : "; then \(later.joined(separator: ", "))")
    }

    /// Records the steps. A run of consecutive values counts as one step.
    private final class Steps: @unchecked Sendable {  // A single thread uses it.
        private var steps: [String] = []

        func add(_ step: String) { steps.append(step) }

        func addValue() { if steps.last != "value" { steps.append("value") } }

        func take() -> [String] {
            defer { steps = [] }
            return steps
        }
    }
}
