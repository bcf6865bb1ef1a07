import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// How much stack each operator takes, for a value, a start and an end: the tables in `Recursion.md`.
///
/// Each operator is applied to its own result, and the deepest place of a chain is compared with that of a longer one. A few chains
/// of an operator that multiplies events, or that restarts its source, are short.
@Suite(.enabled(if: !WaitLimit.isSanitized && Law.reentrancy.isKept, "another build takes more stack"))
struct StackTests {
    private static let article = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/Corinth/Corinth.docc/Recursion.md")

    /// With `CORINTH_WRITE_TABLES=1`, the test writes the table of its build instead of comparing it.
    @Test func `The tables in the guide “Recursion” hold for every operator`() throws {
        var text = try String(contentsOf: Self.article, encoding: .utf8)
        let rows = Group.all.map(Row.init)
        #if DEBUG
            let head = "| In a debug build |"
        #else
            let head = "| In an optimised build |"
        #endif
        let start = try #require(text.range(of: head)?.lowerBound)
        let end = text.range(of: "\n\n", range: start..<text.endIndex)?.lowerBound ?? text.endIndex
        if ProcessInfo.processInfo.environment["CORINTH_WRITE_TABLES"] != nil {
            let lines = ["\(head) a value | a start | an end |", "|---|---|---|---|"] + rows.map(\.line)
            text.replaceSubrange(start..<end, with: lines.joined(separator: "\n"))
            return try text.write(to: Self.article, atomically: true, encoding: .utf8)
        }
        let lines = text[start..<end].split(separator: "\n").dropFirst(2).map(String.init)
        try #require(lines.count == rows.count, "run with CORINTH_WRITE_TABLES=1 to write the table")
        for (line, row) in zip(lines, rows) {
            let written = line.split(separator: "|").dropFirst().map { cell in
                cell.split(separator: "most ").dropFirst().first.flatMap {
                    Int($0.prefix { $0.isNumber || $0 == "," }.filter(\.isNumber))
                }
            }
            for (most, column) in zip(written, row.columns) {
                // Another version of the compiler may take a little more.
                let limit = most.map { $0 * 11 / 10 } ?? 0
                #expect(
                    column.most.bytes <= limit,
                    "\(row.group.name): \(column.most.name) takes \(column.most.bytes) bytes")
            }
        }
    }

    // MARK: The table

    /// Operators that share a row.
    private struct Group {
        let name: String
        let overload: OperatorEntry.Overload
        var isLifted = false
        let hasOneSource: Bool

        static let all = [
            Group(name: "an operator with one source, on a signal", overload: .signal, hasOneSource: true),
            Group(name: "with several sources, or a scheduler", overload: .signal, hasOneSource: false),
            Group(name: "an operator with one source, on a producer", overload: .producer, hasOneSource: true),
            Group(name: "with several sources, or a scheduler", overload: .producer, hasOneSource: false),
            Group(name: "`lift` of any of them", overload: .producer, isLifted: true, hasOneSource: true),
        ]

        var entries: [OperatorEntry] {
            OperatorRegistry.all.filter { entry in
                if entry.name == "lift(_:)" { return isLifted }
                let several: [OperatorEntry.Category] = [.joining, .flattening, .timed, .producing]
                return isLifted
                    ? entry.signal != nil
                    : (overload == .signal ? entry.signal != nil : entry.producer != nil)
                        && hasOneSource != several.contains(entry.category)
            }
        }
    }

    /// What the operators of a group take at one moment.
    private struct Column {
        let taken: [(bytes: Int, name: String)]

        init(_ taken: [(bytes: Int, name: String)?]) {
            self.taken = taken.compactMap { $0 }.sorted { $0.bytes < $1.bytes }
        }

        var most: (bytes: Int, name: String) { taken.last ?? (0, "") }

        var cell: String {
            if taken.isEmpty { return "–" }
            return "\(Self.text(taken[taken.count / 2].bytes)), most \(Self.text(most.bytes)) (`\(most.name)`)"
        }

        private static func text(_ bytes: Int) -> String {
            bytes < 1_000 ? "\(bytes)" : "\(bytes / 1_000),\(String(bytes % 1_000 + 1_000).dropFirst())"
        }
    }

    private struct Row {
        let group: Group
        let columns: [Column]

        init(_ group: Group) {
            self.group = group
            let taken = group.entries.map { ($0, StackTests.taken(by: $0, group.overload, lifted: group.isLifted)) }
            columns = [\Depth.value, \.start, \.end].map { moment in
                // The source of a signal isn't started by it.
                moment == \.start && group.overload == .signal
                    ? Column([])
                    : Column(taken.map { entry, depth in depth[keyPath: moment].map { (Int($0), entry.name) } })
            }
        }

        var line: String { "| \(group.name) | \(columns.map(\.cell).joined(separator: " | ")) |" }
    }

    // MARK: Measuring

    /// The lowest address of the stack at a moment, or what a stage takes of it; nil if there was no such moment.
    private struct Depth: Sendable {
        var value: UInt?
        var start: UInt?
        var end: UInt?

        static func per(_ stages: Int, _ short: UInt?, _ long: UInt?) -> UInt? {
            guard let short, let long else { return nil }
            return short > long ? (short - long) / UInt(stages) : 0
        }
    }

    /// What a stage of an operator takes.
    private static func taken(
        by entry: OperatorEntry, _ overload: OperatorEntry.Overload, lifted isLifted: Bool
    ) -> Depth {
        let measured = Atomic(Depth())
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread {
            func run(_ stages: Int) -> (depth: Depth, values: Int) { Self.run(stages, entry, overload, isLifted) }
            let multiplies = entry.facts.contains(.restarts) || run(4).values > run(1).values
            let (few, many) = multiplies ? (4, 8) : (40, 72)
            let (short, long) = (run(few).depth, run(many).depth)
            measured.value = Depth(
                value: Depth.per(many - few, short.value, long.value),
                start: Depth.per(many - few, short.start, long.start),
                end: Depth.per(many - few, short.end, long.end))
            ended.signal()
        }
        thread.stackSize = 16 << 20
        thread.start()
        ended.wait(orElse: "the thread with the chain has not ended")
        return measured.value
    }

    /// Sends values and each end through a chain.
    private static func run(
        _ stages: Int, _ entry: OperatorEntry, _ overload: OperatorEntry.Overload, _ isLifted: Bool
    ) -> (depth: Depth, values: Int) {
        let seen = Atomic((depth: Depth(), values: 0))
        @Sendable func note(_ moment: any WritableKeyPath<Depth, UInt?> & Sendable, values: Int = 0) {
            let place = Self.place()
            seen.modify { seen in
                seen.depth[keyPath: moment] = min(seen.depth[keyPath: moment] ?? .max, place)
                seen.values += values
            }
        }
        for end in [Stimulus.Ending.completed, .failed] {
            let harness = OperatorHarness(entry, overload, lifted: isLifted, stages: stages)
            harness.coldInputs.onChange = { _, isStart in if isStart { note(\.start) } }
            harness.run { event in
                if case .value = event { note(\.value, values: 1) } else { note(\.end) }
            }
            harness.apply(harness.prelude + [.value(1, source: 0), .value(2, source: 0), .advance(100)])
            harness.apply([.end(end, source: 0), .advance(100)])
            if case .completed = end { harness.apply(harness.completion + [.advance(100)]) }
        }
        return seen.value
    }

    @inline(never)
    private static func place() -> UInt {
        var local = 0
        return unsafe withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
    }
}
