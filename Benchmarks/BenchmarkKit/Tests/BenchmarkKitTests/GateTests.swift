import Foundation
import Testing

@testable import BenchmarkKit

/// A gate that has nothing to compare is closed: whatever is deleted, renamed, repeated or broken in a run changes the exit status.
@Suite struct GateTests {
    private typealias Change = (inout Report) -> Void

    /// A run with two ordinary scenarios, and one with latencies.
    private static func timed(seed: UInt64) -> Report {
        var generator = SeededGenerator(seed: seed)
        var report = SampleReports.run(seed: seed, scenarios: 3, .quiet)
        for build in ["direct", "library", "alternative"] {
            let passes = (0..<10).map { _ in
                ["50": 1000, "99": 2000, "99.9": 3000, "100": 4000].mapValues { (value: UInt64) in
                    value + UInt64.random(in: 0...10, using: &generator)
                }
            }
            report.scenarios[2].builds[build]?.passPercentiles = passes
            report.scenarios[2].builds[build]?.percentiles = passes[0]
        }
        for index in report.scenarios.indices {
            for build in report.scenarios[index].builds.keys {
                report.scenarios[index].builds[build]?.allocationsPerEvent = 1
            }
        }
        return report
    }

    private static func counted() -> Report {
        var report = SampleReports.counts([("a", 100, 0), ("b", 200, 2)])
        for index in report.scenarios.indices {
            report.scenarios[index].builds["library"]?.lockedInstructionsPerEvent = 2
            report.scenarios[index].builds["library"]?.retainsPerEvent = 0
            report.scenarios[index].builds["library"]?.releasesPerEvent = 0
        }
        return report
    }

    /// Each way of spoiling a report, with its name.
    private static func spoilt(_ report: Report) -> [(name: String, report: Report)] {
        var all: [(String, Report)] = []
        func add(_ name: String, _ change: Change) {
            var changed = report
            change(&changed)
            all.append((name, changed))
        }
        add("no scenarios") { $0.scenarios = [] }
        add("all renamed") { for index in $0.scenarios.indices { $0.scenarios[index].name += "'" } }
        for (index, scenario) in report.scenarios.enumerated() {
            add("\(scenario.name) deleted") { $0.scenarios.remove(at: index) }
            add("\(scenario.name) renamed") { $0.scenarios[index].name += "'" }
            add("\(scenario.name) twice") { $0.scenarios.append($0.scenarios[index]) }
            add("\(scenario.name) in another unit") { $0.scenarios[index].unit = "µs/event" }
            add("\(scenario.name) failed") {
                $0.scenarios.remove(at: index)
                $0.failures = [Failure(scenario: scenario.name, build: "library", message: "killed by signal 11")]
            }
            add("\(scenario.name) failed, with figures") {
                $0.failures = [Failure(scenario: scenario.name, build: "library", message: "killed by signal 11")]
            }
            for (name, build) in scenario.builds {
                // What is counted of the direct side isn't compared.
                if report.isCounted, name == "direct" { continue }
                add("\(scenario.name), \(name) deleted") { $0.scenarios[index].builds[name] = nil }
                guard name != "direct" else { continue }
                for figure in Comparison.countFigures where build[keyPath: figure.path] != nil {
                    add("\(scenario.name), \(name), \(figure.unit) deleted") { report in
                        let figures = report.scenarios[index].builds[name]
                        report.scenarios[index].builds[name] = figures.map { without(figure.unit, $0) }
                    }
                }
                for percentile in build.percentiles?.keys.sorted() ?? [] {
                    add("\(scenario.name), \(name), \(percentile) deleted") {
                        $0.scenarios[index].builds[name]?.percentiles?[percentile] = nil
                    }
                    add("\(scenario.name), \(name), \(percentile) a thousand times as long") { report in
                        report.scenarios[index].builds[name]?.percentiles?[percentile]! *= 1000
                        for pass in build.passPercentiles?.indices ?? 0..<0 {
                            report.scenarios[index].builds[name]?.passPercentiles?[pass][percentile]! *= 1000
                        }
                    }
                }
            }
        }
        return all
    }

    private static func without(_ unit: String, _ figures: BuildReport) -> BuildReport {
        var figures = figures
        switch unit {
        case "instructions": figures.instructionsPerEvent = nil
        case "locked instructions": figures.lockedInstructionsPerEvent = nil
        case "allocations": figures.allocationsPerEvent = nil
        case "bytes": figures.bytesPerEvent = nil
        case "system calls": figures.systemCallsPerEvent = nil
        case "retains": figures.retainsPerEvent = nil
        case "releases": figures.releasesPerEvent = nil
        default: Issue.record("\(unit)")
        }
        return figures
    }

    @Test(arguments: [false, true])
    func whateverIsSpoiltIsNoticed(isCounted: Bool) throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let tool = BenchmarkTool(catalogue: [])
        func status(_ report: Report, _ before: Report, _ options: String...) throws -> Int32 {
            let files = [folder.path + "/before.json", folder.path + "/after.json"]
            try before.write(to: files[0])
            try report.write(to: files[1])
            return tool.run(["compare"] + files + options)
        }
        let before = isCounted ? Self.counted() : Self.timed(seed: 1)
        let after = isCounted ? Self.counted() : Self.timed(seed: 2)
        #expect(try status(after, before) == 0)
        let spoilt = Self.spoilt(after)
        #expect(spoilt.count > (isCounted ? 20 : 30))
        for (name, report) in spoilt {
            let found = try status(report, before)
            #expect(found == 1 || found == 2, "\(name): the exit status is \(found)")
        }
        // Nothing in common is never right.
        var renamed = after
        for index in renamed.scenarios.indices { renamed.scenarios[index].name += "'" }
        #expect(try status(renamed, before, "--allow-missing") == 2)
        // What may be missing, or isn't selected, fails nothing.
        var fewer = after
        fewer.scenarios.removeFirst()
        let rest = fewer.scenarios.map { $0.name + "$" }.joined(separator: ",")
        #expect(try status(fewer, before, "--allow-missing") == 0)
        #expect(try status(fewer, before, "--filter", rest) == 0)
        #expect(try status(fewer, before, "--exclude", before.scenarios[0].name + "$") == 0)
        #expect(try status(fewer, before, "--filter", "nothing") == 2)
    }

    @Test func theVerdictNamesWhatIsLost() throws {
        let before = Self.timed(seed: 1)
        var after = Self.timed(seed: 2)
        after.scenarios[1].unit = "µs/event"
        after.scenarios.removeFirst()
        after.failures = [Failure(scenario: "scenario/2", build: "library", message: "it hung")]
        var comparison = try Comparison(from: before, to: after)
        let text = ComparisonText.text(of: comparison, program: "bench", on: Terminal(width: 200))
        #expect(text.contains("FAILED: scenario/2; MISSING: scenario/0; OTHER UNIT: scenario/1."))
        #expect(
            text.contains("failed: in the second run, it hung") && text.contains("other unit: ns/event, then µs/event"))
        comparison.allowsMissing = true
        #expect(!ComparisonText.verdict(of: comparison).contains("MISSING"))
        #expect(ComparisonText.verdict(of: comparison).contains("2 missing"))
        let nothing = try Comparison(from: before, to: before.selecting { _ in false })
        #expect(ComparisonText.verdict(of: nothing).contains("NOTHING COMPARED"))
    }

    /// Earlier versions kept the percentiles of a run only as a whole.
    @Test func aThousandfoldTailIsFoundWithoutThePercentilesOfPasses() throws {
        func pooled(_ report: Report, tail: UInt64) -> Report {
            var report = report
            for build in report.scenarios[2].builds.keys {
                report.scenarios[2].builds[build]?.passPercentiles = nil
                report.scenarios[2].builds[build]?.percentiles?["99.9"] = build == "library" ? tail : 200
            }
            return report
        }
        let before = pooled(Self.timed(seed: 1), tail: 2000)
        let long = try Comparison(from: before, to: pooled(Self.timed(seed: 2), tail: 2_000_000))
        #expect(long.regressions.map(\.unit) == ["ns, p99.9 overall"])
        let row = try #require(long.regressions.first)
        #expect(row.before == 2000 && row.after == 2_000_000 && abs((row.change?.median ?? 0) - 1000) < 1e-6)
        #expect(try Comparison(from: before, to: pooled(Self.timed(seed: 2), tail: 3000)).regressions.isEmpty)
    }

    /// A tail varies from run to run. Of 40 comparisons of equal ones, none finds a change.
    @Test func equalTailsHaveNoDifference() throws {
        var generator = SeededGenerator(seed: 7)
        func run() -> Report {
            var report = SampleReports.run(
                seed: UInt64.random(in: 1...UInt64.max, using: &generator), scenarios: 1, .quiet)
            // Log-normal, with deviations as of a machine with other work.
            let passes = (0..<10).map { _ in
                ["50": 0.05, "99": 0.2, "99.9": 0.6, "100": 1].mapValues { deviation in
                    UInt64(10_000 * exp(deviation * PairSimulation.normal(&generator)))
                }
            }
            for build in report.scenarios[0].builds.keys {
                report.scenarios[0].builds[build]?.passPercentiles = passes
                report.scenarios[0].builds[build]?.percentiles = passes[0]
            }
            return report
        }
        let found = try (0..<40).map { _ in try Comparison(from: run(), to: run()).regressions }
        #expect(found.count { !$0.isEmpty } == 0)
    }

    @Test func everyFormatShowsWhatFailed() throws {
        var report = SampleReports.full
        report.failures = [Failure(scenario: "broken/1", build: "library", message: "killed by \"signal\" 11")]
        for format in OutputFormat.allCases where format != .table {
            let text = try ReportText.text(of: report, as: format)
            #expect(text.contains("broken") && text.contains("signal"), "\(format)")
        }
        report.scenarios = []
        for format in OutputFormat.allCases where format != .table {
            #expect(try ReportText.text(of: report, as: format).contains("broken"), "\(format)")
        }
        let csv = ReportText.csv(of: report).split(separator: "\n")
        #expect(csv.count == 2)
    }

    /// The percentiles of several runs are their medians, and not the bits of integers.
    @Test func severalRunsHavePercentiles() throws {
        let median = try Report(medianOf: (1...3).map { Self.timed(seed: $0) })
        let figures = try #require(median.scenarios[2].builds["library"])
        #expect((1000...1010).contains(figures.percentiles?["50"] ?? 0))
        #expect(figures.passPercentiles?.count == 30)
        let within = try #require(figures.passes(ofPercentile: "99"))
        #expect(within.flatMap { $0.flatMap(\.self) }.allSatisfy { (2000...2010).contains($0) })
        let comparison = try Comparison(from: median, to: Self.timed(seed: 9))
        #expect(
            comparison.rows.first { $0.unit == "ns, p50 overall" }.map { (1000...1010).contains($0.before ?? 0) }
                == true)
    }

    /// A run that is kept without its samples can be compared for ever.
    @Test func compactRunsCanBeCompared() throws {
        func compact(_ report: Report) throws -> Report { try Report(Data(report.compactJSON().utf8), from: "a.json") }
        let before = try compact(Self.timed(seed: 1))
        let after = try compact(Self.timed(seed: 2))
        let comparison = try Comparison(from: before, to: after)
        #expect(comparison.rows.allSatisfy { $0.change != nil && !$0.isRegression } && comparison.rows.count > 6)
        let slower = try compact(SampleReports.run(seed: 3, scenarios: 3, slowed: ["scenario/1": 1.5], .quiet))
        #expect(try Comparison(from: before.selecting { $0 == "scenario/1" }, to: slower).regressions.count == 2)
    }

    /// A wrong threshold is an error before anything is measured.
    @Test func thresholdsAreReadFirst() {
        final class Unmeasured: Scenario {
            func run(events: Int) { Issue.record("measured") }
            func verify() {}
        }
        let entry = ScenarioEntry("a", direct: { _ in Unmeasured() }, library: { _ in Unmeasured() })
        let tool = BenchmarkTool(catalogue: [entry])
        for threshold in ["abc", "5x", "0", "a=", ""] {
            #expect(tool.run(["run", "--against", "/bin/true", "--threshold", threshold]) == 2)
            #expect(tool.run(["baseline", "check", "none", "--threshold", threshold]) == 2)
        }
        #expect(tool.run(["run", "--threshold", "5"]) == 2)
        #expect(tool.run(["baseline", "save", "none", "--threshold", "5"]) == 2)
    }
}
