import Foundation
import Testing

@testable import BenchmarkKit

/// What people see, at usual widths.
@Suite struct TerminalTests {
    /// A quick run of fifty scenarios, with names as long as those of real catalogues.
    private static let quick: Report = {
        var report = SampleReports.run(seed: 3, scenarios: 50, samples: 6, .quiet)
        for index in report.scenarios.indices {
            report.scenarios[index].name = index.isMultiple(of: 7) ? "cold/map-filter-reduc\(index)" : "chain/\(index)"
            for build in report.scenarios[index].builds.keys {
                report.scenarios[index].builds[build]?.allocationsPerEvent = index == 3 ? 200_014 : 0
                report.scenarios[index].builds[build]?.pageFaultsPerEvent = 0
                if index < 9 { report.scenarios[index].builds[build]?.percentiles = ["50": 40, "99.9": 511] }
            }
        }
        report.seconds = 71
        return report
    }()

    private static let comparison: Comparison = {
        var generator = SeededGenerator(seed: 3)
        let simulation = PairSimulation(noise: 0.05, passNoise: 0.05)
        return Comparison(within: simulation.report(scenarios: 12, samples: 6, factor: 3, &generator))
    }()

    @Test(arguments: [80, 120, 200])
    func everyOutputFits(columns: Int) throws {
        let terminal = Terminal(width: columns)
        var counted = SampleReports.counts([("cold/map-filter-reduce", 1_234_567, 200_014), ("b", 1, 0)])
        for index in counted.scenarios.indices {
            counted.scenarios[index].builds["alternative"] = counted.scenarios[index].builds["library"]
        }
        let texts = [
            ReportText.text(of: Self.quick, on: terminal),
            ReportText.text(of: Self.quick, on: terminal, isDetailed: true),
            ReportText.text(of: SampleReports.full, on: terminal), ReportText.text(of: counted, on: terminal),
            ComparisonText.text(of: Self.comparison, program: "bench", against: "../before", on: terminal),
        ]
        for text in texts {
            let widest = text.split(separator: "\n").map(\.count).max() ?? 0
            #expect(widest <= columns, "\(text)")
        }
    }

    /// A run whose every figure is available, and as wide as figures get.
    private static let widest: Report = {
        var figures = BuildReport(passes: [[1e14, 2e14], [3e14]])
        let paths: [WritableKeyPath<BuildReport, Double?>] = [
            \.eventsPerSecond, \.allocationsPerEvent, \.bytesPerEvent, \.contextSwitchesPerEvent, \.pageFaultsPerEvent,
            \.systemCallsPerEvent, \.retainsPerEvent, \.releasesPerEvent, \.instructionsPerEvent,
            \.lockedInstructionsPerEvent, \.cyclesPerEvent, \.cacheMissesPerEvent,
        ]
        for path in paths { figures[keyPath: path] = 123_456_789_012_345 }
        figures.percentiles = ["50": .max, "90": .max, "99": .max, "99.9": .max, "99.99": .max, "100": .max]
        figures.uncorrectedPercentiles = ["50": .max, "100": .max]
        figures.outliers = 1_000_000
        figures.counts = ["most foreign events in one send": .max]
        let ratio = RatioEstimate(median: 123_456_789_012_345, low: 2, high: 1e300)
        var scenario = ScenarioReport(
            name: "cold/map-filter-reduce", unit: "ns/event, p99.99",
            builds: ["direct": figures, "library": figures, "alternative": figures],
            ratios: ["alternative/library": ratio, "library/direct": ratio])
        scenario.machine = MachineReport(rounds: 4, repeated: 2, disturbed: 4, reasons: ["preempted"])
        var report = Report(host: SampleReports.host, scenarios: [scenario, scenario], failures: [])
        report.seconds = 1_234_567
        return report
    }()

    @Test(arguments: [40, 45, 54, 80, 120, 200])
    func theWidestFiguresFit(columns: Int) {
        var counted = Self.widest
        counted.mode = .counts
        for report in [Self.widest, counted] {
            let text = ReportText.text(of: report, on: Terminal(width: columns), isDetailed: true)
            #expect(PseudoTerminal.widths(text).allSatisfy { $0 <= columns }, "\(text)")
            #expect(text.contains("cold/map-filter-reduce") && text.contains("/direct"))
        }
    }

    /// The smallest terminal has 20 columns.
    @Test(arguments: [20, 21, 28, 40, 80], [Table.Alignment.left, .right])
    func aTableFitsWhateverItsCellsAre(columns: Int, last: Table.Alignment) {
        for cell in ["", "1", "two words", String(repeating: "9", count: 300), String(repeating: "a b ", count: 80)] {
            var table = Table(
                ["scenario", "context switches", "a title of many words"], alignments: [.left, .right, last])
            table.add([cell, cell, cell], style: .bad)
            table.add(["x", "1", cell])
            for terminal in [Terminal(width: columns), Terminal(width: columns, isColored: true)] {
                let text = table.text(terminal)
                #expect(PseudoTerminal.widths(text).allSatisfy { $0 <= columns }, "\(text)")
                // Nothing is lost.
                for character in "9b" {
                    #expect(text.count { $0 == character } == 4 * cell.count { $0 == character })
                }
            }
        }
    }

    @Test func aTableThatIsTooWideHasALineForEachCell() {
        var table = Table(["scenario", "/direct", "page faults"])
        table.add(["count/10", "4.10× ±5 %", "0"])
        table.add(["count/1000", "? ±36 %", "<0.001"])
        #expect(table.text(Terminal(width: 36)).hasPrefix("scenario "))
        #expect(
            table.text(Terminal(width: 30)) == """
                count/10
                  /direct      4.10× ±5 %
                  page faults  0
                count/1000
                  /direct      ? ±36 %
                  page faults  <0.001
                """)
    }

    @Test func aQuickRunFitsOnAScreenOf80Lines() {
        for columns in [80, 120, 200] {
            let lines = ReportText.text(of: Self.quick, on: Terminal(width: columns)).split(
                separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 80)
            #expect(lines.last == "50 scenarios measured in 71 s; none failed.")
            #expect(lines.suffix(4).contains { $0.hasPrefix("Slowest, library to direct: ") })
        }
    }

    @Test func aWideTerminalHasMoreColumns() {
        func titles(_ columns: Int) -> String {
            let lines = ReportText.text(of: Self.quick, on: Terminal(width: columns)).split(separator: "\n")
            return lines.first { $0.hasPrefix("scenario") }.map(String.init) ?? ""
        }
        #expect(titles(200).contains("unit") && titles(200).contains("alloc alternative"))
        #expect(!titles(80).contains("unit") && titles(80).contains("/direct") && titles(80).contains("alloc library"))
    }

    /// Without the alternative build, its columns are not there.
    @Test func emptyColumnsAreLeftOut() {
        var report = Self.quick
        for index in report.scenarios.indices {
            report.scenarios[index].builds["alternative"] = nil
            report.scenarios[index].ratios["alternative/library"] = nil
        }
        let text = ReportText.text(of: report, on: Terminal(width: 120))
        #expect(!text.contains("alternative") && text.contains("direct"))
        // What the machine can't count is said once.
        let details = ReportText.text(of: report, on: Terminal(), isDetailed: true)
        #expect(details.contains("Unavailable here: bytes, system calls, instructions, cycles, cache misses."))
        #expect(!details.contains(" unavailable"))
    }

    @Test func aComparisonEndsWithItsVerdict() throws {
        let text = ComparisonText.text(of: Self.comparison, program: "bench", against: "../x", on: Terminal())
        let lines = text.split(separator: "\n")
        #expect(lines.last?.hasSuffix("1 REGRESSION: scenario/0.") == true)
        #expect(lines[0].hasPrefix("scenario ") && !lines[0].contains("unit") && !lines[0].contains("build"))
    }

    @Test func colourNeedsATerminal() {
        #expect(!Terminal.isColored(nil, isTerminal: false, [:]))
        #expect(Terminal.isColored(nil, isTerminal: true, [:]))
        #expect(Terminal.isColored("auto", isTerminal: true, ["NO_COLOR": ""]))
        #expect(!Terminal.isColored(nil, isTerminal: true, ["NO_COLOR": "1"]))
        #expect(!Terminal.isColored(nil, isTerminal: true, ["TERM": "dumb"]))
        #expect(Terminal.isColored("always", isTerminal: false, ["NO_COLOR": "1"]))
        #expect(!Terminal.isColored("never", isTerminal: true, [:]))
    }

    @Test func linesAreBrokenAtBlanks() {
        #expect(Terminal.wrap("one two three", 7) == ["one two", "three"])
        #expect(Terminal.wrap("one", 2) == ["one"])
        #expect(Terminal.wrap("a verylongword b", 6, indent: 2) == ["a", "  verylongword", "  b"])
        #expect(Terminal.wrap("", 10) == [""])
    }

    @Test func aProgressLineNeverWraps() {
        #expect(ProgressLine.cut("12345", to: 6) == "12345")
        #expect(ProgressLine.cut("123456", to: 6) == "1234…")
        #expect(ProgressLine.cut("123456", to: 1) == "…")
    }

    /// The real thing, on a pseudo-terminal.
    @Test(.timeLimit(.minutes(3)), arguments: [80, 120, 200])
    func aTerminalShowsIt(columns: Int) throws {
        guard PseudoTerminal.python != nil, let example = PseudoTerminal.example else {
            return Tools.notice("Python isn't installed: no output is captured from a terminal")
        }
        for command in [["--help"], ["compare", "--help"], ["baseline", "--help"]] {
            let help = try PseudoTerminal.run([example] + command, columns: columns)
            #expect(help.status == 0)
            #expect((PseudoTerminal.widths(help.output).max() ?? 0) <= columns, "\(help.output)")
        }
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("quick.json").path
        try Self.quick.write(to: file)
        let shown = try PseudoTerminal.run([example, "report", file, "--format", "table"], columns: columns)
        #expect(shown.status == 0 && shown.output.contains("chain/1 "))
        #expect((PseudoTerminal.widths(shown.output).max() ?? 0) <= columns)
        let before = folder.appendingPathComponent("before.json").path
        try SampleReports.run(seed: 1, scenarios: 3, .quiet).write(to: before)
        let after = folder.appendingPathComponent("after.json").path
        try SampleReports.run(seed: 2, scenarios: 3, slowed: ["scenario/1": 2], .quiet).write(to: after)
        let compared = try PseudoTerminal.run(
            [example, "compare", before, after], columns: columns, environment: ["NO_COLOR": "", "TERM": "xterm"])
        #expect(compared.status == 1 && compared.output.contains("\u{1B}[31m"))
        #expect((PseudoTerminal.widths(compared.output).max() ?? 0) <= columns)
        let plain = try PseudoTerminal.run(
            [example, "compare", before, after], columns: columns, environment: ["NO_COLOR": "1"])
        #expect(plain.status == 1 && !plain.output.contains("\u{1B}"))
    }

    /// A real run: its progress stays on one line, its figures fit, and the verdict comes last.
    @Test(.timeLimit(.minutes(3)), arguments: [40, 80, 120, 200]) func aRunFits(columns: Int) throws {
        guard PseudoTerminal.python != nil, let example = PseudoTerminal.example else { return }
        let shown = try PseudoTerminal.run([example, "--quick", "--filter", "count/10"], columns: columns)
        #expect(shown.status == 0 && shown.output.contains("pass 1/6"))
        // A line before may say that another run measures at the same time: that of another test.
        let progress = shown.output.split { $0.isNewline }.filter { $0.hasPrefix("[") }
        #expect(progress.count > 6)
        #expect(progress.allSatisfy { PseudoTerminal.widths(String($0)).allSatisfy { $0 < columns } })
        let lines = shown.output.split(separator: "\n", omittingEmptySubsequences: false)
        // It may take two lines.
        #expect(shown.output.split { $0.isWhitespace }.suffix(2) == ["none", "failed."], "\(shown.output)")
        let own = lines.filter { !$0.hasPrefix("example-bench: ") }.joined(separator: "\n")
        #expect((PseudoTerminal.widths(own).max() ?? 0) <= columns, "\(shown.output)")
    }
}
