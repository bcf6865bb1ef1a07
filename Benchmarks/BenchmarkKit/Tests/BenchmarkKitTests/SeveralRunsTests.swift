import Foundation
import Testing

@testable import BenchmarkKit

/// Baselines of several runs, and tables of several runs.
@Suite struct SeveralRunsTests {
    private static func run(_ seed: UInt64, slowed: [String: Double] = [:]) -> Report {
        SampleReports.run(seed: seed, scenarios: 3, slowed: slowed, .quiet)
    }

    @Test func theMedianOfSeveralRuns() throws {
        let runs = [Self.run(1), Self.run(2, slowed: ["scenario/1": 1.5]), Self.run(3)]
        let combined = try Report(medianOf: runs)
        #expect(combined.runs == 3 && runs[0].runs == 1)
        for index in 0..<3 {
            let figures = try #require(combined.scenarios[index].builds["library"])
            let each = try runs.map { try #require($0.scenarios[index].builds["library"]) }
            #expect(figures.median == each.map(\.median).sorted()[1])
            #expect(figures.min == each.map(\.min).min() && figures.max == each.map(\.max).max())
            #expect(figures.samples == 120 && figures.runs == [10, 10, 10])
            #expect(figures.passesByRun == each.map(\.passes))
            let ratio = try #require(combined.scenarios[index].ratios["library/direct"])
            let ratios = try runs.map { try #require($0.scenarios[index].ratios["library/direct"]) }
            #expect(ratio.median == ratios.map(\.median).sorted()[1])
        }
        #expect(try Report(medianOf: [runs[0]]) == runs[0])
    }

    /// A run without disturbances has no report of the machine, and its passes count as undisturbed. A run of an earlier version
    /// doesn't say, so the median doesn't, either.
    @Test func theMedianHasWhatThePassesOfAllRunsHave() throws {
        var runs = [Self.run(1), Self.run(2)]
        let counts = BuildReport.LatencyCounts(first: 3, counts: [1, 0, 2])
        runs[1].scenarios[0].machine = MachineReport(
            rounds: 40, repeated: 0, disturbed: 2, reasons: ["steal"], disturbedByPass: [[1, 3]])
        runs[0].scenarios[0].builds["library"]?.passLatencies = [counts]
        let first = try Report(medianOf: runs).scenarios[0]
        #expect(first.machine?.disturbedByPass == Array(repeating: [], count: 10) + [[1, 3]])
        #expect(first.builds["library"]?.passLatencies == nil)
        runs[1].scenarios[0].machine?.disturbedByPass = nil
        runs[1].scenarios[0].builds["library"]?.passLatencies = [counts]
        let combined = try Report(medianOf: runs).scenarios[0]
        #expect(combined.machine?.disturbed == 2 && combined.machine?.disturbedByPass == nil)
        #expect(combined.builds["library"]?.passLatencies == [counts, counts])
    }

    @Test func runsThatDoNotBelongTogetherAreRefused() throws {
        var other = Self.run(2)
        other.host.cpu = "another CPU"
        let counted = SampleReports.counts([("a", 1, 0)])
        for runs in [[], [Self.run(1), other], [Self.run(1), Self.run(1)], [counted, counted]] {
            #expect(throws: UsageError.self) { try Report(medianOf: runs) }
        }
    }

    /// What the runs differ by makes the intervals of a check wider; runs that agree make them narrower.
    @Test func theSpreadOfTheRunsDecides() throws {
        func check(_ runs: [Report]) throws -> RatioEstimate {
            let rows = try Comparison(from: Report(medianOf: runs), to: Self.run(9)).rows
            return try #require(rows.first { $0.scenario == "scenario/1" }?.change)
        }
        func width(_ estimate: RatioEstimate) -> Double { estimate.high / estimate.low }
        let one = width(try check([Self.run(1)]))
        let agreeing = width(try check((1...5).map { Self.run($0) }))
        let factors = [0.7, 1.3, 1, 0.8, 1.2]
        let differing = width(
            try check((1...5).map { Self.run($0, slowed: ["scenario/1": factors[Int($0) - 1]]) }))
        #expect(agreeing < one && differing > 1.5 * one, "\(agreeing), \(one), \(differing)")
    }

    /// At least 93 % of the intervals of a check contain the truth, whatever runs differ by. More do if they differ by less than
    /// is assumed.
    @Test(arguments: [0.0, 0.015, 0.03, 0.1], [3, 5])
    func intervalsOfACheckContainTheTruth(runNoise: Double, runs: Int) throws {
        let simulation = PairSimulation(noise: 0.03, passNoise: 0.03)
        var generator = SeededGenerator(seed: 31)
        func run() -> ScenarioReport {
            let factor = exp(runNoise * PairSimulation.normal(&generator))
            let (direct, library) = simulation.pairs(samples: 40, factor: factor, &generator)
            return ScenarioReport(
                name: "x", unit: "ns/event",
                builds: ["direct": BuildReport(passes: direct), "library": BuildReport(passes: library)], ratios: [:])
        }
        let tries = 500
        var held = 0
        for _ in 0..<tries {
            let before = try Report(
                medianOf: (0..<runs).map { _ in Report(host: SampleReports.host, scenarios: [run()], failures: []) })
            let change = try #require(TimeChange(of: "library", from: before.scenarios[0], to: run()))
            let estimate = change.interval(unseen: .none).estimate(confidence: 0.95)
            if estimate.low <= 1, 1 <= estimate.high { held += 1 }
        }
        let share = Double(held) / Double(tries)
        #expect(share >= 0.93, "\(share)")
    }

    @Test func baselinesOfSeveralRuns() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let tool = BenchmarkTool(catalogue: [])
        let files = try (1...4).map { seed in
            let file = folder.appendingPathComponent("\(seed).json").path
            try Self.run(UInt64(seed), slowed: seed == 4 ? ["scenario/1": 1.5] : [:]).write(to: file)
            return file
        }
        let place = ["--directory", folder.appendingPathComponent("saved").path]
        #expect(tool.run(["baseline", "save", "main"] + files.prefix(3) + place) == 0)
        let saved = try Report(readingFrom: folder.path + "/saved/main.json")
        #expect(saved.runs == 3)
        #expect(try Comparison(from: saved, to: Self.run(9)).runsBefore == 3)
        #expect(tool.run(["baseline", "check", "main", files[3]] + place) == 1)
        #expect(tool.run(["baseline", "check", "main", files[3], files[2]] + place) == 2)
        #expect(tool.run(["baseline", "save", "main", files[0], files[0]] + place) == 2)
        #expect(tool.run(["baseline", "save", "main", files[0], folder.path + "/none.json"] + place) == 2)
        let schema = try SchemaValidator(
            Data(
                contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                    .deletingLastPathComponent().appendingPathComponent("schema/report-1.schema.json")))
        #expect(try schema.problems(in: Data(saved.json().utf8)) == [])
    }

    // MARK: Tables

    private static func dated(_ seed: UInt64, _ factor: Double, _ date: String) -> Report {
        var report = run(seed, slowed: ["scenario/1": factor])
        report.date = date
        report.host.kernel = "6.1"
        report.host.load = 0.5
        return report
    }

    @Test func aTableHasMediansAndRanges() throws {
        let runs = [
            Self.dated(1, 1, "2026-01-02T03:04:05Z"), Self.dated(2, 1.5, "2026-02-03T03:04:05Z"),
            Self.dated(3, 2, "2026-03-04T03:04:05Z"),
        ]
        let counts = SampleReports.counts([("scenario/1", 123, 2)])
        let results = try ResultsTable(runs, counts: counts)
        let rows = try ResultsTable.Rows(
            "scenario\tone event\tno library\t**Library**\tother\nscenario/1\tsend\n", builds: 3)
        let lines = try results.table(rows, isMarkdown: true).markdown().split(separator: "\n").map(String.init)
        let titles = ["one event", "no library", "**Library**", "other", "Library / no library"]
        #expect(lines[0] == "| \((titles + ["instructions", "allocations"]).joined(separator: " | ")) |")
        let ratios = try runs.map { try #require($0.scenarios[1].ratios["library/direct"]) }
        let range = Figures.ratio(RatioEstimate(medianOf: ratios))
        #expect(range.contains("× ["))
        #expect(lines[2].hasPrefix("| send (`scenario/1`) | ") && lines[2].hasSuffix(" | \(range) | 123 | 2.00 |"))
        #expect(lines.count == 3)
        #expect(
            results.notes[2] == "* 2026-02-03, a CPU, 2 cores, kernel 6.1, Swift 6.3.1, commit abc, load 0.50")
        let all = try results.table(nil, isMarkdown: false).csv()
        #expect(
            all.hasPrefix("scenario,direct,library,alternative,library / direct,instructions,allocations\nscenario/0,"))
    }

    /// In a table and in a run, "same" means that the interval lies within 10 %.
    @Test func aRatioHasTheVerdictOfTheTool() throws {
        var runs = [Self.run(1), Self.run(2)]
        let estimates = [
            RatioEstimate(median: 0.98, low: 0.95, high: 1.02), RatioEstimate(median: 1.04, low: 1.01, high: 1.09),
        ]
        for index in 0..<2 { runs[index].scenarios[0].ratios["library/direct"] = estimates[index] }
        func row() throws -> String {
            String(try ResultsTable(runs, counts: nil).table(nil, isMarkdown: false).csv().split(separator: "\n")[1])
        }
        #expect(try row().hasSuffix(",same [0.95–1.09]"))
        runs[1].scenarios[0].ratios["library/direct"]?.high = 1.11
        #expect(try row().hasSuffix(",? [0.95–1.11]"))
    }

    @Test func aRunOfAMachineThatChangedIsRefused() throws {
        var run = Self.run(2)
        run.calibration = Calibration(nanoseconds: [100, 105, 100])
        _ = try ResultsTable([Self.run(1), run], counts: nil)
        run.calibration = Calibration(nanoseconds: [100, 120, 100])
        #expect(throws: UsageError.self) { try ResultsTable([Self.run(1), run], counts: nil) }
    }

    @Test(arguments: [
        ([], []), ([3], [3]), ([1, 2, 3], [2]), ([5.7, 5.8, 9.5, 5.7, 9.4, 5.8, 5.7, 9.6], [5.7, 9.5]),
        // One odd process is no mode, and a wide field has none.
        ([5.7, 5.8, 5.7, 5.8, 5.7, 5.7, 5.8, 5.7, 5.8, 9.5], [5.7]), ([1, 1.2, 1.4, 1.7, 2, 2.4, 2.9, 3.5], [1.85]),
        ([5, 5, 5, 5.3, 5.3, 5.3], [5.15]), ([0, 0, 5, 5], [2.5]),
    ])
    func modes(values: [Double], expected: [Double]) {
        let found = Modes.of(values)
        #expect(found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) < 0.051 }, "\(found)")
    }

    @Test func modesOfSeveralRuns() {
        let two: [Double] = [5.7, 5.8, 9.5, 5.7, 9.4]
        let one: [Double] = [5.7, 5.8, 5.7, 5.8, 5.7]
        #expect(Modes.of([(5.7, two), (5.7, two), (5.7, one)]).count == 2)
        // Different from run to run, as machines are, isn't two modes.
        #expect(Modes.of([(5.7, one), (9.5, one.map { $0 * 1.6 }), (5.7, two)]) == [5.7])
    }

    /// A scenario that not every run has says how many have it.
    @Test func aTableSaysHowManyRunsHaveAScenario() throws {
        var short = Self.run(2)
        short.scenarios.removeLast()
        let table = try ResultsTable([Self.run(1), short], counts: nil).table(nil, isMarkdown: false).csv()
        let lines = table.split(separator: "\n")
        #expect(lines[0] == "scenario,direct,library,alternative,runs,library / direct")
        #expect(lines[1].contains(",2,") && lines[3].contains(",1,"))
    }

    @Test func theCommandTable() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let tool = BenchmarkTool(catalogue: [])
        func file(_ name: String, _ text: String) throws -> String {
            let path = folder.appendingPathComponent(name).path
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return path
        }
        // Compact files are enough.
        let files = try (1...3).map { try file("\($0).json", Self.dated($0, 1, "2026-01-0\($0)").compactJSON()) }
        let counts = try file("counts.json", SampleReports.counts([("scenario/0", 7, 0)]).json())
        let rows = try file("rows.tsv", "scenario\tone event\ta\tb\tc\nscenario/0\tsend\n")
        let output = folder.path + "/table.md"
        #expect(tool.run(["table"] + files + ["--counts", counts, "--rows", rows, "-o", output]) == 0)
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(text.contains("| send (`scenario/0`) | ") && text.contains("\n* 2026-01-02, a CPU, "))
        #expect(tool.run(["table"] + files + ["--format", "table"]) == 0)
        // A document gets the table between its marks, and keeps the rest.
        let document = try file("README.md", "a\n<!-- table: begin -->\nold\n<!-- table: end -->\nb\n")
        let into = ["table"] + files + ["--counts", counts, "--rows", rows, "--into", document]
        #expect(tool.run(into) == 0)
        let written = try String(contentsOfFile: document, encoding: .utf8)
        #expect(written == "a\n<!-- table: begin -->\n\(text)<!-- table: end -->\nb\n")
        #expect(tool.run(into) == 0)
        #expect(tool.run(into + ["-o", output]) == 2 && tool.run(into + ["--format", "csv"]) == 2)
        #expect(try String(contentsOfFile: document, encoding: .utf8) == written)
        #expect(tool.run(["table"] + files + ["--into", rows]) == 2)
        for wrong in [
            ["scenario\tone\ta\tb\n"], ["scenario\tone\ta\tb\tc\nscenario/0 send\n"],
            ["scenario\tone\ta\tb\tc\nscenario/9\tx\n"], [""],
        ] {
            let rows = try file("wrong.tsv", wrong[0])
            #expect(tool.run(["table"] + files + ["--rows", rows]) == 2)
        }
        #expect(tool.run(["table", files[0], files[0]]) == 2)
        #expect(tool.run(["table", counts]) == 2)
        #expect(tool.run(["table", files[0], "--counts", files[1]]) == 2)
    }

    /// A kept run has all figures, and of the samples the median of each pass.
    @Test func aCompactReportHasNoSamples() throws {
        let full = SampleReports.full
        let compact = try full.compactJSON()
        #expect(compact.utf8.count * 2 < (try full.json()).utf8.count && !compact.contains("\n"))
        let read = try JSONDecoder().decode(Report.self, from: Data(compact.utf8))
        #expect(read.scenarios.map(\.ratios) == full.scenarios.map(\.ratios))
        for figures in read.scenarios.flatMap(\.builds.values) {
            #expect(figures.passes?.map(\.count) == [1, 1] && figures.curve == nil && figures.percentiles != nil)
            #expect(figures.passLatencies == nil)
        }
    }
}
