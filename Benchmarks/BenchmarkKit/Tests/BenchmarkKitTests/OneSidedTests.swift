import Foundation
import Testing

@testable import BenchmarkKit

/// Reports and comparisons of scenarios that have no direct side, no second build, or neither.
@Suite struct OneSidedTests {
    /// A run without these builds.
    private static func run(
        seed: UInt64, scenarios: Int = 3, samples: Int = 40, slowed: [String: Double] = [:],
        without builds: [Build] = [.direct, .alternative], _ behaviour: SampleReports.Behaviour = .quiet
    ) -> Report {
        var report = SampleReports.run(seed: seed, scenarios: scenarios, samples: samples, slowed: slowed, behaviour)
        for index in report.scenarios.indices {
            for build in builds { report.scenarios[index].builds[build.rawValue] = nil }
            // Of processor time.
            let library = report.scenarios[index].builds["library"]?.median
            report.scenarios[index].builds["library"]?.clockMedian = library
            if builds.contains(.direct) { report.scenarios[index].ratios = [:] }
        }
        return report
    }

    /// What no report of one side says.
    private static let foreign = ["direct", "alternative", "pairs", "Slowest", "–", " nan", " inf"]

    @Test(arguments: OutputFormat.allCases)
    func aReportHasNothingOfSidesThatAreNotThere(format: OutputFormat) throws {
        let text = try ReportText.text(of: Self.run(seed: 1), as: format, on: Terminal(width: 100))
        for word in Self.foreign where !(word == "–" && text.contains("[")) { #expect(!text.contains(word), "\(text)") }
        #expect(text.contains("scenario/2") || text.contains("scenario.2"))
    }

    @Test func aTableHasTheIntervalOfATime() throws {
        let report = Self.run(seed: 1)
        let text = ReportText.text(of: report, on: Terminal(width: 100))
        let heading = try #require(text.split(separator: "\n").first { $0.hasPrefix("scenario ") })
        #expect(heading.split(separator: " ").filter { !$0.isEmpty } == ["scenario", "unit", "library", "95", "%"])
        #expect(text.contains("Medians of 40 samples. 95 %: the interval of library in this run"))
        #expect(text.contains("Allocations were not counted: that needs libjemalloc.so.2."))
        let interval = try #require(report.scenarios[0].interval(of: "library"))
        // About 3 on a quiet machine, and about 1 % to each side.
        #expect(interval.low < interval.median && interval.median < interval.high)
        #expect((2.9...3.1).contains(interval.median) && interval.high / interval.low < 1.05)
        #expect(text.contains(Figures.interval(interval)))
        // With direct, the ratio has one.
        #expect(Self.run(seed: 1, without: []).scenarios[0].interval(of: "library") == nil)
    }

    @Test func scenariosWithAndWithoutDirectShareATable() throws {
        var report = Self.run(seed: 1, without: [.alternative])
        report.scenarios[0] = Self.run(seed: 1).scenarios[0]
        let text = ReportText.text(of: report, on: Terminal(width: 120))
        #expect(text.contains("/direct: library to direct") && text.contains("95 %: the interval of library"))
        let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("scenario/0") })
        #expect(row.contains("–") && row.contains("["))
    }

    @Test func thePageHasNoEmptyColumns() throws {
        let page = try HTMLReport.text(of: Self.run(seed: 1))
        let body = try #require(page.split(separator: "<script").first)
        for title in ["direct", "alternative", "library/direct"] {
            #expect(!body.contains(">\(title)</th>"), "\(title)")
        }
        #expect(body.contains(">library</th>"))
    }

    @Test func aMachineThatFoldsWorkAwayIsNoticedWithoutDirect() {
        var report = Self.run(seed: 1)
        report.scenarios[1].builds["library"]?.median = 0.05
        let warning = ReportText.warnings(of: report).first
        #expect(warning?.hasPrefix("library takes less than 0.15 ns in scenario/1: ") == true)
    }

    @Test func aMachineThatDriftsIsNoReasonToCompareRatios() {
        var report = Self.run(seed: 1)
        report.calibration = Calibration(nanoseconds: [100, 150])
        let text = ReportText.text(of: report, on: Terminal(width: 200))
        #expect(text.contains("changed by 50.0 % during the run; --against compares builds whatever the speed."))
        let relative = ReportText.warnings(of: SampleReports.full)
        #expect(relative.contains("the machine's speed changed by 50.0 % during the run; compare ratios, not times"))
    }

    @Test func timesAreComparedAsTheyAre() throws {
        let before = Self.run(seed: 1, scenarios: 12)
        let after = Self.run(seed: 2, scenarios: 12, slowed: ["scenario/3": 1.5, "scenario/5": 0.5])
        let comparison = try Comparison(from: before, to: after)
        #expect(comparison.rows.count == 12 && comparison.rows.allSatisfy { $0.build == "library" })
        #expect(comparison.regressions.map(\.scenario) == ["scenario/3"])
        #expect(comparison.rows.filter { $0.verdict == .less }.map(\.scenario) == ["scenario/5"])
        #expect(comparison.status(requiringConclusions: false) == 1)
        let summary = ComparisonText.summary(of: comparison, program: "bench")
        #expect(summary.hasPrefix("Changes are of times, in which the machine's speed isn't cancelled. "))
        // With and without direct in one run.
        var (mixed, later) = (Self.run(seed: 1, without: []), Self.run(seed: 2, without: []))
        mixed.scenarios[1] = before.scenarios[1]
        later.scenarios[1] = Self.run(seed: 2).scenarios[1]
        let both = try Comparison(from: mixed, to: later)
        #expect(both.withoutDirect == ["scenario/1"])
        #expect(
            ComparisonText.summary(of: both, program: "bench").hasPrefix(
                "Changes are of multiples of direct, and of times without direct in scenario/1. "))
    }

    /// 19 of 20 comparisons of a build with itself find nothing, also on machines that become half as fast.
    @Test(arguments: [SampleReports.Behaviour.quiet, .usual, .swinging], [6, 40])
    func aRunComparedWithItselfHasNoDifference(behaviour: SampleReports.Behaviour, samples: Int) throws {
        let clean = try (0..<40).count { (seed: UInt64) in
            let before = Self.run(seed: 2 * seed + 1, scenarios: 8, samples: samples, behaviour)
            let after = Self.run(seed: 2 * seed + 2, scenarios: 8, samples: samples, behaviour)
            return try Comparison(from: before, to: after).rows.allSatisfy {
                $0.verdict == .same || $0.verdict == .inconclusive
            }
        }
        #expect(clean >= 38, "\(clean) of 40")
    }

    /// The machine is 8 % slower in the second run, which the calibration shows: that is no change of the code.
    @Test func anyDifferenceOfTheMachineMakesTheIntervalWider() throws {
        let before = Self.run(seed: 1)
        var after = Self.run(seed: 2, slowed: ["scenario/0": 1.08, "scenario/1": 1.08, "scenario/2": 1.08])
        func widths(_ after: Report) throws -> [Double] {
            try Comparison(from: before, to: after).rows.map { try #require($0.change).high / #require($0.change).low }
        }
        let narrow = try widths(after)
        after.calibration = after.calibration.map { Calibration(nanoseconds: $0.nanoseconds.map { $0 * 1.08 }) }
        let wide = try widths(after)
        #expect(zip(narrow, wide).allSatisfy { $1 > $0 * 1.08 * 1.08 * 0.97 })
        #expect(try Comparison(from: before, to: after).rows.allSatisfy { $0.verdict != .more })
        // Multiples of direct don't depend on it.
        let relative = [Self.run(seed: 1, without: []), Self.run(seed: 2, without: [])]
        var slower = relative[1]
        slower.calibration = slower.calibration.map { Calibration(nanoseconds: $0.nanoseconds.map { $0 * 1.08 }) }
        #expect(
            try Comparison(from: relative[0], to: relative[1]).rows == Comparison(from: relative[0], to: slower).rows)
    }

    /// Other programs make times by the clock longer.
    @Test func timesByTheClockVaryMore() throws {
        func change(isByTheClock: Bool) throws -> RatioEstimate {
            let runs = [UInt64(1), 2].map { seed in
                var report = Self.run(seed: seed)
                if isByTheClock { report.scenarios[0].builds["library"]?.clockMedian = nil }
                return report
            }
            return try #require(Comparison(from: runs[0], to: runs[1]).rows[0].change)
        }
        let (processor, clock) = (try change(isByTheClock: false), try change(isByTheClock: true))
        #expect(processor.high / processor.low < 1.4 && clock.high / clock.low > 2)
    }

    @Test func severalRunsAreABaseline() throws {
        let runs = (1...5).map { Self.run(seed: $0) }
        let baseline = try Report(medianOf: runs)
        #expect(baseline.runs == 5 && baseline.scenarios.allSatisfy { $0.builds.keys.sorted() == ["library"] })
        let slowed = Self.run(seed: 9, slowed: ["scenario/1": 1.5])
        #expect(try Comparison(from: baseline, to: slowed).regressions.map(\.scenario) == ["scenario/1"])
        #expect(try Comparison(from: baseline, to: Self.run(seed: 10)).regressions.isEmpty)
    }

    /// A row of times has its unit. A scenario that has lost its direct has no multiples in any run.
    @Test func aTrendShowsTimes() {
        let with = Self.run(seed: 1, without: [.alternative])
        var runs = [(name: "a", report: with), (name: "b", report: Self.run(seed: 2))]
        let lost = TrendCommand.table(of: runs, main: .library).csv().split(separator: "\n").map(String.init)
        #expect(lost[0] == "scenario,a,b,last/first" && lost[1].hasPrefix("\"scenario/0, ns/event\",3.0"))
        #expect(lost[3].hasPrefix("\"scenario/2, ns/event\",") && !lost[3].contains("–"))
        runs[1].report = Self.run(seed: 2, without: [.alternative])
        let multiples = TrendCommand.table(of: runs, main: .library).csv()
        #expect(multiples.split(separator: "\n")[3].hasPrefix("scenario/2,"))
    }

    @Test func aTableOfSeveralRunsHasNoColumnsOfOtherSides() throws {
        let results = try ResultsTable([Self.run(seed: 1), Self.run(seed: 2)], counts: nil)
        let heading = try results.table(nil, isMarkdown: false).csv().split(separator: "\n")[0]
        #expect(heading == "scenario,library")
    }
}
