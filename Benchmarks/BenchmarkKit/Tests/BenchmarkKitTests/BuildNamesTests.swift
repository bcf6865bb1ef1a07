import Testing

@testable import BenchmarkKit

/// The names of the two builds are the tool's.
@Suite struct BuildNamesTests {
    private static let names = BuildNames(main: "fast", alternative: "simple")

    private final class Nothing: Scenario {
        func run(events: Int) {}
        func verify() {}
    }

    /// A report with the given times of `fast`.
    private func report(_ times: [Double]) -> Report {
        let builds = [
            "direct": BuildReport(passes: [[1, 1, 1, 1, 1, 1]]), "fast": BuildReport(passes: [times]),
            "simple": BuildReport(passes: [[9, 9, 9, 9, 9, 9]]), "earlier": BuildReport(passes: [[2, 2, 2, 2, 2, 2]]),
        ]
        let ratios = ["simple/fast": RatioEstimate(median: 3, low: 2, high: 4)]
        let scenario = ScenarioReport(name: "x", unit: "ns/event", builds: builds, ratios: ratios)
        return Report(host: SampleReports.host, scenarios: [scenario], failures: [], builds: Self.names)
    }

    @Test func tablesAndPagesHaveThem() throws {
        let report = report([3, 3, 3, 3, 3, 3])
        // Columns without figures aren't there: the ratio to direct, and allocations.
        let text = ReportText.markdown(of: report)
        #expect(text.contains("| scenario | unit | direct | fast | simple | simple/fast |"))
        #expect(text.contains("3.00× [2.00–4.00]"))
        let page = try HTMLReport.text(of: report)
        #expect(page.contains("class=\"dots main\"") && page.contains("class=\"dots alternative\""))
        #expect(page.contains("data-figure=\"builds.fast.median\""))
    }

    @Test func comparisonsUseThem() throws {
        let report = report([3, 3, 3, 3, 3, 3])
        let slower = self.report([30, 30, 30, 30, 30, 30])
        let rows = try Comparison(from: report, to: slower).rows
        #expect(rows.map(\.build) == ["fast", "simple"])
        #expect(rows.map(\.verdict) == [.more, .inconclusive])  // A single pass is not enough for .same.
        let paired = Comparison(within: slower)
        #expect(paired.rows.map(\.build) == ["fast"] && paired.regressions.count == 1)
    }

    @Test func theHelpHasThem() throws {
        let entry = ScenarioEntry("x", direct: { _ in Nothing() }, library: { _ in Nothing() })
        let tool = BenchmarkTool(catalogue: [entry], builds: Self.names, isAlternative: true)
        #expect(tool.build == Self.names.alternative)
        #expect(HelpText.text(of: tool.commands, program: "bench").contains("direct (no library), fast, simple"))
        let arguments = try tool.parse(["profile", "x", "--build", "simple"]).1
        #expect(arguments["--build"] == "simple")
        #expect(throws: UsageError.self) { try tool.parse(["profile", "x", "--build", "lockfree"]) }
    }

    @Test(arguments: ["direct", "earlier", "", "a b", "same"])
    func otherNamesAreRefused(name: String) async {
        await #expect(processExitsWith: .failure) { [name] in _ = BuildNames(main: name, alternative: "same") }
    }
}
